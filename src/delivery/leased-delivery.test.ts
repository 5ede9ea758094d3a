import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createManualClock } from '../core/seams/clock-fixture.ts';
import { NO_FUNDS } from './fixture.ts';
import { LeasedDelivery } from './leased-delivery.ts';

const LEASE = 15_000;

suite('hold', () => {
  function leased() {
    const clock = createManualClock();
    const first = { id: 'ver_1', fence: 0, rounds: 0, spentCarriers: [], funds: NO_FUNDS };
    return { clock, delivery: new LeasedDelivery(first, clock, clock.steady(), LEASE) };
  }

  test('it may be sent until its lease ends, even if the clock is set', () => {
    for (const step of [0, -3_600_000, 3_600_000]) {
      const { clock, delivery } = leased();
      clock.step(step);
      clock.pass(LEASE - 1);
      assert.ok(delivery.wanted);
      clock.pass(1);
      assert.ok(!delivery.wanted);
    }
  });

  test('the lease counts from before the store was asked for it', () => {
    const { clock, delivery } = leased();
    const asked = clock.steady();
    clock.pass(LEASE - 1_000);
    delivery.prolong(0, asked, LEASE);
    assert.ok(delivery.wanted);
    clock.pass(1_000);
    assert.ok(!delivery.wanted);
  });

  test('it is not sent once lost, and is sent once leased again', () => {
    const { clock, delivery } = leased();
    delivery.lose();
    assert.ok(!delivery.wanted);
    delivery.prolong(1, clock.steady(), LEASE);
    assert.deepEqual([delivery.wanted, delivery.fence], [true, 1]);
  });

  test('a machine that has slept cannot tell how long', () => {
    for (const step of [60_000, -60_000, 1_500, -1_500]) {
      const { clock, delivery } = leased();
      clock.stepWall(step);
      // Setting the clock back may hide how long.
      assert.ok(!delivery.wanted);
      delivery.prolong(1, clock.steady(), LEASE);
      assert.ok(delivery.wanted, 'leased again since it woke');
    }
  });
});
