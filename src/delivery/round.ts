/** One round of a message over its carriers, in the chosen order, with immediate failover. */
import type { Charge } from '../core/budgets/budget.ts';
import { isTimed } from '../core/destination/channel.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Random } from '../core/seams/random.ts';
import { NOT_ASKED, type Outcome, type OutgoingMessage, UNCLEAR } from '../core/sending/carrier.ts';
import { carrierOn } from '../core/sending/carrier-on.ts';
import type { Attempt, NextStep } from '../core/sending/delivery.ts';
import type { NextFallbackStep } from '../core/sending/fallback-steps.ts';
import { backoff } from './backoff.ts';
import type { StillWanted } from './gate/cutoff.ts';
import type { Gate } from './gate/gate.ts';
import {
  ARRIVED,
  type GateAnswer,
  isNotTaken,
  isOutOfUse,
  NO_LINK,
  wishedPause,
} from './gate/gate-answer.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';

export interface RoundFacts extends StillWanted {
  readonly rounds: number;
  /** As `carrierOn` names them. */
  readonly spentCarriers: readonly string[];
}

export interface RoundResult {
  readonly attempts: readonly Attempt[];
  readonly next: NextStep;
  /** Carriers, as `carrierOn` names them, that took the message, or may have. */
  readonly charged: readonly string[];
  /** The budget that had no room for the message, if no carrier took it. */
  readonly full?: Charge;
}

/** What became of a message that is not sent again: it waits for the receipt of what was. */
export const STAYS: RoundResult = { attempts: [], next: { kind: 'submitted', failover: true }, charged: [] };

/** A carrier to ask, and why in this place; null if there was no choice. */
export interface Choice {
  readonly gate: Gate;
  readonly why: string | null;
}

export interface RoundPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Hash of the recipient that a receipt may name, under the current secret. */
  readonly recipientTag: (address: string) => string;
  /** What a message costs at a carrier, in millionths of the currency. */
  readonly costOf: (carrier: string, message: OutgoingMessage) => number;
  /** The channel that the message goes by if this one does not reach. */
  readonly nextFallbackStep: (message: OutgoingMessage) => NextFallbackStep | undefined;
}

/**
 * A round goes over the carriers of one channel. The next channel has a round of its own, under another lease, so that each message
 * goes on exactly once, whatever happens to this node.
 *
 * Ends early if the message is no longer wanted; the queue then ignores the next step. Returns at once if every carrier
 * answered at once.
 */
