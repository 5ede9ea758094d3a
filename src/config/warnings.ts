/** What of a configuration works, and is most likely not what somebody wants in production. */
import { isIPv6 } from 'node:net';
import { SIMULATOR } from '../core/carrier.ts';
import type { Route } from '../core/routing.ts';
import type { Config } from './schema.ts';

export interface Warning {
  /** `trustProxy[0]`. */
  readonly key: string;
  readonly detail: string;
}

/** Routes over which live keys reach the simulator only: every request looks like a success, and no telephone rings. */
export function findSimulated({ carriers, routes }: Pick<Config, 'carriers' | 'routes'>): readonly Route[] {
  return routes.filter((route) => route.carriers.every((name) => carriers[name]?.type === SIMULATOR));
}

export function warnOfSimulated(config: Config): Warning[] {
  const simulated = new Set(findSimulated(config));
  return config.routes.flatMap((route, index) => {
    if (!simulated.has(route)) return [];
    const served = [...(route.countries ?? []), ...(route.prefixes ?? [])].join(', ') || 'everywhere';
    const detail = `${route.channel} to ${served} goes to the simulator only, live keys' too: it looks like success and reaches no telephone; add a carrier and a route to it (docs/carriers.md)`;
    return [{ key: `routes[${index}]`, detail }];
  });
}

/** Wider than any network that proxies stand in: an /8 such as 10.0.0.0/8, or what a provider of IPv6 is given. */
const NARROWEST_TOO_WIDE = { ipv4: 7, ipv6: 31 };
/** fc00::/7 and fe80::/10 lead to nobody on the Internet. */
const PRIVATE_IPV6 = /^f[cde]/i;

export function warnOfProxies({ trustProxy }: Config): Warning[] {
  return trustProxy.flatMap((network, index) => {
    const [address = '', bits] = network.split('/');
    const ipv6 = isIPv6(address);
    const widest = ipv6 ? NARROWEST_TOO_WIDE.ipv6 : NARROWEST_TOO_WIDE.ipv4;
    const isPrivate = ipv6 && PRIVATE_IPV6.test(address) && Number(bits) >= 7;
    if (bits === undefined || Number(bits) > widest || isPrivate) return [];
    const detail = `${network} trusts ${Number(bits) === 0 ? 'everybody' : 'a great part of the Internet'}: whoever reaches the port in clear from there may claim to have come over HTTPS, and from any address; name the addresses of your proxies only`;
    return [{ key: `trustProxy[${index}]`, detail }];
  });
}
