/** A verification before it is written: its times, and what it may cost, depend on when that is. */
import type { Reservation } from '../budgets/budget.ts';
import { type Applying, reserve } from '../budgets/budgets.ts';
import { composeMessage, type MessageFacts, type MessageOptions } from '../message/message.ts';
import { beginLease, type Clock } from '../seams/clock.ts';
import { countUnits } from '../sending/prices.ts';
import { type About, type AskDeps, type AskRefusal, askAboutNumber } from './ask-about-number.ts';
import type { CodePolicy } from './code.ts';
import type { NewVerification } from './verification.ts';

/** `leasedSince` is steady time. */
export interface Draft {
  readonly verification: NewVerification;
  readonly leasedSince: number;
}

/** What a message may cost at most, of the budgets of that time. */
type ReserveAt = (at: number) => Reservation;

export function reserver(
  applying: Applying,
  messages: MessageOptions,
  facts: MessageFacts,
  text: string,
): ReserveAt {
  return (at) =>
    reserve(applying, countUnits(facts.channel, text), at, (later) =>
      countUnits(later, composeMessage(messages, { ...facts, channel: later }).text),
    );
}

interface Deps extends AskDeps {
  readonly clock: Pick<Clock, 'now' | 'steady'>;
  readonly code: CodePolicy;
  readonly lease: number;
}

/** Asks about the number, and tells what is to be written then, or why nothing is. */
export function askingFirst(
  deps: Deps,
  about: About,
  verification: NewVerification,
  reserveAt: ReserveAt | undefined,
): () => Promise<Draft | AskRefusal> {
  const { clock, code, lease } = deps;
  return async () => {
    const refusal = await askAboutNumber(deps, verification, about);
    if (refusal !== undefined) return refusal;
    const { since: leasedSince, now } = beginLease(clock);
    // A clock that was set back meanwhile must not make a code valid for longer.
    const times = now < verification.createdAt && {
      createdAt: now,
      expiresAt: now + code.validFor,
      reservation: reserveAt?.(now),
    };
    // Its lease begins when it is written.
    const leaseUntil = verification.leaseUntil === null ? null : now + lease;
    return { verification: { ...verification, ...times, leaseUntil }, leasedSince };
  };
}
