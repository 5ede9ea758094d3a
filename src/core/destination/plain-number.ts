import { toAsciiDigits } from '../text/ascii-digits.ts';
import { withoutUnseen } from '../text/unseen.ts';

/**
 * What people group digits with, after NFKC: the punctuation that Google's libphonenumber reads past. Katakana's long vowel is
 * what Japanese keyboards write for a hyphen.
 */
const SEPARATORS = /[ \p{Pd}−ー().[\]/~∼⁓]/gu;

/** A number, or the beginning of one, as it was meant: without what groups digits or is not seen, and with ASCII digits. */
export function plainNumber(typed: string): string {
  return toAsciiDigits(withoutUnseen(typed).normalize('NFKC').trim().replace(SEPARATORS, ''));
}