export function runRound(
  message: OutgoingMessage,
  choices: readonly Choice[],
  facts: RoundFacts,
  ports: RoundPorts,
  createdAt: number,
): MaybePromise<RoundResult> {
  const { clock } = ports;
  const laterChannel = channelAfterFirst(message);
  const attempts: Attempt[] = [];
  const spent = [...facts.spentCarriers];
  const passed: string[] = [];
  const outOfUse: Gate[] = [];
  /** How long those want to wait that answered. */
  const wishes: { readonly gate: Gate; readonly ms: number }[] = [];
  const charged: string[] = [];
  /** Who calls a busy telephone over another carrier calls the same telephone. */
  let calleeWait = 0;
  let full: Charge | undefined;
  let awaitsLink = false;
  let failed = false;
  // Nobody waits for a carrier that is tested: what is in its way is the result.
  const isTest = message.only !== undefined;

  /** Asks the next carrier that can be asked. */
  function goOn(from: number): MaybePromise<RoundResult> {
    for (const [offset, { gate, why }] of choices.slice(from).entries()) {
      if (isSpent({ gate })) {
        passed.push(`${gate.name} failed before`);
        continue;
      }
      const startedAt = clock.now();
      if (startedAt >= message.expiresAt || !facts.wanted) break;
      const next = from + offset + 1;
      const answer = gate.submit(
        isTimed(message.channel) ? timed(startedAt) : message,
        facts,
        () => isTest || choices.slice(next).some(isOpen),
      );
      return andThen(answer, (come) => heed(gate, why, startedAt, come) ?? goOn(next));
    }
    return { attempts, next: afterAll(), charged, ...(full && { full }) };
  }

  /** With the end of its time, if it goes on by the next channel then. */
  function timed(now: number): OutgoingMessage {
    const replacedAt = timeOf(ports.nextFallbackStep(message), message, now);
    return replacedAt === undefined ? message : { ...message, replacedAt };
  }

  function isOpen(choice: Choice): boolean {
    return choice.gate.admits(message.channel) && !isSpent(choice);
  }

  function isSpent({ gate }: Pick<Choice, 'gate'>): boolean {
    return spent.includes(carrierOn(gate.name, laterChannel));
  }

  /** Records what a carrier answered; returns the result if that ends the round. */
  function heed(
    gate: Gate,
    why: string | null,
    startedAt: number,
    answer: GateAnswer,
  ): RoundResult | undefined {
    if (isOutOfUse(answer) || outlasts(wishedPause(answer))) outOfUse.push(gate);
    if (answer.kind === 'passed') {
      if (answer.reason === ARRIVED) return STAYS;
      full ??= answer.full;
      passed.push(`${gate.name} ${answer.reason}`);
      awaitsLink ||= answer.reason === NO_LINK;
      if (isTest) {
        const outcome: Outcome = { kind: 'temporary', reason: `${NOT_ASKED}${answer.reason}` };
        attempts.push(describe(message, gate, startedAt, outcome, why, ports));
      }
      return undefined;
    }
    if (!isNotTaken(answer)) charged.push(carrierOn(gate.name, laterChannel));
    const choice = why === null ? null : [why, ...passed].join('; ');
    const outcome = isTest ? tellUnclear(answer) : answer;
    attempts.push(describe(message, gate, startedAt, outcome, choice, ports));
    switch (answer.kind) {
      case 'delivered':
        return { attempts, next: { kind: 'delivered', inbox: answer.inbox === true }, charged };
      case 'accepted': {
        // If no receipt follows, or no other carrier could send it, the sealed code is no longer needed and is deleted
        // at once.
        const others = choices.some((choice) => choice.gate.name !== gate.name && !isSpent(choice));
        const leg = ports.nextFallbackStep(message);
        const fallbackAt = timeOf(leg, message, clock.now());
        const isReported = answer.receiptFollows === true && (others || leg !== undefined);
        if (fallbackAt === undefined)
          return { attempts, next: { kind: 'submitted', failover: isReported }, charged };
        return { attempts, next: { kind: 'submitted', failover: true, fallbackAt }, charged };
      }
      case 'permanent':
        spent.push(carrierOn(gate.name, laterChannel));
        return undefined;
      case 'temporary':
        if (answer.link === undefined) failed = true;
        else awaitsLink = true;
        if (answer.uncounted) calleeWait = Math.max(calleeWait, answer.retryAfterMs ?? 0);
        else wishes.push({ gate, ms: answer.retryAfterMs ?? 0 });
        return undefined;
    }
  }

  /** Whether the next channel has its turn before a pause is over, or the code is of no use then. */
  function outlasts(pauseMs: number): boolean {
    return pauseMs > 0 && clock.now() + pauseMs >= goesOnAt(ports.nextFallbackStep(message));
  }

  function goesOnAt(leg: NextFallbackStep | undefined): number {
    const at = leg?.patience === undefined ? message.expiresAt : createdAt + leg.patience;
    return Math.min(at, message.expiresAt);
  }

  /** Until the first that may still take it wants to be asked. The gate holds back those that want to wait longer. */
  function wishedWait(): number {
    const left = choices.filter((choice) => !isSpent(choice));
    if (left.length === 0) return 0;
    const first = Math.min(...left.map(({ gate }) => wishes.find((wish) => wish.gate === gate)?.ms ?? 0));
    return Math.ceil(Math.max(calleeWait, first));
  }

  function afterAll(): NextStep {
    const now = clock.now();
    if (isTest || now >= message.expiresAt) return { kind: 'failed' };
    const leg = ports.nextFallbackStep(message);
    // Where none is configured another node may have one, before or after a change that reaches node after node.
    const isOver = choices.length > 0 && choices.every(isSpent);
    const isRefused = choices.every((choice) => isSpent(choice) || outOfUse.includes(choice.gate));
    if (leg !== undefined && (isRefused || now >= goesOnAt(leg)))
      return { kind: 'retry', dueAt: now, leg: leg.leg };
    if (isOver) return { kind: 'failed' };
    // A carrier knows when its link is up, so asking it soon costs nothing.
    const rounds = awaitsLink && !failed ? 0 : facts.rounds;
    const dueAt = now + Math.max(wishedWait(), backoff(rounds, ports.random));
    return { kind: 'retry', dueAt: leg === undefined ? dueAt : Math.min(dueAt, goesOnAt(leg)) };
  }

  return goOn(0);
}

/** What becomes of a message for which the day of its channel's route has no place: the next channel takes its turn, if there is one. */
export function withoutPlace(
  message: OutgoingMessage,
  { clock, nextFallbackStep }: Pick<RoundPorts, 'clock' | 'nextFallbackStep'>,
): RoundResult {
  const now = clock.now();
  const step = now < message.expiresAt ? nextFallbackStep(message) : undefined;
  const next: NextStep =
    step === undefined ? { kind: 'failed' } : { kind: 'retry', dueAt: now, leg: step.leg };
  return { attempts: [], next, charged: [] };
}

const channelAfterFirst = ({ fallback, channel }: OutgoingMessage) =>
  fallback === undefined ? null : channel;

/** When a message that is taken now goes on by the next channel; undefined if not while its code is of use. */
function timeOf(
  leg: NextFallbackStep | undefined,
  { expiresAt }: OutgoingMessage,
  now: number,
): number | undefined {
  const at = leg?.after === undefined ? expiresAt : now + leg.after;
  return at < expiresAt ? at : undefined;
}

/** The queue sends again what is unclear. Whoever tests a carrier wants to know. */
function tellUnclear(outcome: Outcome): Outcome {
  if (!('reason' in outcome) || isNotTaken(outcome)) return outcome;
  return { ...outcome, reason: `${outcome.reason}${UNCLEAR}` };
}

function describe(
  message: OutgoingMessage,
  { name: carrier, silent }: Gate,
  startedAt: number,
  outcome: Outcome,
  choice: string | null,
  { clock, recipientTag, costOf }: RoundPorts,
): Attempt {
  const accepted = outcome.kind === 'accepted';
  const taken = accepted || outcome.kind === 'delivered';
  const endedAt = clock.now();
  return {
    carrier,
    channel: channelAfterFirst(message),
    // A clock may be set back while a carrier is asked.
    startedAt: Math.min(startedAt, endedAt),
    endedAt,
    outcome: outcome.kind,
    reference: accepted ? (outcome.reference ?? null) : null,
    // Also without a reference, and so without receipts: whoever got it may answer. Kept only where they can: its index costs a page.
    recipientTag: accepted && !silent ? recipientTag(message.destination.address) : null,
    reason: 'reason' in outcome ? outcome.reason : null,
    choice,
    cost: taken ? costOf(carrier, message) : 0,
  };
}
