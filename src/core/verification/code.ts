/** One-time codes: drawn without bias, read with tolerance. */

import type { Random } from '../seams/random.ts';
import { toAsciiDigits } from '../text/ascii-digits.ts';
import { withoutUnseen } from '../text/unseen.ts';

export type Alphabet = 'digits' | 'letters';

export interface CodePolicy {
  readonly length: number;
  readonly alphabet: Alphabet;
  readonly validFor: number;
  readonly guesses: number;
}

/** The shortest and the longest code that can be configured, asked for or brought. */
export const LENGTHS = [4, 10] as const;

export const SYMBOLS: Readonly<Record<Alphabet, string>> = {
  digits: '0123456789',
  // Crockford's base 32: without I, L, O and U, nothing is misread on a screen or misheard on a call.
  letters: '0123456789ABCDEFGHJKMNPQRSTVWXYZ',
};

/** Without modulo bias: each symbol is drawn on its own. */
export function drawCode(
  { below }: Random,
  { length: usual, alphabet }: Pick<CodePolicy, 'length' | 'alphabet'>,
  length = usual,
): string {
  const symbols = SYMBOLS[alphabet];
  let code = '';
  for (let i = 0; i < length; i++) code += symbols[below(symbols.length)];
  return code;
}

/**
 * The canonical form of a typed code: NFKC (for full-width forms), digits of other scripts as ASCII, no spaces, hyphens or
 * invisible marks, upper case, and Crockford's look-alikes replaced.
 */
export function normalizeCode(input: string, alphabet: Alphabet): string {
  let code = input;
  if (!/^[0-9A-Z]*$/.test(code)) {
    code = toAsciiDigits(withoutUnseen(code).normalize('NFKC'))
      .replace(/[\s\p{Pd}]/gu, '')
      .toUpperCase();
  }
  return alphabet === 'letters' ? code.replace(/[IL]/g, '1').replaceAll('O', '0') : code;
}
