import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createManualClock } from '../../core/seams/clock-fixture.ts';
import { Breaker, type Permit } from './breaker.ts';

const RESET_AFTER = 1_000;

suite('breaker', () => {
  /** A breaker that opens with its second failure in a row. */
  function open() {
    const states: string[] = [];
    const clock = createManualClock();
    const breaker = new Breaker({ failures: 2, resetAfter: RESET_AFTER }, clock, (state) =>
      states.push(state),
    );
    return { breaker, states, clock };
  }
  const permitOf = (breaker: Breaker): Permit => {
    const permit = breaker.permit();
    assert.ok(permit);
    return permit;
  };
  const fail = (breaker: Breaker) => breaker.record(permitOf(breaker), 'failed');

  test('messages under way when it opened neither keep it open longer nor close it', () => {
    const { breaker, states, clock } = open();
    const late = [permitOf(breaker), permitOf(breaker), permitOf(breaker)];
    fail(breaker);
    fail(breaker);
    clock.pass(RESET_AFTER - 1);
    for (const permit of late.splice(0, 2)) breaker.record(permit, 'failed');
    assert.equal(breaker.permit(), undefined);
    clock.pass(1);
    const trial = permitOf(breaker);
    assert.equal(trial, 'trial');
    for (const permit of late) breaker.record(permit, undefined);
    assert.equal(breaker.permit(), undefined, 'the trial is still under way');
    breaker.record(trial, undefined);
    assert.deepEqual(states, ['open', 'half-open', 'closed']);
  });

  test('once closed again, it counts from zero', () => {
    const { breaker, clock } = open();
    fail(breaker);
    fail(breaker);
    clock.pass(RESET_AFTER);
    breaker.record(permitOf(breaker), undefined);
    fail(breaker);
    assert.ok(breaker.admits);
    fail(breaker);
    assert.ok(!breaker.admits);
  });

  test('it stays open for its time, even if the clock of the machine is set', () => {
    for (const step of [-3_600_000, 3_600_000]) {
      const { breaker, clock } = open();
      fail(breaker);
      fail(breaker);
      clock.step(step);
      clock.pass(RESET_AFTER - 1);
      assert.ok(!breaker.admits);
      clock.pass(1);
      assert.ok(breaker.admits);
    }
  });
});
