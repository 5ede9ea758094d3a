/** Finds the code in what was typed, pasted or filled in. */
import { toAsciiDigits } from './digits.ts';

export interface CodeForm {
  readonly length: number;
  readonly alphabet: 'digits' | 'letters';
}

/**
 * The code in a text, which may be a whole message: `482 913`, `G-482913 is your code.`. If there is none, as much of one as
 * was typed until now.
 */
export function readCode(text: string, { length, alphabet }: CodeForm): string {
  const symbol = alphabet === 'digits' ? '[0-9]' : '[0-9A-Z]';
  const plain = toAsciiDigits(text);
  const bare = plain.replace(/[\s\p{Pd}\p{Cf}]/gu, '').toUpperCase();
  if (new RegExp(`^${symbol}{${length}}$`).test(bare)) return bare;
  const words = wordsOf(plain, `${symbol}{${length}}`);
  if (alphabet === 'letters') {
    // Other words may be as long. Hardly any has a digit, and few are in capitals.
    const found =
      words.find((word) => /[0-9]/.test(word)) ?? words.find((word) => word === word.toUpperCase());
    if (found !== undefined) return found.toUpperCase();
  } else {
    const [found] = [...words, ...wordsOf(plain, `${symbol}(?:[\\s-]?${symbol}){${length - 1}}`)];
    if (found !== undefined) return found.replace(/\D/g, '');
  }
  return bare.replace(new RegExp(`[^${symbol.slice(1, -1)}]`, 'g'), '').slice(0, length);
}

/** What matches and is no part of a longer word or number. */
const wordsOf = (text: string, pattern: string): readonly string[] =>
  text.match(new RegExp(`(?<![0-9A-Za-z])${pattern}(?![0-9A-Za-z])`, 'gi')) ?? [];
