/** The network of an IP address: the first 24 bits for IPv4, or the first 64 for IPv6, which one household has. */
export function networkOf(address: string): string {
  return address.includes(':') ? `${network64(address)}::/64` : address.replace(/\.\d+$/, '.0/24');
}

/** The first 64 bits of an IPv6 address, written out: `2001:db8:0:1`. */
export function network64(address: string): string {
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...rest].slice(0, 4).join(':');
}
