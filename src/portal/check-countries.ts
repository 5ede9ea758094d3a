import type { FieldError } from '../core/errors/field-error.ts';
import { isKnownCountry } from '../core/message/locales/countries.ts';

/** The entries of a list that are not countries: a misspelled one would block the country that was meant. */
export function checkCountries(countries: readonly string[], field: string): FieldError[] {
  return countries.flatMap((country, index) =>
    isKnownCountry(country)
      ? []
      : {
          field: `${field}/${index}`,
          code: 'not_a_country',
          detail: 'must be an ISO 3166 alpha-2 code, or ZZ for destinations without a country',
        },
  );
}
