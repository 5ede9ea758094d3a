/** Routes must be reachable, name carriers that exist, and choose among them in one way. */
import { BASIC_CHANNELS, CHANNEL_NAMES, isMissedCall } from '../../core/destination/channel.ts';
import { SIMULATOR } from '../../core/sending/carrier.ts';
import { type Route, thensOf } from '../../core/sending/routing.ts';
import { formatDuration } from '../../core/verification/limits.ts';
import { type CarrierType, typeOf } from '../../options/carrier-type.ts';
import type { RuleFinding } from '../problem.ts';
import { findNearest } from '../suggestion.ts';
import type { Config } from '../table/schema.ts';
import { findCountryFault } from './country.ts';

/** If no carriers and routes are configured, everything goes to the simulator. */
export const SIMULATOR_ROUTES = BASIC_CHANNELS.map((channel) => ({ channel, carriers: [SIMULATOR] }));

export function* checkRoutes(config: Config, types: readonly CarrierType[]): Generator<RuleFinding> {
  const { carriers, routes } = config;
  for (const [index, route] of routes.entries()) {
    for (const [position, country] of route.countries?.entries() ?? []) {
      yield* checkCountry(country, ['routes', index, 'countries', position]);
    }
    yield* checkRouteCarriers(route, ['routes', index], carriers, types);
    yield* checkThen(route, index, config, types);
    yield* checkChoosing(route, index);
    yield* checkReach(route, index, routes);
  }
  const used = new Set(routes.flatMap(carriersOf));
  for (const [name, options] of Object.entries(carriers)) {
    if (used.has(name) || name === SIMULATOR) continue;
    const [channel = CHANNEL_NAMES[0]] = typeOf(types, options).channelsOf(options);
    yield {
      key: ['carriers', name],
      wrong: 'is in no route, so nothing would be sent over it',
      expected: 'a route that names it',
      fix: `add one, such as { channel: ${channel}, carriers: [${name}] }, to routes`,
    };
  }
}

/** Prices are looked up by country: a misspelt one would never be used. Those of a carrier are in one place. */
export function* checkPrices({
  carriers,
  currency,
  prices: { file },
  priceRows,
}: Config): Generator<RuleFinding> {
  const inFile = new Set(priceRows.map(({ carrier }) => carrier));
  for (const [name, { prices }] of Object.entries(carriers)) {
    for (const to of Object.keys(prices ?? {})) {
      if (to !== 'default' && !to.startsWith('+')) yield* checkCountry(to, ['carriers', name, 'prices', to]);
    }
    if (prices === undefined || !inFile.has(name)) continue;
    yield {
      key: ['carriers', name, 'prices'],
      wrong: `is set, and ${file} has prices of ${name}, too`,
      expected: 'the prices of a carrier in one place',
      fix: 'move them into the file, or out of it',
    };
  }
  if (Intl.supportedValuesOf('currency').includes(currency)) return;
  yield {
    key: ['currency'],
    wrong: `${currency} is not a currency`,
    expected: 'a code of ISO 4217 such as EUR',
    fix: 'correct it',
  };
}

export function* checkCountry(country: string, key: RuleFinding['key']): Generator<RuleFinding> {
  const fault = findCountryFault(country);
  if (fault !== undefined) yield { key, ...fault };
}

function* checkChoosing({ carriers, weights, choose }: Route, index: number): Generator<RuleFinding> {
  if (weights === undefined) return;
  for (const name of Object.keys(weights)) {
    if (carriers.includes(name)) continue;
    const nearest = findNearest(name, carriers);
    yield {
      key: ['routes', index, 'weights', name],
      wrong: `${name} is not a carrier of this route`,
      expected: `one of ${carriers.join(', ')}`,
      fix: nearest === undefined ? 'add it to carriers, or remove it here' : `did you mean ${nearest}?`,
    };
  }
  if (choose === undefined) return;
  yield {
    key: ['routes', index, 'weights'],
    wrong: `is set together with choose: ${choose}, which makes its own shares`,
    expected: 'one of the two',
    fix: 'remove one of them',
  };
}

/**
 * Channels that a message goes on by. Each comes once, so that it ends, and waits for less than a code is valid: later it would be of
 * no use.
 */
