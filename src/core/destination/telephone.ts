/** A telephone number as the user of a SIP URI, with the separators that say nothing there (RFC 3966, section 5.1.1). */
const NUMBER = /^\+?[\d().-]*\d[\d().-]*(?=@)/;

/**
 * The telephone of a canonical address: the bare number, or user and host of a SIP URI. Extensions, ports, `sips`, the case of the
 * user and separators within its number are ignored, because varying them must not get around limits.
 */
export function telephoneOf(address: string): string {
  if (address.startsWith('+')) return address;
  const [, number] = /^tel:(\+\d+)/.exec(address) ?? [];
  if (number !== undefined) return number;
  const [, userAndHost] = /^sips?:([^@]+@[^:]+)/.exec(address) ?? [];
  if (userAndHost === undefined) return address;
  return `sip:${userAndHost.toLowerCase().replace(NUMBER, (number) => number.replace(/[().-]/g, ''))}`;
}
