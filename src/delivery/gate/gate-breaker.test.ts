import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createManualClock } from '../../core/seams/clock-fixture.ts';
import type { Outcome } from '../../core/sending/carrier.ts';
import {
  ACCEPTED,
  gateOf,
  hang,
  inTurn,
  messageWith,
  PERMANENT,
  scriptedCarrier,
  settled,
  TEMPORARY,
} from '../fixture.ts';

const message = messageWith();
const PASSED_OPEN = { kind: 'passed', reason: 'breaker open' };

suite('gate: breaker', () => {
  test('sends away messages that wait for a place or a turn when it opens', async () => {
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

  test('leaves alone what is at the carrier when it opens, also if it had waited for its place', async () => {
    const answers: ((outcome: Outcome) => void)[] = [];
    const carrier = scriptedCarrier('c', () => new Promise((resolve) => answers.push(resolve)));
    const { gate, states } = gateOf(carrier, {
      concurrency: 2,
      breaker: { failures: 2, resetAfter: 60_000 },
    });
    const asked = [1, 2, 3].map(() => gate.submit(message));
    answers[0]?.(TEMPORARY);
    await asked[0];
    await settled();
    answers[1]?.(TEMPORARY);
    await asked[1];
    assert.deepEqual(states, ['open']);
    answers[2]?.(ACCEPTED);
    assert.deepEqual(await asked[2], ACCEPTED);
  });

  test('opens after the configured failures in a row, and skips the carrier', async () => {
    const carrier = scriptedCarrier('c', () => TEMPORARY);
    const { gate, states } = gateOf(carrier);
    for (let i = 0; i < 3; i++) assert.deepEqual(await gate.submit(message), TEMPORARY);
    assert.deepEqual(gate.submit(message), PASSED_OPEN);
    assert.equal(carrier.submitted.length, 3);
    assert.deepEqual(states, ['open']);
  });

  test('a success in between resets the count', async () => {
    const carrier = scriptedCarrier('c', inTurn(TEMPORARY, TEMPORARY, ACCEPTED, TEMPORARY, TEMPORARY));
    const { gate, states } = gateOf(carrier);
    for (let i = 0; i < 5; i++) await gate.submit(message);
    assert.deepEqual(states, []);
  });

  test('a permanent refusal, a request to slow down, or a busy telephone is not a failure', async () => {
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

  test('a carrier that always throws is not asked for ever', async () => {
    const carrier = scriptedCarrier('c', () => Promise.reject(new TypeError('a bug')));
    const { gate, states } = gateOf(carrier);
    for (let i = 0; i < 3; i++) await gate.submit(message);
    assert.equal(states.at(-1), 'open');
  });

  test('half open lets one message through while the others go elsewhere; its success closes the breaker', async () => {
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

  test('a failure while half open opens it again for the same time', async () => {
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
