/** How each node sees each look-up. It is kept with how it sees its carriers, for doctor and the portal, which may run elsewhere. */
import {
  type CarrierError,
  type CarrierState,
  isOperatorsFault,
  isRecent,
  STANDS_MS,
} from '../sending/carrier-state.ts';

/** Among those of carriers: no carrier's name has a space. */
export const stateNameOf = (lookup: string): string => `look-up ${lookup}`;

/** What becomes of a question: undefined if it is answered. */
export type LookupTold = (lookup: string, failure: CarrierError | undefined) => void;

/** What stands of earlier failures after an answer: what the operator must put right may concern other questions. */
export const afterAnswer = (before: CarrierError | null, now: number): CarrierError | null =>
  before !== null && isOperatorsFault(before, now) ? before : null;

/** Why there was no answer lately, by node; empty if there was one since. */
export function failuresOf(
  states: readonly CarrierState[],
  lookup: string,
  now: number,
): readonly (CarrierError & Pick<CarrierState, 'node'>)[] {
  return states.flatMap(({ node, carrier, lastError }) =>
    carrier === stateNameOf(lookup) && lastError !== null && isRecent(lastError, now, STANDS_MS)
      ? [{ node, ...lastError }]
      : [],
  );
}
