/** One-time codes: unbiased to issue, forgiving to read. */
import { randomInt } from 'node:crypto';

export type Alphabet = 'digits' | 'letters';

export interface CodePolicy {
  readonly length: number;
  readonly alphabet: Alphabet;
  readonly validFor: number;
  readonly guesses: number;
}

const SYMBOLS: Record<Alphabet, string> = {
  digits: '0123456789',
  // Crockford's base 32: no I, L, O or U, so nothing is misread on a screen or misheard on a call.
  letters: '0123456789ABCDEFGHJKMNPQRSTVWXYZ',
};

/** Draws a code from a cryptographic generator, without modulo bias. */
export function drawCode({ length, alphabet }: CodePolicy): string {
  const symbols = SYMBOLS[alphabet];
  let code = '';
  for (let i = 0; i < length; i++) code += symbols[randomInt(symbols.length)];
  return code;
}

/**
 * A code as a person typed it, in the one spelling that is compared: NFKC (full-width forms), digits of other
 * scripts as ASCII, spaces, hyphens and invisible marks dropped, upper case, and Crockford's look-alikes folded.
 */
export function normalizeCode(input: string, alphabet: Alphabet): string {
  let code = input;
  if (!/^[0-9A-Z]*$/.test(code)) {
    code = code
      .normalize('NFKC')
      .replace(/\p{Nd}/gu, asciiDigit)
      .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
      .toUpperCase();
  }
  return alphabet === 'letters' ? code.replace(/[IL]/g, '1').replaceAll('O', '0') : code;
}

/** Unicode encodes decimal digits in runs of ten, ascending (Standard, section 4.6); some scripts' runs adjoin. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before++;
  return String(before % 10);
}
