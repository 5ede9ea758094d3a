/** Where messages would go at an unknown price. */

import type { Channel } from '../core/destination/channel.ts';
import { beginningsOf } from '../core/destination/numbering-plan.ts';
import { COUNTRY_LOCALES } from '../core/message/locales.ts';
import { SIMULATOR } from '../core/sending/carrier.ts';
import { createPriceList, type PriceList } from '../core/sending/prices.ts';
import { thensOf } from '../core/sending/routing.ts';
import type { Config } from './table/schema.ts';
import type { Warning } from './warnings.ts';

/** More are counted, not named. */
const MOST_NAMED = 12;

/** A country that a route serves, or a prefix: it is one of these countries. */
interface Place {
  readonly name: string;
  readonly countries: readonly string[];
  /** What its numbers begin with; one of these. */
  readonly beginnings: readonly string[];
}

/** Nothing if no carrier has prices, and no budget needs them: whoever states none does not want any. */
export function warnOfUnpriced(config: Config): Warning[] {
  const { carriers, priceRows } = config;
  const hasPrices =
    priceRows.length > 0 || Object.values(carriers).some(({ prices }) => prices !== undefined);
  return hasPrices || hasMoney(config) ? findUnpriced(config) : [];
}

/** The same where messages are refused, or counted at a stated price: a start warns of that. */
export function warnOfUnbudgeted(config: Config): Warning[] {
  return hasMoney(config) ? findUnpriced(config) : [];
}

function hasMoney({ budgets }: Config): boolean {
  return budgets.some(({ money }) => money !== undefined);
}

/** What becomes of messages without a price. */
function outcomeOf(config: Config): string {
  if (!hasMoney(config)) return 'messages there count as costing nothing';
  return config.budgets.some(({ worstPrice }) => worstPrice !== undefined)
    ? 'where a budget of money applies, messages are counted at its worstPrice, or refused without one'
    : 'where a budget of money applies, messages are refused';
}

function findUnpriced(config: Config): Warning[] {
  const { carriers, routes } = config;
  const priceOf = createPriceList(config);
  return routes.flatMap((route, index) => {
    const places = listPlaces(config, index);
    const legs = [route, ...thensOf(route)];
    return legs.flatMap(({ channel, carriers: names = [] }, leg) =>
      names.flatMap((carrier) => {
        if (carriers[carrier]?.type === SIMULATOR) return [];
        const unpriced = places.filter((place) => !isPriced(priceOf, carrier, channel, place));
        if (unpriced.length === 0) return [];
        const named = unpriced.slice(0, MOST_NAMED).map(({ name }) => name);
        const more = unpriced.length - named.length;
        const listed = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
        const detail = `${carrier} has no price for ${listed}: ${outcomeOf(config)}; add prices, or a default`;
        return [{ key: `routes[${index}]${'.then'.repeat(leg)}`, detail }];
      }),
    );
  });
}

/** Whether the carrier has a price for all numbers of a place, whatever follows their beginnings. */
function isPriced(
  priceOf: PriceList,
  carrier: string,
  channel: Channel,
  { countries, beginnings }: Place,
): boolean {
  return countries.some((country) =>
    beginnings.every(
      (address) => priceOf(carrier, { channel, destination: { address, country } }) !== undefined,
    ),
  );
}

/** What a route serves: without the countries that an earlier one takes, and those that the guard keeps out. */
function listPlaces({ routes, guard: { countries: allowed } }: Config, index: number): Place[] {
  const route = routes[index];
  if (route === undefined) return [];
  const taken = routes
    .slice(0, index)
    .filter(({ channel, prefixes }) => channel === route.channel && prefixes === undefined)
    .flatMap(({ countries = [] }) => countries);
  const everywhere = allowed.length === 0 ? [...COUNTRY_LOCALES.keys()] : allowed;
  const whole = (route.countries ?? everywhere)
    .filter((country) => allowed.length === 0 || allowed.includes(country))
    .filter((country) => !taken.includes(country))
    .map((country): Place => ({ name: country, countries: [country], beginnings: beginningsOf(country) }));
  return route.prefixes?.flatMap((prefix) => findPlace(prefix, whole)) ?? whole;
}

/** Several countries may share the beginning of a prefix. Without any, the route does not take it. */
function findPlace(prefix: string, whole: readonly Place[]): Place[] {
  const met = whole.filter(({ beginnings }) =>
    beginnings.some((beginning) => prefix.startsWith(beginning) || beginning.startsWith(prefix)),
  );
  const countries = met.flatMap((place) => place.countries);
  return countries.length === 0 ? [] : [{ name: prefix, countries, beginnings: [prefix] }];
}
