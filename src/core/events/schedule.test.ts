import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONGEST_RETRY_PAUSE_MS, nextTryAt } from './schedule.ts';

const HOUR = 3_600_000;

test('a message is tried ten times in three days', () => {
  const pauses = Array.from({ length: 10 }, (_, tries) => nextTryAt(tries + 1, 0, 0, undefined));
  const hours = [2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR);
  assert.deepEqual(pauses, [5_000, 300_000, 1_800_000, ...hours, undefined]);
});

test('pauses are a little longer at random, and as long as the endpoint asks for', () => {
  assert.equal(nextTryAt(1, 1_000, 1, undefined), 6_500);
  assert.equal(nextTryAt(1, 1_000, 0.5, 60_000), 61_000);
  assert.equal(nextTryAt(2, 0, 0, 60_000), 300_000);
  assert.equal(nextTryAt(1, 0, 0, 365 * 24 * HOUR), LONGEST_RETRY_PAUSE_MS);
  assert.equal(nextTryAt(10, 0, 0, 60_000), undefined);
});
