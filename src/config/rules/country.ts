/** Whether a code is that of a country that can be sent to. */
import { isKnownCountry, meantCountry } from '../../core/message/locales/countries.ts';
import type { ConfigProblem } from '../problem.ts';

export function findCountryFault(country: string): Omit<ConfigProblem, 'key'> | undefined {
  if (isKnownCountry(country)) return undefined;
  const meant = meantCountry(country);
  return {
    wrong: `${country} is not a country with telephone numbers`,
    expected: 'an ISO 3166 alpha-2 code, or ZZ for destinations without a country',
    fix: meant === undefined ? 'correct it' : `did you mean ${meant}?`,
  };
}
