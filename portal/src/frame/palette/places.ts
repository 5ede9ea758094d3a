/** The places that the palette leads to, and which of them match what was typed. */
import { looksLikeNumber } from '../../format/number-like.ts';

export interface Place {
  readonly kind: 'Page' | 'Account' | 'Key' | 'Verification';
  readonly name: string;
  /** Also found by these words. */
  readonly words?: string;
  readonly to: string;
}

const VERIFICATION = /^ver_[0-9a-f]{32}$/;
const FEWEST_LETTERS = 2;

/** Those in whose words every typed word is, in their order. */
export function placesWith(text: string, places: readonly Place[]): Place[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return places.filter(({ kind, name, words = '' }) => {
    const known = `${kind} ${name} ${words}`.toLowerCase();
    return wanted.every((word) => known.includes(word));
  });
}

/** The id of a verification is typed or pasted whole. */
export const verificationIn = (text: string): string | undefined => {
  const id = text.trim().toLowerCase();
  return VERIFICATION.test(id) ? id : undefined;
};

/** What keys are searched for by. A phone number is never sent to search for a key. */
export function keyTextIn(text: string): string | undefined {
  const wanted = text.trim();
  const isOther = looksLikeNumber(wanted) || verificationIn(wanted) !== undefined;
  return wanted.length < FEWEST_LETTERS || isOther ? undefined : wanted.slice(0, 100);
}
