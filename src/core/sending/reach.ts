/** Which routes the messages to a country may take. */
import type { Channel } from '../destination/channel.ts';
import { type Route, thensOf } from './routing.ts';

/**
 * In the order of the configuration, up to the first that takes them all. `callingCode` of the country, with `+`, decides
 * about routes that name only prefixes; without it they do not count.
 */
export function routesTo<R extends Pick<Route, 'channel' | 'countries' | 'prefixes'>>(
  routes: readonly R[],
  channel: Channel,
  country: string,
  callingCode?: string,
): R[] {
  const mayServe = ({ channel: served, countries, prefixes }: R): boolean => {
    if (served !== channel) return false;
    if (countries !== undefined) return countries.includes(country);
    if (prefixes === undefined) return true;
    return callingCode !== undefined && prefixes.some((prefix) => overlap(prefix, callingCode));
  };
  const serving = routes.filter(mayServe);
  const last = serving.findIndex(({ prefixes }) => prefixes === undefined);
  return last === -1 ? serving : serving.slice(0, last + 1);
}

/** The carriers that messages on a channel to a country may go by, also those that were asked for on another and go on by this. */
export function carriersTo(
  routes: readonly Route[],
  channel: Channel,
  country: string,
  callingCode?: string,
): ReadonlySet<string> {
  const names = (from: Channel) =>
    routesTo(routes, from, country, callingCode).flatMap((route) => [
      ...(from === channel ? route.carriers : []),
      ...thensOf(route).flatMap((then) => (then.channel === channel ? (then.carriers ?? []) : [])),
    ]);
  return new Set([...new Set(routes.map((route) => route.channel))].flatMap(names));
}

function overlap(prefix: string, callingCode: string): boolean {
  return prefix.startsWith(callingCode) || callingCode.startsWith(prefix);
}
