import { describeCountedAs } from '../../../src/core/destination/counted-as.ts';
import { COUNTRY_LOCALES } from '../../../src/core/message/locales/countries.ts';

const names = new Intl.DisplayNames('en-GB', { type: 'region', fallback: 'none' });

/** The name of an ISO 3166 code, or the code itself. */
export function countryName(code: string): string {
  if (code === 'ZZ') return 'No country (satellites, SIP)';
  return (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined) ?? code;
}

/** Orders codes by the names of their countries. */
export const byCountryName = (one: string, other: string): number =>
  countryName(one).localeCompare(countryName(other), 'en');

/** By name. */
export const countryNames = (codes: readonly string[]): string[] =>
  codes.toSorted(byCountryName).map(countryName);

/** Of countries whose numbers count as those of another, a sentence each. */
export const countedAsWords = (codes: readonly string[]): string[] =>
  describeCountedAs(codes, [], countryName).map((note) => `${note.charAt(0).toUpperCase()}${note.slice(1)}.`);

interface NamedCountry {
  readonly code: string;
  readonly name: string;
}

/** Every country that has telephone numbers, by name, and what is in none. */
export const COUNTRIES: readonly NamedCountry[] = [...COUNTRY_LOCALES.keys(), 'ZZ']
  .toSorted(byCountryName)
  .map((code) => ({ code, name: countryName(code) }));

/** By name or code, in any case. */
export function findCountry(text: string): string | undefined {
  const typed = text.trim().toLowerCase();
  return COUNTRIES.find(({ code, name }) => name.toLowerCase() === typed || code.toLowerCase() === typed)
    ?.code;
}

/** While somebody types a name: the country that it can only be, since no other name goes on from there, or that a comma ends. */
export function typedCountry(text: string): string | undefined {
  const [, ended] = /^(.*),\s*$/.exec(text) ?? [];
  if (ended !== undefined) return findCountry(ended);
  const [only, ...others] = COUNTRIES.filter(({ name }) => name.startsWith(text));
  return only?.name === text && others.length === 0 ? only.code : undefined;
}
