import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Happening } from '../happening.ts';
import { Explanation } from './orders.ts';
import { approved, done, mismatch, pending, problem, refused, Story, US } from './story.ts';

function group(story: Story, id: number, ...answers: Parameters<Story['happening']>[1][]): Happening[] {
  const guess = (it: (typeof answers)[number]) =>
    story.happening({ do: 'confirm', key: 'a-live', id, code: '111111' }, it);
  return answers.map((it) => ({ ...guess(it), until: story.at + 50 }));
}
/** What is wrong with what comes next in a story, which goes on without it. */
const wrongOf = (story: Story, news: readonly Happening[]) =>
  new Explanation(story.model.copy()).take({ news, crashes: [] });
const won = done({ id: 'ver_1', destination: US, channel: 'sms', confirmed_at: '2026-11-20T12:00:00Z' });
const lost = refused(409, 'already-confirmed');

test('of confirmations at once one wins, whichever', () => {
  const story = new Story();
  const id = story.code('111111');
  assert.equal(wrongOf(story, group(story, id, lost, lost, won)), undefined);
  assert.match(wrongOf(story, group(story, id, won, won)) ?? '', /instead of 409/);
  assert.match(wrongOf(story, group(story, id, lost, lost)) ?? '', /nobody confirmed/);
});

test('what ended before another began stays before it', () => {
  const story = new Story();
  const id = story.code('111111');
  const [first, second] = group(story, id, lost, won);
  assert.ok(first?.kind === 'command' && second?.kind === 'command');
  const apart = [first, { ...second, at: first.until + 1, until: first.until + 9 }];
  assert.notEqual(wrongOf(story, apart), undefined);
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
  const explanation = new Explanation(story.model);
  const news = [sent, { ...verify, until: story.at + 20 }];
  assert.equal(explanation.take({ news, crashes: [] }), undefined);
  story.model = explanation.model;
  story.wait(1000);
  assert.match(story.confirm(1, '111111', mismatch(2)) ?? '', /right code/);
});

test('of commands at once another order is taken, if what follows contradicts the first', () => {
  const story = new Story();
  story.turnsOn();
  const id = story.code('111111');
  const sent = story.happening(
    { do: 'verify', key: 'a-live', to: US, channel: 'sms' },
    done({ id: 'ver_9', destination: US, channel: 'sms' }),
  );
  const right = story.happening(
    { do: 'twilio-check', key: 'a-live', of: US, code: '111111' },
    approved(`ver_${id}`),
  );
  for (const first of [
    [sent, right],
    [right, sent],
  ])
    for (const answer of [problem(404, 20404), pending('ver_9')]) {
      const explanation = new Explanation(story.model.copy());
      assert.equal(explanation.take({ news: first, crashes: [] }), undefined);
      const after = story.happening({ do: 'twilio-check', key: 'a-live', of: US, code: '100001' }, answer);
      assert.equal(explanation.take({ news: [after], crashes: [] }), undefined);
    }
});
