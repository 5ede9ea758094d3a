/** The answer of a gate: the outcome at its carrier, or why the carrier was not asked. */
import type { Charge } from '../../core/budgets/budget.ts';
import { OPERATORS_FAULT, type Outcome } from '../../core/sending/carrier.ts';

/** The carrier was not asked; the reason in a few words. */
export interface PassedOver {
  readonly kind: 'passed';
  readonly reason:
    | typeof NO_LINK
    | typeof BREAKER_OPEN
    | typeof PAUSED
    | typeof ARRIVED
    | typeof CAP_REACHED
    | typeof PLACES_TAKEN
    | typeof NO_ROOM
    | typeof NO_PRICE
    | 'store away'
    | 'not wanted'
    | 'stopping';
  /** The budget that has no room. */
  readonly full?: Charge;
  /** How much longer it wants a pause, in ms. */
  readonly pauseMs?: number;
}

export type GateAnswer = Outcome | PassedOver;

/** Nothing has reached the carrier. The link comes back by itself, and then the message goes at once. */
export const NO_LINK = 'no link';
export const BREAKER_OPEN = 'breaker open';
export const PAUSED = 'paused';
/** What went by an earlier channel was to be taken back, and is there: nothing more is to be sent. */
export const ARRIVED = 'arrived before';
export const CAP_REACHED = 'daily cap reached';
export const PLACES_TAKEN = 'places taken';
export const NO_ROOM = 'no room in a budget';
export const NO_PRICE = 'no price for a budget';

export function pass(reason: PassedOver['reason']): PassedOver {
  return { kind: 'passed', reason };
}

/** The answer for an attempt whose wait was ended. */
export function unasked(reason: string): GateAnswer {
  if (reason === BREAKER_OPEN || reason === PLACES_TAKEN) return pass(reason);
  return { kind: 'temporary', reason };
}

/**
 * Whether the carrier is of no use to anybody until something changes there: the operator has to act, it keeps failing, or its day is
 * used up. Waiting is no remedy, as it is for a link that comes back, or a carrier that wants fewer messages.
 */
export function isOutOfUse(answer: GateAnswer): boolean {
  if (answer.kind === 'passed') return answer.reason === BREAKER_OPEN || answer.reason === CAP_REACHED;
  return answer.kind === 'temporary' && answer.reason.startsWith(OPERATORS_FAULT);
}

/** For how long the carrier wants no messages at all, in ms, by its answer. */
export function wishedPause(answer: GateAnswer): number {
  if (answer.kind === 'passed') return answer.pauseMs ?? 0;
  return answer.kind === 'temporary' && answer.throttled ? (answer.retryAfterMs ?? 0) : 0;
}

/** Whether the carrier certainly did not take the message, so that it costs nothing. */
export function isNotTaken(result: GateAnswer): boolean {
  if (result.kind === 'temporary') return !result.unclear && result.link !== 'lost';
  return result.kind === 'passed' || (result.kind === 'permanent' && !result.unclear);
}
