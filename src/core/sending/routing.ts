/** Finds the route of a message: the first match in the order of the configuration. */
import type { Channel } from '../destination/channel.ts';
import type { Destination } from '../destination/destination.ts';
import type { FieldError } from '../errors/field-error.ts';

/** Serves a channel; `countries` and `prefixes`, if given, must both match. */
export interface Route {
  readonly channel: Channel;
  /** ISO 3166 alpha-2, upper case; `ZZ` for destinations without a country: SIP URIs, +800, +882 and similar. */
  readonly countries?: readonly string[];
  /** Prefixes of E.164 numbers with `+`, such as `+4915`. A SIP URI matches none. */
  readonly prefixes?: readonly string[];
  /** Names of carriers in failover order. */
  readonly carriers: readonly [string, ...string[]];
  /** How often each carrier comes first, as shares. Carriers without one come after, in order. */
  readonly weights?: Readonly<Record<string, number>>;
  /** The carrier whose codes are confirmed most often and fastest comes first. */
  readonly choose?: 'quality';
  /** The most verifications over this route in a day (UTC). */
  readonly dailyCap?: number;
  /** The same code goes by another channel if this one does not reach. */
  readonly then?: Then;
}

/** Its name in the configuration. The linter takes an object that is written with it for a promise, which none of these is. */
export const THEN = 'then';

export interface Then {
  readonly channel: Channel;
  /** Absent: those of the route that takes the destination on that channel. */
  readonly carriers?: readonly [string, ...string[]];
  /** How long the channel before has to deliver, in ms; absent: until it refuses or reports that it could not. */
  readonly after?: number;
  readonly then?: Then;
}

/** Every `then` of a route, in order. */
export function thensOf({ then }: Pick<Route, 'then'>): readonly Then[] {
  return then === undefined ? [] : [then, ...thensOf(then)];
}

type RouteAnswer =
  | { readonly ok: true; readonly route: Route }
  /** `field` is the field of the request that no route serves. */
  | ({ readonly ok: false } & FieldError<'channel' | 'destination'>);

export type RouteFinder = (channel: Channel, destination: Destination) => RouteAnswer;

/** Why a route does not serve a destination. */
export type Misfit = 'channel' | 'country' | 'prefix';

interface CompiledRoute {
  readonly channel: Channel;
  readonly countries: ReadonlySet<string> | undefined;
  readonly prefixes: readonly string[] | undefined;
  readonly found: RouteAnswer;
}

/** Prepares the routes once; the result runs for every request. */
export function compileRoutes(routes: readonly Route[]): RouteFinder {
  const byChannel = Map.groupBy(routes.map(compile), ({ channel }) => channel);
  return (channel, destination) => {
    const candidates = byChannel.get(channel);
    if (candidates === undefined) {
      const detail = `This service has no route for the channel ${channel}.`;
      return { ok: false, field: 'channel', code: 'no_route', detail };
    }
    const route = candidates.find((candidate) => misfitOf(candidate, channel, destination) === undefined);
    if (route) return route.found;
    const detail = `This service has no route to this destination over ${channel}.`;
    return { ok: false, field: 'destination', code: 'no_route', detail };
  };
}

/** For each route in order, why it does not serve a destination; undefined if it does. */
export function findMisfits(
  routes: readonly Route[],
  channel: Channel,
  destination: Destination,
): (Misfit | undefined)[] {
  return routes.map((route) => misfitOf(compile(route), channel, destination));
}

/** Names a route by what it serves: its position may change, and its cap must not move to another route. */
export function nameRoute({ channel, countries, prefixes }: Route): string {
  const served = [...(countries ?? []).toSorted(), ...(prefixes ?? []).toSorted()];
  return `route ${channel} ${served.join(',') || 'everywhere'}`;
}

function compile(route: Route): CompiledRoute {
  const { channel, countries, prefixes } = route;
  return { channel, countries: countries && new Set(countries), prefixes, found: { ok: true, route } };
}

function misfitOf(
  route: CompiledRoute,
  channel: Channel,
  { address, kind, country }: Destination,
): Misfit | undefined {
  if (route.channel !== channel) return 'channel';
  if (route.countries && !route.countries.has(country)) return 'country';
  if (!route.prefixes) return undefined;
  if (kind === 'sip') return 'prefix';
  const number = kind === 'extension' ? address.slice('tel:'.length) : address;
  return route.prefixes.some((prefix) => number.startsWith(prefix)) ? undefined : 'prefix';
}
