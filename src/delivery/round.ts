/** One round of a message over its carriers: failover at once, in the order that was chosen. */
import type { Outcome, OutgoingMessage } from '../core/carrier.ts';
import type { Attempt, NextStep } from '../core/delivery.ts';
import { backoff } from './backoff.ts';
import type { Gate, Wish } from './gate.ts';

export interface RoundFacts extends Wish {
  readonly rounds: number;
  readonly spentCarriers: readonly string[];
}

export interface RoundResult {
  readonly attempts: readonly Attempt[];
  readonly next: NextStep;
}

/** A carrier to be asked, and why in this place; null when there was no choice. */
export interface Choice {
  readonly gate: Gate;
  readonly why: string | null;
}

export interface RoundPorts {
  /** Hashes of the recipient that a receipt may name, the one under the current secret first. */
  readonly recipientTags: (address: string) => readonly [string, ...string[]];
  /** What a message costs at a carrier that takes it, in millionths of the currency. */
  readonly costOf: (carrier: string, message: OutgoingMessage) => number;
}

/** Ends early when the message is not wanted any more; what it says then of the queue, the queue ignores. */
export async function runRound(
  message: OutgoingMessage,
  choices: readonly Choice[],
  facts: RoundFacts,
  ports: RoundPorts,
): Promise<RoundResult> {
  const gates = choices.map(({ gate }) => gate);
  const attempts: Attempt[] = [];
  const spent = [...facts.spentCarriers];
  const passed: string[] = [];
  let wishedWait = 0;
  for (const { gate, why } of choices) {
    if (spent.includes(gate.name)) {
      passed.push(`${gate.name} failed before`);
      continue;
    }
    const startedAt = Date.now();
    if (startedAt >= message.expiresAt || !facts.wanted) break;
    const elsewhere = () =>
      gates.slice(gates.indexOf(gate) + 1).some(({ name, admits }) => admits && !spent.includes(name));
    const outcome = await gate.submit(message, facts, elsewhere);
    if (outcome.kind === 'passed') {
      passed.push(`${gate.name} ${outcome.reason}`);
      continue;
    }
    const choice = why === null ? null : [why, ...passed].join('; ');
    attempts.push(describe(message, gate.name, startedAt, outcome, choice, ports));
    switch (outcome.kind) {
      case 'delivered':
        return { attempts, next: { kind: 'delivered', inbox: outcome.inbox === true } };
      case 'accepted': {
        // Where no receipt follows, or nobody else could send it, the sealed code is of no more use and goes at once.
        const others = gates.some(({ name }) => name !== gate.name && !spent.includes(name));
        return { attempts, next: { kind: 'submitted', failover: others && outcome.receiptFollows === true } };
      }
      case 'permanent':
        spent.push(gate.name);
        break;
      case 'temporary':
        wishedWait = Math.max(wishedWait, outcome.retryAfterMs ?? 0);
    }
  }
  const over = Date.now() >= message.expiresAt || gates.every(({ name }) => spent.includes(name));
  if (over) return { attempts, next: { kind: 'failed' } };
  return {
    attempts,
    next: { kind: 'retry', dueAt: Date.now() + Math.max(Math.ceil(wishedWait), backoff(facts.rounds)) },
  };
}

function describe(
  message: OutgoingMessage,
  carrier: string,
  startedAt: number,
  outcome: Outcome,
  choice: string | null,
  { recipientTags, costOf }: RoundPorts,
): Attempt {
  const reference = outcome.kind === 'accepted' ? (outcome.reference ?? null) : null;
  const taken = outcome.kind === 'accepted' || outcome.kind === 'delivered';
  return {
    carrier,
    startedAt,
    endedAt: Date.now(),
    outcome: outcome.kind,
    reference,
    recipientTag: reference === null ? null : recipientTags(message.destination.address)[0],
    reason: 'reason' in outcome ? outcome.reason : null,
    choice,
    cost: taken ? costOf(carrier, message) : 0,
  };
}
