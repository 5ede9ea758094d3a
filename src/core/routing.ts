/** Which carriers take a message: routes in the order of the configuration, the first that matches wins. */
import type { Channel, Destination } from './destination.ts';

/** Serves a channel; `countries` and `prefixes`, where given, must both match. */
export interface Route {
  readonly channel: Channel;
  /** ISO 3166 alpha-2, upper case; `ZZ` is what has no country: SIP URIs, +800, +882 and the like. */
  readonly countries?: readonly string[];
  /** Beginnings of E.164 numbers with their `+`, such as `+4915`. A SIP URI has none. */
  readonly prefixes?: readonly string[];
  /** Names of carriers in the order of failover. */
  readonly carriers: readonly [string, ...string[]];
}

type RouteAnswer =
  | { readonly ok: true; readonly carriers: readonly [string, ...string[]] }
  /** `field` is the field of the request that no route serves. */
  | { readonly ok: false; readonly field: 'channel' | 'destination'; readonly detail: string };

export type RouteFinder = (channel: Channel, destination: Destination) => RouteAnswer;

interface CompiledRoute {
  readonly countries: ReadonlySet<string> | undefined;
  readonly prefixes: readonly string[] | undefined;
  readonly found: RouteAnswer;
}

/** Prepares the routes once; the finder it returns runs for every request. */
export function compileRoutes(routes: readonly Route[]): RouteFinder {
  const byChannel: Record<Channel, CompiledRoute[]> = { sms: [], voice: [] };
  for (const { channel, countries, prefixes, carriers } of routes) {
    byChannel[channel].push({
      countries: countries && new Set(countries),
      prefixes,
      found: { ok: true, carriers },
    });
  }
  return (channel, destination) => {
    const candidates = byChannel[channel];
    if (candidates.length === 0) {
      return { ok: false, field: 'channel', detail: `This service has no route for the channel ${channel}.` };
    }
    const route = candidates.find((candidate) => serves(candidate, destination));
    if (route) return route.found;
    const detail = `This service has no route to this destination over ${channel}.`;
    return { ok: false, field: 'destination', detail };
  };
}

function serves({ countries, prefixes }: CompiledRoute, { address, kind, country }: Destination): boolean {
  if (countries && !countries.has(country)) return false;
  if (!prefixes) return true;
  if (kind === 'sip') return false;
  const number = kind === 'extension' ? address.slice('tel:'.length) : address;
  return prefixes.some((prefix) => number.startsWith(prefix));
}
