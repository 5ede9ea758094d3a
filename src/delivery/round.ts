/** One round of a message over its carriers, in the chosen order, with immediate failover. */
import type { Clock } from '../core/clock.ts';
import { NOT_ASKED, type Outcome, type OutgoingMessage, UNCLEAR } from '../core/sending/carrier.ts';
import type { Attempt, NextStep } from '../core/sending/delivery.ts';
import { backoff } from './backoff.ts';
import type { Wish } from './gate/asker.ts';
import type { Gate } from './gate/gate.ts';
import { type GateAnswer, isNotTaken, NO_LINK } from './gate/gate-answer.ts';
import { andThen, type Soon } from './soon.ts';

export interface RoundFacts extends Wish {
  readonly rounds: number;
  readonly spentCarriers: readonly string[];
}

export interface RoundResult {
  readonly attempts: readonly Attempt[];
  readonly next: NextStep;
  /** Carriers that took the message, or may have. */
  readonly charged: readonly string[];
}

/** A carrier to ask, and why in this place; null if there was no choice. */
export interface Choice {
  readonly gate: Gate;
  readonly why: string | null;
}

export interface RoundPorts {
  readonly clock: Clock;
  /** Hash of the recipient that a receipt may name, under the current secret. */
  readonly recipientTag: (address: string) => string;
  /** What a message costs at a carrier, in millionths of the currency. */
  readonly costOf: (carrier: string, message: OutgoingMessage) => number;
}

/**
 * Ends early if the message is no longer wanted; the queue then ignores the next step. Returns at once if every carrier
 * answered at once.
 */
export function runRound(
  message: OutgoingMessage,
  choices: readonly Choice[],
  facts: RoundFacts,
  ports: RoundPorts,
): Soon<RoundResult> {
  const { clock } = ports;
  const attempts: Attempt[] = [];
  const spent = [...facts.spentCarriers];
  const passed: string[] = [];
  const charged: string[] = [];
  let wishedWait = 0;
  let awaitsLink = false;
  let failed = false;
  // Nobody waits for a carrier that is tested: what is in its way is the result.
  const isTest = message.only !== undefined;

  /** Asks the next carrier that can be asked. */
  function goOn(from: number): Soon<RoundResult> {
    for (const [offset, { gate, why }] of choices.slice(from).entries()) {
      if (spent.includes(gate.name)) {
        passed.push(`${gate.name} failed before`);
        continue;
      }
      const startedAt = clock.now();
      if (startedAt >= message.expiresAt || !facts.wanted) break;
      const next = from + offset + 1;
      const answer = gate.submit(message, facts, () => isTest || choices.slice(next).some(isOpen));
      return andThen(answer, (come) => heed(gate, why, startedAt, come) ?? goOn(next));
    }
    return { attempts, next: afterAll(), charged };
  }

  function isOpen({ gate }: Choice): boolean {
    return gate.admits && !spent.includes(gate.name);
  }

  /** Records what a carrier answered; returns the result if that ends the round. */
  function heed(
    gate: Gate,
    why: string | null,
    startedAt: number,
    answer: GateAnswer,
  ): RoundResult | undefined {
    if (answer.kind === 'passed') {
      passed.push(`${gate.name} ${answer.reason}`);
      awaitsLink ||= answer.reason === NO_LINK;
      if (isTest) {
        const outcome: Outcome = { kind: 'temporary', reason: `${NOT_ASKED}${answer.reason}` };
        attempts.push(describe(message, gate.name, startedAt, outcome, why, ports));
      }
      return undefined;
    }
    if (!isNotTaken(answer)) charged.push(gate.name);
    const choice = why === null ? null : [why, ...passed].join('; ');
    const outcome = isTest ? tellUnclear(answer) : answer;
    attempts.push(describe(message, gate.name, startedAt, outcome, choice, ports));
    switch (answer.kind) {
      case 'delivered':
        return { attempts, next: { kind: 'delivered', inbox: answer.inbox === true }, charged };
      case 'accepted': {
        // If no receipt follows, or no other carrier could send it, the sealed code is no longer needed and is deleted
        // at once.
        const others = choices.some(({ gate: { name } }) => name !== gate.name && !spent.includes(name));
        const failover = others && answer.receiptFollows === true;
        return { attempts, next: { kind: 'submitted', failover }, charged };
      }
      case 'permanent':
        spent.push(gate.name);
        return undefined;
      case 'temporary':
        if (answer.link === undefined) failed = true;
        else awaitsLink = true;
        wishedWait = Math.max(wishedWait, answer.retryAfterMs ?? 0);
        return undefined;
    }
  }

  function afterAll(): NextStep {
    const now = clock.now();
    const over = isTest || now >= message.expiresAt || choices.every(({ gate }) => spent.includes(gate.name));
    if (over) return { kind: 'failed' };
    // A carrier knows when its link is up, so asking it soon costs nothing.
    const rounds = awaitsLink && !failed ? 0 : facts.rounds;
    return { kind: 'retry', dueAt: now + Math.max(Math.ceil(wishedWait), backoff(rounds)) };
  }

  return goOn(0);
}

/** The queue sends again what is unclear. Whoever tests a carrier wants to know. */
function tellUnclear(outcome: Outcome): Outcome {
  if (!('reason' in outcome) || isNotTaken(outcome)) return outcome;
  return { ...outcome, reason: `${outcome.reason}${UNCLEAR}` };
}

function describe(
  message: OutgoingMessage,
  carrier: string,
  startedAt: number,
  outcome: Outcome,
  choice: string | null,
  { clock, recipientTag, costOf }: RoundPorts,
): Attempt {
  const reference = outcome.kind === 'accepted' ? (outcome.reference ?? null) : null;
  const taken = outcome.kind === 'accepted' || outcome.kind === 'delivered';
  return {
    carrier,
    startedAt,
    endedAt: clock.now(),
    outcome: outcome.kind,
    reference,
    recipientTag: reference === null ? null : recipientTag(message.destination.address),
    reason: 'reason' in outcome ? outcome.reason : null,
    choice,
    cost: taken ? costOf(carrier, message) : 0,
  };
}
