/** One round of a message over its carriers, in the chosen order, with immediate failover. */
import type { Charge } from '../core/budgets/budget.ts';
import { type Channel, isTimed } from '../core/destination/channel.ts';
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
  return new Round(message, choices, facts, ports, createdAt).goOn(0);
}

class Round {
  readonly #message: OutgoingMessage;
  readonly #choices: readonly Choice[];
  readonly #facts: RoundFacts;
  readonly #ports: RoundPorts;
  readonly #createdAt: number;
  readonly #laterChannel: Channel | null;
  readonly #attempts: Attempt[] = [];
  readonly #spent: string[];
  readonly #passed: string[] = [];
  readonly #outOfUse: Gate[] = [];
  /** How long those want to wait that answered. */
  readonly #wishes: { readonly gate: Gate; readonly ms: number }[] = [];
  readonly #charged: string[] = [];
  /** Who calls a busy telephone over another carrier calls the same telephone. */
  #calleeWait = 0;
  #full: Charge | undefined;
  #awaitsLink = false;
  #failed = false;

  constructor(
    message: OutgoingMessage,
    choices: readonly Choice[],
    facts: RoundFacts,
    ports: RoundPorts,
    createdAt: number,
  ) {
    this.#message = message;
    this.#choices = choices;
    this.#facts = facts;
    this.#ports = ports;
    this.#createdAt = createdAt;
    this.#laterChannel = channelAfterFirst(message);
    this.#spent = [...facts.spentCarriers];
  }

  /** Asks the next carrier that can be asked. */
  goOn(from: number): MaybePromise<RoundResult> {
    const [message, choices] = [this.#message, this.#choices];
    for (let at = from; ; at++) {
      const choice = choices[at];
      if (choice === undefined) break;
      const { gate, why } = choice;
      if (this.#isSpent(choice)) {
        this.#passed.push(`${gate.name} failed before`);
        continue;
      }
      const startedAt = this.#ports.clock.now();
      if (startedAt >= message.expiresAt || !this.#facts.wanted) break;
      const answer = gate.submit(
        isTimed(message.channel) ? this.#timed(startedAt) : message,
        this.#facts,
        () => this.#isTest || choices.slice(at + 1).some((later) => this.#isOpen(later)),
      );
      return andThen(answer, (come) => this.#heed(gate, why, startedAt, come) ?? this.goOn(at + 1));
    }
    const end = this.#endWith(this.#afterAll());
    return this.#full === undefined ? end : { ...end, full: this.#full };
  }

  /** Nobody waits for a carrier that is tested: what is in its way is the result. */
  get #isTest(): boolean {
    return this.#message.only !== undefined;
  }

  #endWith(next: NextStep): RoundResult {
    return { attempts: this.#attempts, next, charged: this.#charged };
  }

  /** With the end of its time, if it goes on by the next channel then. */
  #timed(now: number): OutgoingMessage {
    const message = this.#message;
    const replacedAt = timeOf(this.#ports.nextFallbackStep(message), message, now);
    return replacedAt === undefined ? message : { ...message, replacedAt };
  }

  #isOpen(choice: Choice): boolean {
    return choice.gate.admits(this.#message.channel) && !this.#isSpent(choice);
  }

  #isSpent({ gate }: Pick<Choice, 'gate'>): boolean {
    return this.#spent.includes(carrierOn(gate.name, this.#laterChannel));
  }

  /** Records what a carrier answered; returns the result if that ends the round. */
  #heed(gate: Gate, why: string | null, startedAt: number, answer: GateAnswer): RoundResult | undefined {
    if (isOutOfUse(answer) || this.#outlasts(wishedPause(answer))) this.#outOfUse.push(gate);
    if (answer.kind === 'passed') {
      if (answer.reason === ARRIVED) return STAYS;
      this.#full ??= answer.full;
      this.#passed.push(`${gate.name} ${answer.reason}`);
      this.#awaitsLink ||= answer.reason === NO_LINK;
      if (this.#isTest) {
        const outcome: Outcome = { kind: 'temporary', reason: `${NOT_ASKED}${answer.reason}` };
        this.#attempts.push(describe(this.#message, gate, startedAt, outcome, why, this.#ports));
      }
      return undefined;
    }
    if (!isNotTaken(answer)) this.#charged.push(carrierOn(gate.name, this.#laterChannel));
    const choice = why === null ? null : [why, ...this.#passed].join('; ');
    const outcome = this.#isTest ? tellUnclear(answer) : answer;
    this.#attempts.push(describe(this.#message, gate, startedAt, outcome, choice, this.#ports));
    switch (answer.kind) {
      case 'delivered':
        return this.#endWith({ kind: 'delivered', inbox: answer.inbox === true });
      case 'accepted': {
        // If no receipt follows, or no other carrier could send it, the sealed code is no longer needed and is deleted
        // at once.
        const others = this.#choices.some(
          (choice) => choice.gate.name !== gate.name && !this.#isSpent(choice),
        );
        const leg = this.#ports.nextFallbackStep(this.#message);
        const fallbackAt = timeOf(leg, this.#message, this.#ports.clock.now());
        const isReported = answer.receiptFollows === true && (others || leg !== undefined);
        return this.#endWith(
          fallbackAt === undefined
            ? { kind: 'submitted', failover: isReported }
            : { kind: 'submitted', failover: true, fallbackAt },
        );
      }
      case 'permanent':
        this.#spent.push(carrierOn(gate.name, this.#laterChannel));
        return undefined;
      case 'temporary':
        if (answer.link === undefined) this.#failed = true;
        else this.#awaitsLink = true;
        if (answer.uncounted) this.#calleeWait = Math.max(this.#calleeWait, answer.retryAfterMs ?? 0);
        else this.#wishes.push({ gate, ms: answer.retryAfterMs ?? 0 });
        return undefined;
    }
  }

  /** Whether the next channel has its turn before a pause is over, or the code is of no use then. */
  #outlasts(pauseMs: number): boolean {
    return (
      pauseMs > 0 &&
      this.#ports.clock.now() + pauseMs >= this.#goesOnAt(this.#ports.nextFallbackStep(this.#message))
    );
  }

