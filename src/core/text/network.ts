/** The networks of clients. */
import { isIPv4, isIPv6, SocketAddress } from 'node:net';

const MAPPED = '::ffff:';

/**
 * An IPv4 address that is written as one of IPv6 (RFC 4291, section 2.5.5.2), as an IPv4 address, however it is spelled:
 * `::ffff:203.0.113.9`, `::ffff:cb00:7109`. Any other text stays as it is.
 */
export function plainAddress(text: string): string {
  // A socket that serves both families writes the first way, and asking for the one spelling takes a while.
  if (text.startsWith(MAPPED) && isIPv4(text.slice(MAPPED.length))) return text.slice(MAPPED.length);
  if (!/ffff/i.test(text) || !isIPv6(text)) return text;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  return address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : text;
}

/**
 * The network of a person's device: the address itself for IPv4, the first 64 bits for IPv6, which one household has. The same
 * address gets the same text, however it is spelt.
 */
export function clientNetworkOf(ip: string): string {
  if (!ip.includes(':')) return ip;
  const plain = plainAddress(ip);
  const address = plain.replace(/%.*$/, '');
  if (!isIPv6(address)) return plain;
  const groups = network64(address).split(':');
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** The network of an address as it may be shown: `203.0.113.0/24` of IPv4, `2001:db8:1::/48` of IPv6. */
export function cutNetworkOf(ip: string): string {
  const network = clientNetworkOf(ip);
  if (!network.includes(':')) return `${network.slice(0, network.lastIndexOf('.'))}.0/24`;
  return `${network.split(':').slice(0, 3).join(':')}::/48`;
}

/** The first 64 bits of an IPv6 address, written out: `2001:db8:0:1`. */
export function network64(address: string): string {
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...rest].slice(0, 4).join(':');
}
