import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Outcome, OutgoingMessage } from '../core/carrier.ts';
import { createManualClock } from '../core/clock-fixture.ts';
import { DailyCap } from '../core/daily-cap.ts';
import { StoreUnavailable } from '../core/errors.ts';
import {
  ACCEPTED,
  hang,
  inTurn,
  messageWith,
  OPEN_GATE,
  PERMANENT,
  scriptedCarrier,
  settled,
  TEMPORARY,
} from './fixture.ts';
import { createGate, type GateOptions } from './gate.ts';

const message = messageWith();
const PASSED_FULL = { kind: 'passed', reason: 'places taken' };
const PASSED_OPEN = { kind: 'passed', reason: 'breaker open' };
const quick: GateOptions = { ...OPEN_GATE, breaker: { failures: 3, resetAfter: 1_000 } };

function gateOf(carrier: ReturnType<typeof scriptedCarrier>, options: Partial<GateOptions> = {}) {
  const states: string[] = [];
  const gate = createGate(carrier, { ...quick, ...options }, (state) => states.push(state));
  const submit = (wanted: OutgoingMessage, elsewhere = false, isWanted = true) =>
    gate.submit(wanted, { wanted: isWanted }, () => elsewhere);
  return { gate: { submit, abort: gate.abort }, states };
}

