import { network64 } from '../../core/text/network.ts';

/** The network of an IP address: the first 24 bits for IPv4, or the first 64 for IPv6, which one household has. */
export function networkOf(address: string): string {
  return address.includes(':') ? `${network64(address)}::/64` : address.replace(/\.\d+$/, '.0/24');
}
