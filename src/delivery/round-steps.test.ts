/** Rounds of messages that may go on by another channel. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import { OPERATORS_FAULT, type Outcome, type OutgoingMessage } from '../core/sending/carrier.ts';
import { DailyCap } from '../core/sending/daily-cap.ts';
import type { NextFallbackStep } from '../core/sending/fallback-steps.ts';
import { ACCEPTED, messageWith, OPEN_GATE, PERMANENT, scriptedCarrier, TEMPORARY } from './fixture.ts';
import { createGate, type GateOptions } from './gate/gate.ts';
import { type RoundFacts, runRound } from './round.ts';

const AFTER = 20_000;
const NEXT: NextFallbackStep = { leg: 1, after: AFTER, patience: AFTER };
const ON_REFUSAL: NextFallbackStep = { leg: 1, after: undefined, patience: undefined };
const UNREPORTED: Outcome = { kind: 'accepted', reference: 'r1' };

interface Case {
  readonly outcomes: readonly Outcome[];
  readonly nextFallbackStep?: NextFallbackStep;
  readonly message?: Partial<OutgoingMessage>;
  readonly spentCarriers?: readonly string[];
  /** When it was asked for, in ms before now. */
  readonly age?: number;
  readonly gate?: Partial<GateOptions>;
  /** Rounds of other messages before. */
  readonly before?: number;
}

async function run({
  outcomes,
  nextFallbackStep,
  message = {},
  spentCarriers = [],
  age = 0,
  gate = {},
  before = 0,
}: Case) {
  /** When each message that a carrier was given is replaced. */
  const replaced: (number | undefined)[] = [];
  const choices = outcomes.map((outcome, index) => {
    const carrier = scriptedCarrier(`c${index}`, ({ replacedAt }) => {
      replaced.push(replacedAt);
      return outcome;
    });
    return { gate: createGate(carrier, { ...OPEN_GATE, ...gate }, () => {}), why: null };
  });
  const facts: RoundFacts = { wanted: true, rounds: 0, spentCarriers };
  const now = Date.now();
  const clock = { ...SYSTEM_CLOCK, now: () => now };
  const ports = {
    clock,
    random: SYSTEM_RANDOM,
    recipientTag: () => 'tag',
    costOf: () => 7,
    nextFallbackStep: () => nextFallbackStep,
  };
  for (let round = 0; round < before; round++) await runRound(messageWith({}), choices, facts, ports, now);
  const result = await runRound(messageWith(message), choices, facts, ports, now - age);
  return { ...result, now, replaced };
}

