import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../core/seams/clock-fixture.ts';
import { CarrierPace } from './pace.ts';

const MINUTE = 60_000;

test('an account may ask only so often in a minute, and others are not affected', () => {
  const clock = createManualClock();
  const pace = new CarrierPace(clock, 2);
  assert.equal(pace.take('one'), undefined);
  clock.pass(10_000);
  assert.equal(pace.take('one'), undefined);
  assert.equal(pace.take('one'), MINUTE - 10_000);
  assert.equal(pace.take('other'), undefined);
  clock.pass(MINUTE - 10_000);
  assert.equal(pace.take('one'), undefined);
});

test('nobody waits longer, or shorter, because the clock is set', () => {
  for (const step of [-3_600_000, 3_600_000]) {
    const clock = createManualClock();
    const pace = new CarrierPace(clock, 1);
    assert.equal(pace.take('one'), undefined);
    clock.pass(9_000);
    clock.step(step);
    assert.equal(pace.take('one'), MINUTE - 9_000);
    clock.pass(MINUTE - 9_000);
    assert.equal(pace.take('one'), undefined);
  }
});
