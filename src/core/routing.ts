/** Which route takes a message: in the order of the configuration, the first that matches wins. */
import type { Channel } from './destination/channel.ts';
import type { Destination } from './destination/destination.ts';

/** Serves a channel; `countries` and `prefixes`, where given, must both match. */
export interface Route {
  readonly channel: Channel;
  /** ISO 3166 alpha-2, upper case; `ZZ` is what has no country: SIP URIs, +800, +882 and the like. */
  readonly countries?: readonly string[];
  /** Beginnings of E.164 numbers with their `+`, such as `+4915`. A SIP URI has none. */
  readonly prefixes?: readonly string[];
  /** Names of carriers in the order of failover. */
  readonly carriers: readonly [string, ...string[]];
  /** Shares of messages that carriers are asked first for. Those without one come after, in order. */
  readonly weights?: Readonly<Record<string, number>>;
  /** The carrier whose codes are confirmed most and fastest comes first. */
  readonly choose?: 'quality';
  /** Verifications over this route in a day (UTC) at most. */
  readonly dailyCap?: number;
}

type RouteAnswer =
  | { readonly ok: true; readonly route: Route }
  /** `field` is the field of the request that no route serves. */
  | { readonly ok: false; readonly field: 'channel' | 'destination'; readonly detail: string };

export type RouteFinder = (channel: Channel, destination: Destination) => RouteAnswer;

/** What of a destination a route does not serve. */
export type Misfit = 'channel' | 'country' | 'prefix';

interface CompiledRoute {
  readonly channel: Channel;
  readonly countries: ReadonlySet<string> | undefined;
  readonly prefixes: readonly string[] | undefined;
  readonly found: RouteAnswer;
}

/** Prepares the routes once; the finder it returns runs for every request. */
export function compileRoutes(routes: readonly Route[]): RouteFinder {
  const byChannel = Map.groupBy(routes.map(compile), ({ channel }) => channel);
  return (channel, destination) => {
    const candidates = byChannel.get(channel);
    if (candidates === undefined) {
      return { ok: false, field: 'channel', detail: `This service has no route for the channel ${channel}.` };
    }
    const route = candidates.find((candidate) => misfitOf(candidate, channel, destination) === undefined);
    if (route) return route.found;
    const detail = `This service has no route to this destination over ${channel}.`;
    return { ok: false, field: 'destination', detail };
  };
}

/** Why each route does not serve a destination, in their order; undefined for those that do. */
export function findMisfits(
  routes: readonly Route[],
  channel: Channel,
  destination: Destination,
): (Misfit | undefined)[] {
  return routes.map((route) => misfitOf(compile(route), channel, destination));
}

/** Names a route by what it serves: its place in the configuration may change, and its cap must not move to another. */
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