suite('a round of a message that may go on', () => {
  test('what is taken keeps its code until its time, whether or not a receipt follows', async () => {
    for (const outcome of [ACCEPTED, UNREPORTED]) {
      const { next, now } = await run({ outcomes: [outcome], nextFallbackStep: NEXT });
      assert.ok(next.kind === 'submitted' && next.failover && next.fallbackAt !== undefined);
      assert.equal(next.fallbackAt, now + AFTER);
    }
  });

  test('without a time it waits for a receipt, and without either it is over', async () => {
    const waits = await run({ outcomes: [ACCEPTED], nextFallbackStep: ON_REFUSAL });
    assert.deepEqual(waits.next, { kind: 'submitted', failover: true });
    const ends = await run({ outcomes: [UNREPORTED], nextFallbackStep: ON_REFUSAL });
    assert.deepEqual(ends.next, { kind: 'submitted', failover: false });
  });

  test('a carrier of RCS is told when the next channel has its turn, so that its message does not come after that', async () => {
    const outcomes = [TEMPORARY, ACCEPTED];
    const rcs = { channel: 'rcs' } as const;
    const timed = await run({ outcomes, nextFallbackStep: NEXT, message: rcs });
    assert.deepEqual(timed.replaced, [timed.now + AFTER, timed.now + AFTER]);
    for (const { nextFallbackStep, message } of [
      { nextFallbackStep: NEXT, message: {} },
      { nextFallbackStep: ON_REFUSAL, message: rcs },
      { nextFallbackStep: undefined, message: rcs },
      { nextFallbackStep: NEXT, message: { ...rcs, expiresAt: Date.now() + AFTER / 2 } },
    ]) {
      const { replaced } = await run({
        outcomes: [ACCEPTED],
        message,
        ...(nextFallbackStep && { nextFallbackStep }),
      });
      assert.deepEqual(replaced, [undefined]);
    }
  });

  test('a time after the expiry is none', async () => {
    const message = { expiresAt: Date.now() + AFTER };
    const { next } = await run({ outcomes: [UNREPORTED], nextFallbackStep: NEXT, message });
    assert.deepEqual(next, { kind: 'submitted', failover: false });
  });

  test('refused by every carrier it goes on at once', async () => {
    const { next } = await run({ outcomes: [PERMANENT, PERMANENT], nextFallbackStep: ON_REFUSAL });
    assert.ok(next.kind === 'retry' && next.leg === 1 && next.dueAt <= Date.now());
    const spent = await run({ outcomes: [ACCEPTED], nextFallbackStep: NEXT, spentCarriers: ['c0'] });
    assert.ok(spent.next.kind === 'retry' && spent.next.leg === 1);
    assert.deepEqual(spent.attempts, []);
  });

  test('after the last channel it has failed', async () => {
    assert.deepEqual((await run({ outcomes: [PERMANENT] })).next, { kind: 'failed' });
  });

  test('what nobody takes is tried again until the patience ends, and then goes on', async () => {
    const young = await run({ outcomes: [TEMPORARY], nextFallbackStep: NEXT, age: AFTER - 100 });
    assert.ok(young.next.kind === 'retry' && young.next.leg === undefined);
    assert.ok(young.next.dueAt <= young.now + 100, 'no later than that');
    const old = await run({ outcomes: [TEMPORARY], nextFallbackStep: NEXT, age: AFTER });
    assert.ok(old.next.kind === 'retry' && old.next.leg === 1);
    const patient = await run({ outcomes: [TEMPORARY], nextFallbackStep: ON_REFUSAL, age: AFTER });
    assert.ok(patient.next.kind === 'retry' && patient.next.leg === undefined);
  });

  test('while no carrier of the channel is of use it goes on at once, and the carriers are not spent', async () => {
    const unpaid: Outcome = { kind: 'temporary', reason: `${OPERATORS_FAULT}no credit` };
    const { next, attempts } = await run({ outcomes: [unpaid, PERMANENT], nextFallbackStep: ON_REFUSAL });
    assert.ok(next.kind === 'retry' && next.leg === 1 && next.dueAt <= Date.now());
    assert.deepEqual(
      attempts.map(({ outcome }) => outcome),
      ['temporary', 'permanent'],
    );
    const broken = { breaker: { failures: 1, resetAfter: 60_000 } };
    const failing = await run({
      outcomes: [TEMPORARY],
      nextFallbackStep: ON_REFUSAL,
      gate: broken,
      before: 1,
    });
    assert.ok(failing.next.kind === 'retry' && failing.next.leg === 1, 'the breaker is open');
    const none = { takeQuota: async () => 0, returnQuota: async () => {} };
    const usedUp = { cap: new DailyCap(none, 'c0', 1, SYSTEM_CLOCK) };
    const capped = await run({ outcomes: [ACCEPTED], nextFallbackStep: ON_REFUSAL, gate: usedUp });
    assert.ok(capped.next.kind === 'retry' && capped.next.leg === 1, 'the day is used up');

    const other = await run({ outcomes: [unpaid, TEMPORARY], nextFallbackStep: ON_REFUSAL });
    assert.ok(other.next.kind === 'retry' && other.next.leg === undefined, 'the second may take it soon');
    const last = await run({ outcomes: [unpaid] });
    assert.ok(last.next.kind === 'retry', 'the operator may mend it while the code is of use');
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
