/** Which countries get SMS, by the routes and by the countries that the guard lets through. */
import type { Config } from '../config/table/schema.ts';
import { callingCodeOf } from '../core/destination/numbering-plan.ts';
import { COUNTRY_LOCALES } from '../core/message/locales.ts';
import { carriersTo } from '../core/sending/reach.ts';

/** Those that a carrier of `names` may be asked for. */
export function countriesOver(
  names: readonly string[],
  { routes, guard }: Pick<Config, 'routes' | 'guard'>,
): string[] {
  return [...COUNTRY_LOCALES.keys()].filter((country) => {
    if (guard.countries.length > 0 && !guard.countries.includes(country)) return false;
    const carriers = carriersTo(routes, 'sms', country, callingCodeOf(country));
    return names.some((name) => carriers.has(name));
  });
}
