import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Happening } from '../command.ts';
import { explain } from './orders.ts';
import { done, mismatch, refused, Story, US } from './story.ts';

function group(story: Story, id: number, ...answers: Parameters<Story['happening']>[1][]): Happening[] {
  const guess = (it: (typeof answers)[number]) =>
    story.happening({ do: 'confirm', key: 'a-live', id, code: '111111' }, it);
  return answers.map((it) => ({ ...guess(it), until: story.at + 50 }));
}
const won = done({ id: 'ver_1', destination: US, channel: 'sms', confirmed_at: '2026-11-20T12:00:00Z' });
const lost = refused(409, 'already-confirmed');

test('of confirmations at once one wins, whichever', () => {
  const story = new Story();
  const id = story.code('111111');
  const { model } = story;
  assert.ok('model' in explain(model.copy(), group(story, id, lost, lost, won)));
  const two = explain(model.copy(), group(story, id, won, won));
  assert.match('why' in two ? two.why : '', /instead of 409/);
  const none = explain(model.copy(), group(story, id, lost, lost));
  assert.match('why' in none ? none.why : '', /nobody confirmed/);
});

test('what ended before another began stays before it', () => {
  const story = new Story();
  const id = story.code('111111');
  const [first, second] = group(story, id, lost, won);
  assert.ok(first?.kind === 'command' && second?.kind === 'command');
  const apart = [first, { ...second, at: first.until + 1, until: first.until + 9 }];
  assert.ok('why' in explain(story.model.copy(), apart));
});

test('a message may come before the answer that promised it', () => {
  const story = new Story();
  const verify = story.happening(
    { do: 'verify', key: 'a-live', to: US, channel: 'sms' },
    done({ id: 'ver_1', destination: US, channel: 'sms' }),
  );
  const sent = {
    kind: 'sent',
    at: story.at + 10,
    carrier: 'one',
    channel: 'sms',
    to: US,
    code: '111111',
    did: 'accepted',
    reference: 'r',
  } as const;
  const it = explain(story.model, [sent, { ...verify, until: story.at + 20 }]);
  assert.ok('model' in it);
  story.wait(1000);
  assert.match(story.confirm(1, '111111', mismatch(2)) ?? '', /right code/);
});
