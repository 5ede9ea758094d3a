/**
 * The telephone of a canonical address: the bare number, or user and host of a SIP URI. Extensions, ports, `sips` and the
 * case of the user are ignored, because varying them must not get around limits.
 */
export function telephoneOf(address: string): string {
  if (address.startsWith('+')) return address;
  const [, number] = /^tel:(\+\d+)/.exec(address) ?? [];
  if (number !== undefined) return number;
  const [, userAndHost] = /^sips?:([^@]+@[^:]+)/.exec(address) ?? [];
  return userAndHost === undefined ? address : `sip:${userAndHost.toLowerCase()}`;
}
