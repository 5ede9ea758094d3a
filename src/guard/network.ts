/** The network of a client's address: the address itself for IPv4, the first 64 bits for IPv6, which one household has. */
import { isIPv6 } from 'node:net';
import { type Name, nameOf } from './memory/hash.ts';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

export function networkOf(ip: string): string {
  const [, mapped] = MAPPED.exec(ip) ?? [];
  if (mapped !== undefined) return mapped;
  return isIPv6(ip) ? first64(ip) : ip;
}

export function networkName(salt: number, ip: string): Name {
  return nameOf(salt, ip.includes(':') ? networkOf(ip) : ip);
}

function first64(ip: string): string {
  const [address = ''] = ip.split('%');
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...rest].slice(0, 4);
  return `${all.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
