import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createManualClock } from '../core/clock-fixture.ts';
import { NO_FUNDS } from './fixture.ts';
import { Hold } from './hold.ts';

const LEASE = 15_000;

suite('hold', () => {
  function leased() {
    const clock = createManualClock();
    const first = { id: 'ver_1', fence: 0, rounds: 0, spentCarriers: [], funds: NO_FUNDS };
    return { clock, hold: new Hold(first, clock, clock.steady(), LEASE) };
  }

  test('it may be sent until its lease ends, even if the clock is set', () => {
    for (const step of [0, -3_600_000, 3_600_000]) {
      const { clock, hold } = leased();
      clock.step(step);
      clock.pass(LEASE - 1);
      assert.ok(hold.wanted);
      clock.pass(1);
      assert.ok(!hold.wanted);
    }
  });

  test('the lease counts from before the store was asked for it', () => {
    const { clock, hold } = leased();
    const asked = clock.steady();
    clock.pass(LEASE - 1_000);
    hold.prolong(0, asked, LEASE);
    assert.ok(hold.wanted);
    clock.pass(1_000);
    assert.ok(!hold.wanted);
  });

  test('it is not sent once lost, and is sent once leased again', () => {
    const { clock, hold } = leased();
    hold.lose();
    assert.ok(!hold.wanted);
    hold.prolong(1, clock.steady(), LEASE);
    assert.deepEqual([hold.wanted, hold.fence], [true, 1]);
  });

  test('a machine that has slept cannot tell how long', () => {
    for (const step of [60_000, -60_000, 1_500, -1_500]) {
      const { clock, hold } = leased();
      clock.stepWall(step);
      // Setting the clock back may hide how long.
      assert.ok(!hold.wanted);
      hold.prolong(1, clock.steady(), LEASE);
      assert.ok(hold.wanted, 'leased again since it woke');
    }
  });
});
