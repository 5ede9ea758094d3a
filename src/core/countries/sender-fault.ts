/** What is wrong with a sender of SMS in a country, whether it is registered there or not. */
import { callingCodeOf } from '../destination/numbering-plan.ts';
import type { CountryRule } from './rules.ts';

/** Short codes have fewer digits. */
const LEAST_DIGITS = 7;

/** What names there must have and this one has not, as the end of a sentence; undefined if nothing is known against its form. */
export function findNameFault(name: string, { form, words = [] }: CountryRule): string | undefined {
  if (form !== undefined && !form.pattern.test(name)) return form.says;
  const lower = name.toLowerCase();
  const isGeneral = words.includes(lower) || lower.match(/\p{L}+/gu)?.every((word) => words.includes(word));
  return isGeneral ? 'more than general words' : undefined;
}

/** Whether it is a number, and not a short code, a name or a carrier's own id. */
export function isFullNumber(sender: string): boolean {
  return /^\+?[0-9]+$/.test(sender) && digitsOf(sender).length >= LEAST_DIGITS;
}

export function isForeignNumber(number: string, country: string): boolean {
  return !`+${digitsOf(number)}`.startsWith(callingCodeOf(country));
}

function digitsOf(number: string): string {
  return number.replace('+', '');
}