  #goesOnAt(leg: NextFallbackStep | undefined): number {
    const at = leg?.patience === undefined ? this.#message.expiresAt : this.#createdAt + leg.patience;
    return Math.min(at, this.#message.expiresAt);
  }

  /** Until the first that may still take it wants to be asked. The gate holds back those that want to wait longer. */
  #wishedWait(): number {
    const left = this.#choices.filter((choice) => !this.#isSpent(choice));
    if (left.length === 0) return 0;
    const first = Math.min(
      ...left.map(({ gate }) => this.#wishes.find((wish) => wish.gate === gate)?.ms ?? 0),
    );
    return Math.ceil(Math.max(this.#calleeWait, first));
  }

  #afterAll(): NextStep {
    const now = this.#ports.clock.now();
    if (this.#isTest || now >= this.#message.expiresAt) return { kind: 'failed' };
    const leg = this.#ports.nextFallbackStep(this.#message);
    // Where none is configured another node may have one, before or after a change that reaches node after node.
    const isOver = this.#choices.length > 0 && this.#choices.every((choice) => this.#isSpent(choice));
    const isRefused = this.#choices.every(
      (choice) => this.#isSpent(choice) || this.#outOfUse.includes(choice.gate),
    );
    if (leg !== undefined && (isRefused || now >= this.#goesOnAt(leg)))
      return { kind: 'retry', dueAt: now, leg: leg.leg };
    if (isOver) return { kind: 'failed' };
    // A carrier knows when its link is up, so asking it soon costs nothing.
    const rounds = this.#awaitsLink && !this.#failed ? 0 : this.#facts.rounds;
    const dueAt = now + Math.max(this.#wishedWait(), backoff(rounds, this.#ports.random));
    return { kind: 'retry', dueAt: leg === undefined ? dueAt : Math.min(dueAt, this.#goesOnAt(leg)) };
  }
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
