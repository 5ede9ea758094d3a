import { COUNTRY_LOCALES } from '../core/locales.ts';
import type { FieldError } from '../http/problem.ts';

/** Those of a list of countries that are none, by their place: one that is misspelled would shut out another. */
export function checkCountries(countries: readonly string[], field: string): FieldError[] {
  return countries.flatMap((country, index) =>
    country === 'ZZ' || COUNTRY_LOCALES.has(country)
      ? []
      : {
          field: `${field}/${index}`,
          detail: 'must be an ISO 3166 alpha-2 code, or ZZ for what has no country',
        },
  );
}
