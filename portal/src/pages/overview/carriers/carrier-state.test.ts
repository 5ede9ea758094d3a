import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CarrierHealth } from '#contract/overview.ts';
import { stateOf } from './carrier-state.ts';

type Breaker = CarrierHealth[number]['installation']['breaker'];

const carrier = (breaker: Breaker, attempted: number, submitted: number): CarrierHealth[number] => ({
  ...{ name: 'smsc', type: 'smpp', installation: { breaker, last_error: null } },
  account: {
    ...{ attempted, submitted, delivered: 0, undelivered: 0, confirmed: 0 },
    delivered_ms: { p50: null, p95: null },
  },
});

test('a carrier without traffic is not called working', () => {
  for (const breaker of ['closed', 'unknown'] as const) {
    assert.deepEqual(stateOf(carrier(breaker, 0, 0)), { label: 'No traffic yet', color: 'gray' });
  }
});

test('a working carrier comes with its figures', () => {
  const volume = '1,200 of 1,250 accepted';
  assert.deepEqual(stateOf(carrier('closed', 1250, 1200)), { label: 'Working', color: 'green', volume });
  assert.equal(stateOf(carrier('closed', 3, 0)).label, 'Accepts nothing');
});

test('a carrier that is set aside is so for every account', () => {
  assert.equal(stateOf(carrier('open', 0, 0)).label, 'Set aside');
  assert.equal(stateOf(carrier('half-open', 5, 5)).label, 'Being retried');
});
