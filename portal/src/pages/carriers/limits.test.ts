import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitsOf, usualLimits } from './limits.ts';

const CARRIER = {
  ...{ name: 'acme', type: 'http', channels: [], rate: null, concurrency: 10, timeout_ms: 10_000 },
  ...{ breaker: { failures: 5, reset_after_ms: 30_000 }, daily_cap: null },
  last_day: { attempted: 0, submitted: 0, delivered: 0, undelivered: 0, confirmed: 0 },
};
const SLOW = { ...CARRIER, rate: '20/1s' };
const USUAL = '10 at once, 10 s to answer, set aside after 5 failures';

test('what more than half of the carriers may do is usual', () => {
  assert.equal(limitsOf(SLOW), `at most 20/1s, ${USUAL}`);
  assert.equal(usualLimits([CARRIER, SLOW, CARRIER]), USUAL);
  assert.equal(usualLimits([CARRIER, SLOW]), undefined);
  assert.equal(usualLimits([CARRIER]), undefined, 'one carrier is no rule');
  assert.equal(usualLimits([]), undefined);
});
