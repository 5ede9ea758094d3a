import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, Story, US } from './story.ts';
import { MINUTE } from './table.ts';

const seen = (story: Story, id: number, status: string, more: object = {}, key = 'a-live') => {
  const asked = Date.UTC(2026, 10, 20, 12);
  const body = { id: `ver_${id}`, destination: US, channel: 'sms', status, guesses_left: 3 };
  const expires = { expires_at: new Date(asked + 10 * MINUTE).toISOString() };
  const attempts = [{ channel: 'sms', state: status === 'delivered' ? status : 'submitted' }];
  return story.does({ do: 'look', key, id }, done({ ...body, ...expires, attempts, ...more }));
};

test('the status is the first that applies', () => {
  const story = new Story();
  const id = story.code('111111');
  assert.match(seen(story, id, 'delivered') ?? '', /the status is delivered/);
  story.wait(MINUTE);
  assert.equal(seen(story, id, 'submitted'), undefined);
  story.delivered('111111');
  story.wait(MINUTE);
  assert.equal(seen(story, id, 'delivered'), undefined);
  story.wait(10 * MINUTE);
  assert.equal(seen(story, id, 'expired', { attempts: [{ channel: 'sms', state: 'delivered' }] }), undefined);
});

test('numbers are shown in full to the key that asked and its successor', () => {
  const story = new Story();
  const id = story.code('111111');
  story.does({ do: 'rotate-key', key: 'a-live', name: 'k1', overlap: 60_000 });
  story.does({ do: 'make-key', account: 'a', name: 'k2', test: false, customCodes: false });
  story.wait(2000);
  assert.equal(seen(story, id, 'submitted', {}, 'k1'), undefined);
  assert.equal(seen(story, id, 'submitted', { destination: '+1••••••••01' }, 'k2'), undefined);
  const { model } = story;
  story.model = model.copy();
  assert.match(seen(story, id, 'submitted', {}, 'k2') ?? '', /was shown/);
  story.model = model;
  story.wait(61_000);
  assert.match(seen(story, id, 'submitted') ?? '', /unknown, revoked or ended/);
});

test('guesses that are left are those of the verification', () => {
  const story = new Story();
  const id = story.code('111111');
  assert.match(seen(story, id, 'submitted', { guesses_left: 2 }) ?? '', /guesses_left/);
});
