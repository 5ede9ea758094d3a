import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CarrierHealth } from '#contract/overview.ts';
import { stateOf } from './carrier-state.ts';

type Installation = CarrierHealth[number]['installation'];

const carrier = (
  seen: Partial<Installation>,
  attempted: number,
  submitted: number,
): CarrierHealth[number] => ({
  ...{
    name: 'smsc',
    type: 'smpp',
    installation: { breaker: 'closed', trouble: null, last_error: null, unusable_receipts: '', ...seen },
  },
  account: {
    ...{ attempted, submitted, delivered: 0, undelivered: 0, confirmed: 0 },
    delivered_ms: { p50: null, p95: null },
  },
});

test('a carrier without traffic is not called working, and says for how long it had none', () => {
  for (const breaker of ['closed', 'unknown'] as const) {
    const idle = carrier({ breaker }, 0, 0);
    assert.deepEqual(stateOf(idle), { label: 'None in the last hour', color: 'gray' });
    assert.equal(stateOf(idle, 3).label, 'None in the last hour');
    assert.equal(stateOf(idle, 0).label, 'None in the last day');
  }
});

test('a carrier works if it accepted anything', () => {
  assert.deepEqual(stateOf(carrier({}, 1250, 1200)), { label: 'Working', color: 'green' });
  assert.equal(stateOf(carrier({}, 3, 0)).label, 'Accepts nothing');
});

test('a carrier that is set aside is set aside for every account', () => {
  assert.equal(stateOf(carrier({ breaker: 'open', trouble: 'set-aside' }, 0, 0)).label, 'Set aside');
  assert.equal(stateOf(carrier({ breaker: 'half-open' }, 5, 5)).label, 'Being retried');
});

test('a carrier that takes no messages is not called working because of what it took before', () => {
  const red = { color: 'red' } as const;
  assert.deepEqual(stateOf(carrier({ trouble: 'no-link' }, 5, 5)), { ...red, label: 'No link' });
  const refusing = carrier({ trouble: 'refuses-settings', breaker: 'half-open' }, 0, 0);
  assert.deepEqual(stateOf(refusing), { ...red, label: 'Refuses our settings' });
});
