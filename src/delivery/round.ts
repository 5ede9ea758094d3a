/** One round of a message over its carriers: failover at once, in the order of the route. */
import type { Outcome, OutgoingMessage } from '../core/carrier.ts';
import type { Attempt, NextStep } from '../core/delivery.ts';
import { backoff } from './backoff.ts';
import type { Gate } from './gate.ts';

export interface RoundFacts {
  readonly rounds: number;
  readonly spentCarriers: readonly string[];
}

export interface RoundResult {
  readonly attempts: readonly Attempt[];
  readonly next: NextStep;
}

/** Ends early when the message is not wanted any more; what it says then of the queue, the queue ignores. */
export async function runRound(
  message: OutgoingMessage,
  gates: readonly Gate[],
  { rounds, spentCarriers }: RoundFacts,
  recipientTag: (message: OutgoingMessage) => string,
  isWanted: () => boolean,
): Promise<RoundResult> {
  const attempts: Attempt[] = [];
  const spent = [...spentCarriers];
  let wishedWait = 0;
  for (const [index, gate] of gates.entries()) {
    if (spent.includes(gate.name)) continue;
    const startedAt = Date.now();
    if (startedAt >= message.expiresAt || !isWanted()) break;
    const elsewhere = () =>
      gates.slice(index + 1).some(({ name, admits }) => admits && !spent.includes(name));
    const outcome = await gate.submit(message, isWanted, elsewhere);
    if (outcome === undefined) continue;
    attempts.push(describe(gate.name, startedAt, outcome, () => recipientTag(message)));
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
    next: { kind: 'retry', dueAt: Date.now() + Math.max(Math.ceil(wishedWait), backoff(rounds)) },
  };
}

function describe(carrier: string, startedAt: number, outcome: Outcome, tag: () => string): Attempt {
  const reference = outcome.kind === 'accepted' ? (outcome.reference ?? null) : null;
  return {
    carrier,
    startedAt,
    endedAt: Date.now(),
    outcome: outcome.kind,
    reference,
    recipientTag: reference === null ? null : tag(),
    reason: 'reason' in outcome ? outcome.reason : null,
  };
}
