/** How long what is known of a number counts. */
import { NUMBER } from '../parameters.ts';

/** Less of an unconfirmed code than this is none. */
export const TRACE = 0.1;

/** Whether a time, if there is one, is as near as the tries of one intent are. */
export function isWithin(since: number, now: number): boolean {
  return since !== 0 && now - since < NUMBER.sameWishFor;
}

export function faded(unconfirmed: number, age: number): number {
  if (unconfirmed === 0) return 0;
  return unconfirmed * 2 ** (-Math.max(0, age) / NUMBER.halfLife);
}

/** Whether so many unconfirmed codes, the last so long ago, keep other accounts away. */
export function isClaimed(unconfirmed: number, age: number): boolean {
  return unconfirmed >= TRACE && age < NUMBER.otherAccountFor * Math.max(1, unconfirmed);
}
