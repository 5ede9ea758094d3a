/** The answer of a gate: the outcome at its carrier, or why the carrier was not asked. */
import type { Outcome } from '../../core/sending/carrier.ts';

/** The carrier was not asked; the reason in a few words. */
export interface Passed {
  readonly kind: 'passed';
  readonly reason:
    | typeof NO_LINK
    | typeof BREAKER_OPEN
    | 'paused'
    | 'daily cap reached'
    | typeof PLACES_TAKEN
    | 'store away'
    | 'not wanted'
    | 'stopping';
}

export type GateAnswer = Outcome | Passed;

/** Nothing has reached the carrier. The link comes back by itself, and then the message goes at once. */
export const NO_LINK = 'no link';
export const BREAKER_OPEN = 'breaker open';
export const PLACES_TAKEN = 'places taken';

export function pass(reason: Passed['reason']): Passed {
  return { kind: 'passed', reason };
}

/** The answer for an attempt whose wait was ended. */
export function unasked(reason: string): GateAnswer {
  if (reason === BREAKER_OPEN || reason === PLACES_TAKEN) return pass(reason);
  return { kind: 'temporary', reason };
}

/** Whether the carrier certainly did not take the message, so that it costs nothing. */
export function isNotTaken(result: GateAnswer): boolean {
  if (result.kind === 'temporary') return !result.unclear && result.link !== 'lost';
  return result.kind === 'passed' || (result.kind === 'permanent' && !result.unclear);
}
