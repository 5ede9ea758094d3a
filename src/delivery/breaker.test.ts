import assert from 'node:assert/strict';
import { mock, suite, test } from 'node:test';
import { Breaker, type Permit } from './breaker.ts';

const RESET_AFTER = 1_000;

suite('breaker', () => {
  /** One that opens with its second failure in a row. */
  function open() {
    const states: string[] = [];
    const breaker = new Breaker({ failures: 2, resetAfter: RESET_AFTER }, (state) => states.push(state));
    return { breaker, states };
  }
  const permitOf = (breaker: Breaker): Permit => {
    const permit = breaker.permit();
    assert.ok(permit);
    return permit;
  };
  const fail = (breaker: Breaker) => breaker.record(permitOf(breaker), true);

  test('what was under way when it opened neither keeps it open longer nor closes it', (t) => {
    mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
    t.after(() => mock.timers.reset());
    const { breaker, states } = open();
    const late = [permitOf(breaker), permitOf(breaker), permitOf(breaker)];
    fail(breaker);
    fail(breaker);
    mock.timers.tick(RESET_AFTER - 1);
    for (const permit of late.splice(0, 2)) breaker.record(permit, true);
    assert.equal(breaker.permit(), undefined);
    mock.timers.tick(1);
    const trial = permitOf(breaker);
    assert.equal(trial, 'trial');
    for (const permit of late) breaker.record(permit, false);
    assert.equal(breaker.permit(), undefined, 'the trial is still under way');
    breaker.record(trial, false);
    assert.deepEqual(states, ['open', 'half-open', 'closed']);
  });

  test('closed again, it counts from nought', (t) => {
    mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
    t.after(() => mock.timers.reset());
    const { breaker } = open();
    fail(breaker);
    fail(breaker);
    mock.timers.tick(RESET_AFTER);
    breaker.record(permitOf(breaker), false);
    fail(breaker);
    assert.ok(breaker.admits);
    fail(breaker);
    assert.ok(!breaker.admits);
  });
});
