/** Rounds of messages that may go on by another channel. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SYSTEM_CLOCK } from '../core/clock.ts';
import type { Outcome, OutgoingMessage } from '../core/sending/carrier.ts';
import type { NextLeg } from '../core/sending/legs.ts';
import { ACCEPTED, messageWith, OPEN_GATE, PERMANENT, scriptedCarrier, TEMPORARY } from './fixture.ts';
import { createGate } from './gate/gate.ts';
import { type RoundFacts, runRound } from './round.ts';

const AFTER = 20_000;
const NEXT: NextLeg = { leg: 1, after: AFTER, patience: AFTER };
const ON_REFUSAL: NextLeg = { leg: 1, after: undefined, patience: undefined };
const UNREPORTED: Outcome = { kind: 'accepted', reference: 'r1' };

interface Case {
  readonly outcomes: readonly Outcome[];
  readonly nextLeg?: NextLeg;
  readonly message?: Partial<OutgoingMessage>;
  readonly spentCarriers?: readonly string[];
  /** When it was asked for, in ms before now. */
  readonly age?: number;
}

async function run({ outcomes, nextLeg, message = {}, spentCarriers = [], age = 0 }: Case) {
  const choices = outcomes.map((outcome, index) => {
    const carrier = scriptedCarrier(`c${index}`, () => outcome);
    return { gate: createGate(carrier, OPEN_GATE, () => {}), why: null };
  });
  const facts: RoundFacts = { wanted: true, rounds: 0, spentCarriers };
  const now = Date.now();
  const clock = { ...SYSTEM_CLOCK, now: () => now };
  const ports = { clock, recipientTag: () => 'tag', costOf: () => 7, nextLeg: () => nextLeg };
  const result = await runRound(messageWith(message), choices, facts, ports, now - age);
  return { ...result, now };
}

suite('a round of a message that may go on', () => {
  test('what is taken keeps its code until its time, whether or not a receipt follows', async () => {
    for (const outcome of [ACCEPTED, UNREPORTED]) {
      const { next, now } = await run({ outcomes: [outcome], nextLeg: NEXT });
      assert.ok(next.kind === 'submitted' && next.failover && next.fallbackAt !== undefined);
      assert.equal(next.fallbackAt, now + AFTER);
    }
  });

  test('without a time it waits for a receipt, and without either it is over', async () => {
    const waits = await run({ outcomes: [ACCEPTED], nextLeg: ON_REFUSAL });
    assert.deepEqual(waits.next, { kind: 'submitted', failover: true });
    const ends = await run({ outcomes: [UNREPORTED], nextLeg: ON_REFUSAL });
    assert.deepEqual(ends.next, { kind: 'submitted', failover: false });
  });

  test('a time after the expiry is none', async () => {
    const message = { expiresAt: Date.now() + AFTER };
    const { next } = await run({ outcomes: [UNREPORTED], nextLeg: NEXT, message });
    assert.deepEqual(next, { kind: 'submitted', failover: false });
  });

  test('refused by every carrier it goes on at once', async () => {
    const { next } = await run({ outcomes: [PERMANENT, PERMANENT], nextLeg: ON_REFUSAL });
    assert.ok(next.kind === 'retry' && next.leg === 1 && next.dueAt <= Date.now());
    const spent = await run({ outcomes: [ACCEPTED], nextLeg: NEXT, spentCarriers: ['c0'] });
    assert.ok(spent.next.kind === 'retry' && spent.next.leg === 1);
    assert.deepEqual(spent.attempts, []);
  });

  test('after the last channel it has failed', async () => {
    assert.deepEqual((await run({ outcomes: [PERMANENT] })).next, { kind: 'failed' });
  });

  test('what nobody takes is tried again until the patience ends, and then goes on', async () => {
    const young = await run({ outcomes: [TEMPORARY], nextLeg: NEXT, age: AFTER - 100 });
    assert.ok(young.next.kind === 'retry' && young.next.leg === undefined);
    assert.ok(young.next.dueAt <= young.now + 100, 'no later than that');
    const old = await run({ outcomes: [TEMPORARY], nextLeg: NEXT, age: AFTER });
    assert.ok(old.next.kind === 'retry' && old.next.leg === 1);
    const patient = await run({ outcomes: [TEMPORARY], nextLeg: ON_REFUSAL, age: AFTER });
    assert.ok(patient.next.kind === 'retry' && patient.next.leg === undefined);
  });

  test('on a later channel carriers are spent and paid there, and attempts say which it was', async () => {
    const message = { channel: 'voice', fallback: { leg: 1, from: 'sms' } } as const;
    const { attempts, charged, next } = await run({
      outcomes: [PERMANENT, ACCEPTED],
      message,
      spentCarriers: ['c0', 'c1'],
    });
    assert.deepEqual(
      attempts.map(({ carrier, channel }) => [carrier, channel]),
      [
        ['c0', 'voice'],
        ['c1', 'voice'],
      ],
    );
    assert.deepEqual(charged, ['c1 voice']);
    assert.deepEqual(next, { kind: 'submitted', failover: false });
    const again = await run({ outcomes: [PERMANENT, ACCEPTED], message, spentCarriers: ['c0 voice'] });
    assert.equal(again.attempts.length, 1);
  });
});
