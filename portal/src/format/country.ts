import { COUNTRY_LOCALES } from '../../../src/core/message/locales/countries.ts';

const names = new Intl.DisplayNames('en-GB', { type: 'region', fallback: 'none' });

/** The name of an ISO 3166 code, or the code itself. */
export function countryName(code: string): string {
  if (code === 'ZZ') return 'No country (satellites, SIP)';
  return (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined) ?? code;
}

interface NamedCountry {
  readonly code: string;
  readonly name: string;
}

/** Every country that has telephone numbers, by name, and what is in none. */
export const COUNTRIES: readonly NamedCountry[] = [...COUNTRY_LOCALES.keys(), 'ZZ']
  .map((code) => ({ code, name: countryName(code) }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** By name or code, in any case. */
export function findCountry(text: string): string | undefined {
  const typed = text.trim().toLowerCase();
  return COUNTRIES.find(({ code, name }) => name.toLowerCase() === typed || code.toLowerCase() === typed)
    ?.code;
}
