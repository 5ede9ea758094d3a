/** Where the service can send, what a message costs there, and what is stopped. */
import type { CountryStop } from '../../accounts/guarding/guard-rules.ts';
import { COUNTRY_LOCALES } from '../../core/message/locales/countries.ts';
import type { Route } from '../../core/sending/routing.ts';
import { formatOptional } from '../../operations/instant.ts';
import type { CountriesView } from './contract.ts';
import type { InEffect } from './in-effect.ts';
import { priceSpan } from './price-span.ts';

export function viewCountries(generation: InEffect, stops: readonly CountryStop[]): CountriesView {
  const { config, priceOf, resolver } = generation;
  const { countries: allowed } = resolver;
  const stopsOf = Map.groupBy(stops, ({ country }) => country);
  return {
    currency: config.currency,
    countries: [...COUNTRY_LOCALES.keys()].sort().map((country) => {
      const routes = routesTo(config.routes, country);
      const prices = routes.flatMap(({ channel, carriers, prefixes = [] }) =>
        carriers.map((name) =>
          priceOf(name, { channel, destination: { address: prefixes[0] ?? '', country } }),
        ),
      );
      return {
        country,
        allowed: allowed.length === 0 || allowed.includes(country),
        channels: [...new Set(routes.map(({ channel }) => channel))],
        ...priceSpan(prices),
        stops: (stopsOf.get(country) ?? []).map(({ id, ofService, reason, endsAt }) => {
          return { id, of: ofService ? 'service' : 'account', reason, ends_at: formatOptional(endsAt) };
        }),
      };
    }),
  };
}

/** Those that take some of its numbers. After one without prefixes, no route of the same channel is asked. */
function routesTo(routes: readonly Route[], country: string): Route[] {
  const full = new Set<Route['channel']>();
  return routes.filter(({ channel, countries, prefixes }) => {
    if (full.has(channel) || (countries !== undefined && !countries.includes(country))) return false;
    if (prefixes === undefined) full.add(channel);
    // Only a country's own route with prefixes is surely for its numbers.
    return prefixes === undefined || countries !== undefined;
  });
}
