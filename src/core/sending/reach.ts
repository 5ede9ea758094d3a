/** Which routes the messages to a country may take. */
import type { Channel } from '../destination/channel.ts';
import type { Route } from './routing.ts';

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

function overlap(prefix: string, callingCode: string): boolean {
  return prefix.startsWith(callingCode) || callingCode.startsWith(prefix);
}
