import { describeCountedAs } from '../../../src/core/destination/counted-as.ts';
import { COUNTRY_LOCALES } from '../../../src/core/message/locales/countries.ts';
import type { Named } from './named.ts';

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

/** Every country that has telephone numbers, by name, and what is in none. */
export const COUNTRIES: readonly Named[] = [...COUNTRY_LOCALES.keys(), 'ZZ']
  .toSorted(byCountryName)
  .map((code) => ({ code, name: countryName(code) }));
