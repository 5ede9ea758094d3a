/** Reads what a callback is signed with. */
import type { Callback } from '../../core/sending/carrier.ts';

/** A header that must be there exactly once; undefined if it is not. */
export function header({ headers }: Callback, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether a callback signed at this time, in Unix s, is recent enough not to be a replay. */
export function isFresh(seconds: string | undefined, toleranceS: number, now: number): boolean {
  if (seconds === undefined || !/^\d{1,12}$/.test(seconds)) return false;
  return Math.abs(now / 1_000 - Number(seconds)) <= toleranceS;
}
