/** Which passwords are taken. Length is what counts; those that are guessed first are refused (NIST SP 800-63B). */
import { COMMON_WORDS } from './common-words.ts';

const MIN = 12;
const MAX = 256;
/** Letters that digits and signs are put for. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const ROWS = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn',
];
/** What must be left of a password once all that is guessed first is taken out of it. */
const SUBSTANCE = 4;

/** What is wrong with a password for the person of that address; undefined when nothing is. */
export function passwordFault(password: string, email: string): string | undefined {
  const normal = password.normalize('NFKC');
  if (normal.length < MIN) return `must be at least ${MIN} characters`;
  if (normal.length > MAX) return `must be at most ${MAX} characters`;
  const lower = normal.toLowerCase();
  const [local = ''] = email.toLowerCase().split('@');
  if (local.length >= 3 && lower.includes(local)) return 'must not contain your address';
  if (isCommon(lower)) return 'is among the first that are guessed; put several words together';
  return undefined;
}

/**
 * Lists of leaked passwords hold, of this length, little but common words and rows of keys with digits and signs around
 * them, or one piece again and again. So these are taken out, and something must be left.
 */
function isCommon(lower: string): boolean {
  if (new Set(lower).size < 5 || /^(.{1,6})\1+.{0,5}$/s.test(lower)) return true;
  const spelled = lower.replace(/[013457@$!]/g, (sign) => LOOK_ALIKES[sign] ?? sign);
  return [lower, spelled].some(
    (text) => strip(text).replace(/[^\p{L}]/gu, '').length < SUBSTANCE && countWords(text) < 3,
  );
}

const LONGEST_FIRST = [...COMMON_WORDS].sort((a, b) => b.length - a.length);

/** How many different common words are in a text: three make a phrase. */
function countWords(text: string): number {
  let left = text;
  let words = 0;
  for (const word of LONGEST_FIRST) {
    if (left.includes(word)) words++;
    left = left.replaceAll(word, ' ');
  }
  return words;
}

function strip(text: string): string {
  let left = text;
  for (const row of ROWS) {
    for (const keys of [row, [...row].reverse().join('')]) {
      for (let length = keys.length; length >= 4; length--) {
        for (let at = 0; at + length <= keys.length; at++)
          left = left.replaceAll(keys.slice(at, at + length), ' ');
      }
    }
  }
  for (const word of LONGEST_FIRST) left = left.replaceAll(word, ' ');
  return left;
}
