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

test('nothing works that nobody has tried', () => {
  for (const breaker of ['closed', 'unknown'] as const) {
    assert.deepEqual(stateOf(carrier(breaker, 0, 0)), { label: 'No traffic yet', color: 'gray' });
  }
});

test('that it works is said with what shows it', () => {
  const volume = '1,200 of 1,250 taken';
  assert.deepEqual(stateOf(carrier('closed', 1250, 1200)), { label: 'Works', color: 'green', volume });
  assert.equal(stateOf(carrier('closed', 3, 0)).label, 'Takes nothing');
});

test('set aside is set aside, whoever sends', () => {
  assert.equal(stateOf(carrier('open', 0, 0)).label, 'Set aside');
  assert.equal(stateOf(carrier('half-open', 5, 5)).label, 'Being tried again');
});
