/** Where the service can send, what a message costs there, and what is stopped. */
import type { CountryStop } from '../../accounts/guarding/guard-rules.ts';
import { hasOwnNumbers } from '../../core/destination/counted-as.ts';
import { beginningsOf } from '../../core/destination/numbering-plan.ts';
import { COUNTRY_LOCALES } from '../../core/message/locales/countries.ts';
import type { Route } from '../../core/sending/routing.ts';
import { formatOptional } from '../../operations/instant.ts';
import type { CountriesView } from './contract.ts';
import type { InEffect } from './in-effect.ts';
import { priceSpan } from './price-span.ts';

/** What it takes of the configuration in effect. */
interface Sends extends Pick<InEffect, 'priceOf'> {
  readonly config: Pick<InEffect['config'], 'currency' | 'routes'>;
  readonly resolver: Pick<InEffect['resolver'], 'countries'>;
}

/** Satellite networks, international services, SIP. */
const NO_COUNTRY = 'ZZ';

export function viewCountries(generation: Sends, stops: readonly CountryStop[]): CountriesView {
  const { config, priceOf, resolver } = generation;
  const { countries: allowed } = resolver;
  const stopsOf = Map.groupBy(stops, ({ country }) => country);
  return {
    currency: config.currency,
    countries: [...COUNTRY_LOCALES.keys(), NO_COUNTRY]
      .filter(hasOwnNumbers)
      .sort()
      .map((country) => {
        const beginnings = country === NO_COUNTRY ? undefined : beginningsOf(country);
        const routes = routesTo(config.routes, country, beginnings);
        const prices = routes.flatMap(({ channel, carriers, prefixes = [''] }) => {
          const taken = prefixes.filter((prefix) => overlaps(prefix, beginnings));
          return carriers.flatMap((name) =>
            taken.map((address) => priceOf(name, { channel, destination: { address, country } })),
          );
        });
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
function routesTo(
  routes: readonly Route[],
  country: string,
  beginnings: readonly string[] | undefined,
): Route[] {
  const full = new Set<Route['channel']>();
  return routes.filter(({ channel, countries, prefixes }) => {
    if (full.has(channel) || (countries !== undefined && !countries.includes(country))) return false;
    if (prefixes === undefined) full.add(channel);
    return prefixes === undefined || prefixes.some((prefix) => overlaps(prefix, beginnings));
  });
}

/** Whether some number of the country may begin so. Of what is in no country, any may. */
const overlaps = (prefix: string, beginnings: readonly string[] | undefined): boolean =>
  beginnings === undefined || beginnings.some((each) => each.startsWith(prefix) || prefix.startsWith(each));
