/** What works, but is most likely not wanted in production. */
import { isIPv6 } from 'node:net';
import { SIMULATOR } from '../core/sending/carrier.ts';
import { type Route, thensOf } from '../core/sending/routing.ts';
import type { Config } from './table/schema.ts';

export interface Warning {
  /** `trustProxy[0]`. */
  readonly key: string;
  readonly detail: string;
}

/** Routes over which live keys reach only the simulator: every request looks like a success, but no telephone rings. */
export function findSimulated({ carriers, routes }: Pick<Config, 'carriers' | 'routes'>): readonly Route[] {
  const isSimulated = (names: readonly string[]) => names.every((name) => carriers[name]?.type === SIMULATOR);
  const over = (channel: Route['channel']) => routes.filter((route) => route.channel === channel);
  return routes.filter(
    (route) =>
      isSimulated(route.carriers) &&
      thensOf(route).every(({ channel, carriers: own }) =>
        own === undefined ? over(channel).every((each) => isSimulated(each.carriers)) : isSimulated(own),
      ),
  );
}

export function warnOfSimulated(config: Config): Warning[] {
  const simulated = new Set(findSimulated(config));
  return config.routes.flatMap((route, index) => {
    if (!simulated.has(route)) return [];
    const served = [...(route.countries ?? []), ...(route.prefixes ?? [])].join(', ') || 'everywhere';
    const detail = `${route.channel} to ${served} goes only to the simulator, even with live keys: it looks like success but reaches no telephone; add a carrier and a route to it (docs/carriers.md)`;
    return [{ key: `routes[${index}]`, detail }];
  });
}

/** Countries of routes that the guard keeps all messages from. */
export function warnOfCountries({ routes, guard }: Config): Warning[] {
  if (guard.countries.length === 0) return [];
  return routes.flatMap(({ countries = [] }, index) => {
    const barred = countries.filter((country) => !guard.countries.includes(country));
    if (barred.length === 0) return [];
    const detail = `guard.countries does not name ${barred.join(', ')}: POST /verify is refused with 400 there; add them to it, or remove them here`;
    return [{ key: `routes[${index}].countries`, detail }];
  });
}

/** Routes by which live keys can spend money in every country. */
export function warnOfEverywhere(config: Config): Warning[] {
  const simulated = findSimulated(config);
  const open = config.routes.filter(
    (route) => route.countries === undefined && route.prefixes === undefined && !simulated.includes(route),
  );
  if (config.guard.countries.length > 0 || open.length === 0) return [];
  const detail =
    'is empty, so whoever has a live key can send to every country at your cost; list those of your users (docs/destinations.md)';
  return [{ key: 'guard.countries', detail }];
}

/** Files of secrets that are ours, and accepted only because they are read-only, as mounted ones are. */
export function warnOfExposed({ exposed }: Config): Warning[] {
  return exposed.map(({ key, wrong }) => {
    const detail = `${wrong}, and is accepted because it is read-only, as mounted files are; make sure that the folders above it keep others out, or set its mode to 400`;
    return { key, detail };
  });
}

/** Wider than any network of proxies: an /8 such as 10.0.0.0/8, or the range of an IPv6 provider. */
const NARROWEST_TOO_WIDE = { ipv4: 7, ipv6: 31 };
/** fc00::/7 and fe80::/10 are not on the Internet. */
const PRIVATE_IPV6 = /^f[cde]/i;

export function warnOfProxies({ trustProxy }: Config): Warning[] {
  return trustProxy.flatMap((network, index) => {
    const [address = '', bits] = network.split('/');
    const ipv6 = isIPv6(address);
    const widest = ipv6 ? NARROWEST_TOO_WIDE.ipv6 : NARROWEST_TOO_WIDE.ipv4;
    const isPrivate = ipv6 && PRIVATE_IPV6.test(address) && Number(bits) >= 7;
    if (bits === undefined || Number(bits) > widest || isPrivate) return [];
    const detail = `${network} trusts ${Number(bits) === 0 ? 'everybody' : 'a large part of the Internet'}: anyone there who reaches the port over plain HTTP can claim to use HTTPS, from any address; list only the addresses of your proxies`;
    return [{ key: `trustProxy[${index}]`, detail }];
  });
}