function* checkThen(
  route: Route,
  index: number,
  { carriers, routes, code: { validFor } }: Config,
  types: readonly CarrierType[],
): Generator<RuleFinding> {
  const before = new Set([route.channel]);
  let key: readonly [string, ...(string | number)[]] = ['routes', index];
  for (const { channel, carriers: own, after } of thensOf(route)) {
    key = [...key, 'then'];
    if (before.has(channel)) {
      yield {
        key: [...key, 'channel'],
        wrong: `is ${channel}, which the message has gone by before`,
        expected: 'another channel',
        fix: 'change it, or add its carriers to those of that channel',
      };
    }
    before.add(channel);
    if (isMissedCall(channel)) {
      yield {
        key: [...key, 'channel'],
        wrong: `is ${channel}, whose code is the end of a number, and the code was made for ${route.channel}`,
        expected: 'a channel that takes any code',
        fix: `remove it; a route of ${channel} may go on by ${route.channel}`,
      };
    }
    if (own !== undefined) yield* checkRouteCarriers({ channel, carriers: own }, key, carriers, types);
    else if (!routes.some((other) => other.channel === channel)) {
      yield {
        key: [...key, 'carriers'],
        wrong: `is missing, and no route has the channel ${channel}`,
        expected: `the carriers for ${channel}`,
        fix: `add them here, or a route of that channel`,
      };
    }
    if (after !== undefined && after >= validFor) {
      yield {
        key: [...key, 'after'],
        wrong: `is ${formatDuration(after)}, and a code is valid for ${formatDuration(validFor)}`,
        expected: 'less than code.validFor',
        fix: 'make it shorter, or code.validFor longer',
      };
    }
  }
}

/** Those of all its channels. */
const carriersOf = (route: Route): readonly string[] => [
  ...route.carriers,
  ...thensOf(route).flatMap(({ carriers = [] }) => carriers),
];

function* checkRouteCarriers(
  route: Pick<Route, 'channel' | 'carriers'>,
  at: RuleFinding['key'],
  carriers: Config['carriers'],
  types: readonly CarrierType[],
): Generator<RuleFinding> {
  for (const [position, name] of route.carriers.entries()) {
    const key = [...at, 'carriers', position];
    const names = Object.keys(carriers);
    const carrier = Object.hasOwn(carriers, name) ? carriers[name] : undefined;
    const served = carrier && typeOf(types, carrier).channelsOf(carrier);
    if (served === undefined) {
      const nearest = findNearest(name, names);
      const fix = nearest === undefined ? `add it to carriers` : `did you mean ${nearest}?`;
      yield { key, wrong: `${name} is not a carrier`, expected: `one of ${names.join(', ')}`, fix };
    } else if (!served.includes(route.channel) && served.length > 0) {
      yield {
        key,
        wrong: `${name} cannot do ${route.channel}`,
        expected: `a carrier that can do ${route.channel}`,
        fix: `remove it; it can do ${served.join(' and ')}`,
      };
    }
    if (route.carriers.indexOf(name) < position) {
      yield { key, wrong: `${name} is listed twice`, expected: 'each carrier once', fix: 'remove one' };
    }
  }
}

function* checkReach(route: Route, index: number, routes: readonly Route[]): Generator<RuleFinding> {
  const earlier = findTaker(route, index, routes);
  if (earlier === -1) return;
  yield {
    key: ['routes', index],
    wrong: `is never reached: routes[${earlier}] takes all its messages`,
    expected: 'the more specific route first',
    fix: 'move it up, merge the two, or remove it',
  };
}

/** The earlier route that takes all messages of a route; -1 if there is none. */
const findTaker = (route: Route, index: number, routes: readonly Route[]): number =>
  routes.slice(0, index).findIndex((other) => covers(other, route));

/** Whether the first route takes everything that the second could: each of its conditions holds for all of the second. */
function covers(first: Route, second: Route): boolean {
  if (first.channel !== second.channel) return false;
  const { countries, prefixes } = first;
  const coversCountries =
    countries === undefined || second.countries?.every((country) => countries.includes(country));
  const coversPrefixes =
    prefixes === undefined ||
    second.prefixes?.every((prefix) => prefixes.some((shorter) => prefix.startsWith(shorter)));
  return coversCountries === true && coversPrefixes === true;
}
