/** What a carrier does on one channel says nothing about the others, unless they share its link. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Carrier, Outcome } from '../../core/sending/carrier.ts';
import {
  ACCEPTED,
  gateOf,
  messageWith,
  OPEN_GATE,
  type ScriptedCarrier,
  scriptedCarrier,
  settled,
  TEMPORARY,
} from '../fixture.ts';
import { createGate } from './gate.ts';

/** With one place. */
const narrow = (carrier: Carrier) => createGate(carrier, { ...OPEN_GATE, concurrency: 1 }, () => {});
const [SMS, RCS] = [messageWith(), messageWith({ channel: 'rcs' })];
const OPEN = { kind: 'passed', reason: 'breaker open' };
const once = { breaker: { failures: 1, resetAfter: 60_000 } };
const failing = (outcome: Outcome) =>
  scriptedCarrier('c', ({ channel }) => (channel === 'rcs' ? outcome : ACCEPTED));
const linked = (carrier: ScriptedCarrier) => ({ ...carrier, link: { trouble: undefined, watch: () => {} } });

suite('gate: channels', () => {
  test('the breaker of one leaves the others open', async () => {
    const { gate } = gateOf(failing(TEMPORARY), once);
    await gate.submit(RCS);
    assert.deepEqual([await gate.submit(RCS), await gate.submit(SMS)], [OPEN, ACCEPTED]);
  });

  test('a pause on one is none on the others', async () => {
    const { gate } = gateOf(failing({ ...TEMPORARY, throttled: true, retryAfterMs: 60_000 }), once);
    await gate.submit(RCS);
    assert.deepEqual([(await gate.submit(RCS)).kind, await gate.submit(SMS)], ['passed', ACCEPTED]);
  });

  test('over a link, all have one breaker', async () => {
    const { gate } = gateOf(linked(failing(TEMPORARY)), once);
    await gate.submit(RCS);
    assert.deepEqual(await gate.submit(SMS), OPEN);
  });

  test('those that wait for a place are sent away if their own channel fails', async () => {
    const answers: ((outcome: Outcome) => void)[] = [];
    const carrier = scriptedCarrier('c', () => new Promise((resolve) => answers.push(resolve)));
    const { gate } = gateOf(carrier, { ...once, concurrency: 2 });
    const atIt = [gate.submit(RCS), gate.submit(SMS)];
    const waiting = [gate.submit(RCS), gate.submit(SMS)];
    answers[0]?.(TEMPORARY);
    await atIt[0];
    assert.deepEqual(await waiting[0], OPEN);
    answers[1]?.(ACCEPTED);
    await atIt[1];
    answers[2]?.(ACCEPTED);
    assert.deepEqual(await waiting[1], ACCEPTED);
  });

  test('taking back holds up nobody, and the message has a place of its own when it goes', async () => {
    const answers: ((outcome: Outcome) => void)[] = [];
    const carrier = scriptedCarrier('c', () => new Promise((resolve) => answers.push(resolve)));
    const gate = narrow(carrier);
    const takingBack = Promise.withResolvers<boolean>();
    const after = gate.submit(SMS, { wanted: true, takeBack: () => takingBack.promise }, () => false);
    const meanwhile = gate.submit(SMS, { wanted: true }, () => false);
    await settled();
    assert.equal(answers.length, 1);
    takingBack.resolve(false);
    await settled();
    assert.equal(answers.length, 1, 'one place');
    answers[0]?.(ACCEPTED);
    assert.deepEqual(await meanwhile, ACCEPTED);
    await settled();
    answers[1]?.(ACCEPTED);
    assert.deepEqual(await after, ACCEPTED);
  });

  test('the worst of them is told for the carrier, and each that fails', async () => {
    let outcome: Outcome = TEMPORARY;
    const carrier = scriptedCarrier('c', ({ channel }) => (channel === 'rcs' ? TEMPORARY : outcome));
    const { gate, states, reasons } = gateOf(carrier, { breaker: { failures: 1, resetAfter: 0 } });
    await gate.submit(RCS);
    assert.deepEqual(states.splice(0), ['open']);
    await gate.submit(SMS);
    assert.deepEqual([states.splice(0), reasons.length], [['open'], 2]);
    outcome = ACCEPTED;
    await gate.submit(SMS);
    assert.deepEqual(states.splice(0), [], 'RCS is as bad as before');
    await gate.submit(RCS);
    assert.deepEqual(states.splice(0), ['half-open', 'open']);
  });
});
