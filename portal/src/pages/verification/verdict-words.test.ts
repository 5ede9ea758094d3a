import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aboutVerdict } from './verdict-words.ts';

const requestedAt = '2026-11-20T12:00:00.000Z';
const [hour, day] = [3_600_000, 86_400_000];
const about = (confirmed: boolean, after: number, isTest = false) =>
  aboutVerdict(
    {
      ...{ test: isTest, key: { id: 'key_1', name: 'web' }, requested_at: requestedAt },
      confirmed_at: confirmed ? requestedAt : null,
    },
    Date.parse(requestedAt) + after,
  );

test('what follows from a verdict is said, by whether the code was confirmed', () => {
  assert.match(about(true, hour) ?? '', /fraud takes back its confirmation, good changes nothing/);
  assert.match(about(false, hour) ?? '', /good excuses its silence, fraud changes nothing/);
  assert.match(about(false, hour) ?? '', /until 27 Nov 2026/);
  assert.match(about(true, hour, true) ?? '', /test key/);
});

test('a verdict can be said for seven days', () => {
  assert.notEqual(about(true, 7 * day - 1), undefined);
  assert.equal(about(true, 7 * day), undefined);
});