suite('gate', () => {
  test('an outcome comes through as it is', async () => {
    for (const outcome of [ACCEPTED, TEMPORARY, PERMANENT, { kind: 'delivered' } as const]) {
      const { gate } = gateOf(scriptedCarrier('c', () => outcome));
      assert.deepEqual(await gate.submit(message), outcome);
    }
  });

  test('a carrier that throws counts as temporary, and its words go nowhere', async () => {
    for (const script of [
      () => {
        throw new TypeError('secret 482913');
      },
      () => Promise.reject('secret 482913'),
    ]) {
      const outcome = await gateOf(scriptedCarrier('c', script)).gate.submit(message);
      assert.equal(outcome.kind, 'temporary');
      assert.doesNotMatch(JSON.stringify(outcome), /482913/);
    }
  });

  test('no more are under way than the concurrency, and the others wait their turn', async () => {
    const answers: ((outcome: Outcome) => void)[] = [];
    const carrier = scriptedCarrier('c', () => new Promise((resolve) => answers.push(resolve)));
    const { gate } = gateOf(carrier, { concurrency: 2 });
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const outcomes = ids.map((id) => gate.submit(messageWith({ id })));
    for (let done = 0; done < ids.length; done++) {
      await settled();
      assert.deepEqual(carrier.submitted, ids.slice(0, done + 2));
      answers[done]?.(ACCEPTED);
    }
    assert.deepEqual(await Promise.all(outcomes), Array(5).fill(ACCEPTED));
  });

  test('the deadline holds even against a carrier that ignores its signal', async () => {
    const { gate } = gateOf(scriptedCarrier('c', hang), { timeout: 20, concurrency: 1 });
    assert.deepEqual(await gate.submit(message), { kind: 'temporary', reason: 'deadline', unclear: true });
    assert.deepEqual(
      await gate.submit(message),
      { kind: 'temporary', reason: 'deadline', unclear: true },
      'its place is free',
    );
  });

  test('the deadline covers the waiting for a place and for the pace', async () => {
    const crowded = scriptedCarrier('c', hang);
    const { gate } = gateOf(crowded, { timeout: 20, concurrency: 1, breaker: OPEN_GATE.breaker });
    const both = await Promise.all([gate.submit(messageWith({ id: 'a' })), gate.submit(message)]);
    assert.deepEqual(
      both.map((outcome) => outcome.kind),
      ['temporary', 'temporary'],
    );
    const slow = scriptedCarrier('c', () => ACCEPTED);
    const { gate: paced } = gateOf(slow, { timeout: 20, rate: { max: 1, windowMs: 60_000 } });
    await paced.submit(message);
    assert.deepEqual(await paced.submit(message), { kind: 'temporary', reason: 'deadline' });
  });

  test('a carrier has its whole time, however long the message waited for its place', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const answers: (() => void)[] = [];
    const carrier = scriptedCarrier(
      'c',
      () => new Promise((resolve) => answers.push(() => resolve(ACCEPTED))),
    );
    const { gate } = gateOf(carrier, { timeout: 100, concurrency: 1 });
    const first = gate.submit(message);
    const second = gate.submit(messageWith({ id: 'b' }));
    await settled();
    t.mock.timers.tick(90);
    answers[0]?.();
    await first;
    await settled();
    t.mock.timers.tick(90);
    answers[1]?.();
    assert.deepEqual(await second, ACCEPTED);
  });

  test('the signal tells the carrier of the deadline', async () => {
    let aborted = false;
    const carrier = scriptedCarrier('c', (_message, signal) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise<Outcome>(() => {});
    });
    await gateOf(carrier, { timeout: 10 }).gate.submit(message);
    assert.ok(aborted);
  });

  test('abort ends what is under way and what waits, as temporary', async () => {
    const { gate } = gateOf(scriptedCarrier('c', hang), { concurrency: 1 });
    const outcomes = [1, 2, 3].map(() => gate.submit(message));
    await settled();
    gate.abort();
    assert.deepEqual(
      (await Promise.all(outcomes)).map((outcome) => outcome.kind),
      ['temporary', 'temporary', 'temporary'],
    );
  });

  suite('with another carrier to go to', () => {
    test('the first waits a little for a place, those after it not at all until one is free; who has no other waits on', async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const answers: ((outcome: Outcome) => void)[] = [];
      const carrier = scriptedCarrier('c', () => new Promise((resolve) => answers.push(resolve)));
      const { gate } = gateOf(carrier, { concurrency: 1 });
      const asked = gate.submit(messageWith({ id: 'a' }));
      const waiting = gate.submit(messageWith({ id: 'b' }), true);
      t.mock.timers.tick(250);
      assert.deepEqual(await waiting, PASSED_FULL);
      assert.deepEqual(gate.submit(messageWith({ id: 'd' }), true), PASSED_FULL);
      const patient = gate.submit(messageWith({ id: 'c' }));
      t.mock.timers.tick(10_000);
      answers[0]?.(ACCEPTED);
      await asked;
      await settled();
      const late = gate.submit(messageWith({ id: 'e' }), true);
      answers[1]?.(ACCEPTED);
      assert.deepEqual(await patient, ACCEPTED);
      await settled();
      answers[2]?.(ACCEPTED);
      assert.deepEqual(await late, ACCEPTED);
      assert.deepEqual(carrier.submitted, ['a', 'c', 'e']);
    });

    test('who has found a place is not hurried', async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const answers: ((outcome: Outcome) => void)[] = [];
      const carrier = scriptedCarrier('c', () => new Promise((resolve) => answers.push(resolve)));
      const { gate } = gateOf(carrier, { concurrency: 1 });
      const outcomes = [gate.submit(message, true), gate.submit(message, true)];
      await settled();
      answers[0]?.(ACCEPTED);
      await settled();
      t.mock.timers.tick(10_000);
      answers[1]?.(ACCEPTED);
      assert.deepEqual(await Promise.all(outcomes), [ACCEPTED, ACCEPTED]);
    });
  });

  suite('breaker', () => {
    test('sends away who waits for a place or a turn when it opens', async () => {
      const answers: ((outcome: Outcome) => void)[] = [];
      const carrier = scriptedCarrier('c', () => new Promise((resolve) => answers.push(resolve)));
      const crowded = gateOf(carrier, { concurrency: 4 });
      const asked = [1, 2, 3, 4].map(() => crowded.gate.submit(message));
      const waiting = [1, 2].map(() => crowded.gate.submit(message));
      for (const answer of answers.slice(0, 3)) answer(TEMPORARY);
      assert.deepEqual(await Promise.all(waiting), [PASSED_OPEN, PASSED_OPEN]);
      assert.equal(carrier.submitted.length, 4, 'though a place was free');
      answers[3]?.(ACCEPTED);
      assert.deepEqual(await asked[3], ACCEPTED, 'what is under way is left to end');

      const failing = scriptedCarrier('c', () => TEMPORARY);
      const paced = gateOf(failing, {
        rate: { max: 1, windowMs: 60_000 },
        breaker: { failures: 1, resetAfter: 60_000 },
      });
      const [first, second] = [paced.gate.submit(message), paced.gate.submit(message)];
      assert.deepEqual([await first, await second], [TEMPORARY, PASSED_OPEN]);
    });

    test('opens after so many failures in a row, and spares the carrier', async () => {
      const carrier = scriptedCarrier('c', () => TEMPORARY);
      const { gate, states } = gateOf(carrier);
      for (let i = 0; i < 3; i++) assert.deepEqual(await gate.submit(message), TEMPORARY);
      assert.deepEqual(gate.submit(message), PASSED_OPEN);
      assert.equal(carrier.submitted.length, 3);
      assert.deepEqual(states, ['open']);
    });

    test('a success in between starts the count anew', async () => {
      const carrier = scriptedCarrier('c', inTurn(TEMPORARY, TEMPORARY, ACCEPTED, TEMPORARY, TEMPORARY));
      const { gate, states } = gateOf(carrier);
      for (let i = 0; i < 5; i++) await gate.submit(message);
      assert.deepEqual(states, []);
    });

    test('a message refused for good, a wish to slow down, or a busy telephone is no failure', async () => {
      for (const outcome of [
        PERMANENT,
        { ...TEMPORARY, throttled: true },
        { ...TEMPORARY, uncounted: true },
        { ...TEMPORARY, link: 'down' } as const,
        { ...TEMPORARY, link: 'lost' } as const,
      ]) {
        const { gate, states } = gateOf(scriptedCarrier('c', () => outcome));
        for (let i = 0; i < 10; i++) await gate.submit(message);
        assert.deepEqual(states, []);
      }
    });

    test('a deadline that passed at the carrier is a failure', async () => {
      const { gate, states } = gateOf(scriptedCarrier('c', hang), { timeout: 5 });
      for (let i = 0; i < 3; i++) await gate.submit(message);
      assert.equal(states.at(-1), 'open');
    });

    test('a carrier that throws every time is not asked for ever', async () => {
      const carrier = scriptedCarrier('c', () => Promise.reject(new TypeError('a bug')));
      const { gate, states } = gateOf(carrier);
      for (let i = 0; i < 3; i++) await gate.submit(message);
      assert.equal(states.at(-1), 'open');
    });

    test('half open lets one through while the others go elsewhere; its success closes', async () => {
      const clock = createManualClock();
      const answers: ((outcome: Outcome) => void)[] = [];
      const carrier = scriptedCarrier('c', () => new Promise((resolve) => answers.push(resolve)));
      const { gate, states } = gateOf(carrier, { clock });
      const failures = [1, 2, 3].map(() => gate.submit(message));
      for (const answer of answers.splice(0)) answer(TEMPORARY);
      await Promise.all(failures);
      clock.pass(999);
      assert.deepEqual(gate.submit(message), PASSED_OPEN);
      clock.pass(1);
      const probe = gate.submit(message);
      assert.deepEqual(gate.submit(message), PASSED_OPEN);
      answers[0]?.(ACCEPTED);
      assert.deepEqual(await probe, ACCEPTED);
      assert.deepEqual(states, ['open', 'half-open', 'closed']);
    });

    test('a failure while half open opens it again for as long', async () => {
      const clock = createManualClock();
      const carrier = scriptedCarrier('c', () => TEMPORARY);
      const { gate, states } = gateOf(carrier, { clock });
      for (let i = 0; i < 3; i++) await gate.submit(message);
      clock.pass(1_000);
      assert.deepEqual(await gate.submit(message), TEMPORARY);
      assert.equal(states.at(-1), 'open');
      clock.pass(999);
      assert.deepEqual(gate.submit(message), PASSED_OPEN);
      clock.pass(1);
      assert.deepEqual(await gate.submit(message), TEMPORARY);
    });
  });

  suite('daily cap', () => {
    const capOf = (max: number) => {
      let used = 0;
      const quota = {
        takeQuota: async (_name: string, _day: number, _max: number, count: number) => {
          const got = Math.min(count, max - used);
          used += got;
          return got;
        },
        returnQuota: async () => {},
      };
      return new DailyCap(quota, 'c', max);
    };

    test('used up, the carrier is not asked', async () => {
      const carrier = scriptedCarrier('c', () => ACCEPTED);
      const { gate } = gateOf(carrier, { cap: capOf(2) });
      const results = await Promise.all([1, 2, 3].map(() => gate.submit(message)));
      const reached = { kind: 'passed', reason: 'daily cap reached' };
      assert.deepEqual(results, [ACCEPTED, ACCEPTED, reached]);
      assert.deepEqual(gate.submit(message), reached);
      assert.equal(carrier.submitted.length, 2);
    });

    test('what the carrier does not take gives its place back', async () => {
      const script = inTurn(TEMPORARY, PERMANENT, TEMPORARY, { kind: 'delivered' }, ACCEPTED);
      const { gate } = gateOf(scriptedCarrier('c', script), { cap: capOf(2) });
      const kinds = [];
      for (let i = 0; i < 6; i++) kinds.push((await gate.submit(message)).kind);
      assert.deepEqual(kinds, ['temporary', 'permanent', 'temporary', 'delivered', 'accepted', 'passed']);
    });

    test('what the carrier may have taken counts as taken', async () => {
      const crash = () => {
        throw new TypeError('a bug');
      };
      for (const script of [
        () => ({ ...TEMPORARY, unclear: true }),
        () => ({ ...TEMPORARY, link: 'lost' }) as const,
        hang,
        crash,
        () => Promise.reject(new TypeError('a bug')),
      ]) {
        const scripts = [script, inTurn(TEMPORARY), inTurn(ACCEPTED)];
        const carrier = scriptedCarrier('c', (...asked) => (scripts.shift() ?? crash)(...asked));
        const { gate } = gateOf(carrier, { cap: capOf(2), timeout: 20 });
        const kinds = [];
        for (let i = 0; i < 4; i++) kinds.push((await gate.submit(message)).kind);
        assert.deepEqual(kinds, ['temporary', 'temporary', 'accepted', 'passed']);
      }
    });

    test('a message that is not wanted, or past its time, gives its place back', async () => {
      const { gate } = gateOf(
        scriptedCarrier('c', () => ACCEPTED),
        { cap: capOf(1) },
      );
      assert.deepEqual(await gate.submit(message, false, false), { kind: 'passed', reason: 'not wanted' });
      assert.deepEqual(await gate.submit(message), ACCEPTED);
    });

    test('with the store away it is not asked either', async () => {
      const away = () => Promise.reject(new StoreUnavailable('away'));
      const carrier = scriptedCarrier('c', () => ACCEPTED);
      const cap = new DailyCap({ takeQuota: away, returnQuota: away }, 'c', 5);
      const { gate } = gateOf(carrier, { cap });
      assert.deepEqual(await gate.submit(message), { kind: 'passed', reason: 'store away' });
      assert.deepEqual(carrier.submitted, []);
    });
  });

  test('a throttled carrier is left alone for as long as it wishes', async () => {
    const clock = createManualClock();
    const throttled: Outcome = { ...TEMPORARY, throttled: true, retryAfterMs: 700 };
    const carrier = scriptedCarrier('c', inTurn(throttled, ACCEPTED));
    const { gate } = gateOf(carrier, { clock });
    assert.deepEqual(await gate.submit(message), throttled);
    clock.step(-3_600_000);
    clock.pass(699);
    assert.deepEqual(gate.submit(message), { kind: 'passed', reason: 'paused' });
    clock.pass(1);
    assert.deepEqual(await gate.submit(message), ACCEPTED);
  });

  test('a shorter wish of another answer under way does not end a longer one', async () => {
    const clock = createManualClock();
    const answers: ((outcome: Outcome) => void)[] = [];
    const carrier = scriptedCarrier('c', () => new Promise((resolve) => answers.push(resolve)));
    const { gate } = gateOf(carrier, { clock });
    const both = [gate.submit(message), gate.submit(messageWith({ id: 'b' }))];
    for (const [i, retryAfterMs] of [700, 300].entries()) {
      answers[i]?.({ ...TEMPORARY, throttled: true, retryAfterMs });
      await both[i];
    }
    clock.pass(699);
    assert.deepEqual(gate.submit(message), { kind: 'passed', reason: 'paused' });
  });

  test('a wish for one message leaves the others alone', async () => {
    const wish: Outcome = { ...TEMPORARY, retryAfterMs: 60_000 };
    const { gate } = gateOf(scriptedCarrier('c', inTurn(wish, ACCEPTED)));
    await gate.submit(message);
    assert.deepEqual(await gate.submit(message), ACCEPTED);
  });
});
