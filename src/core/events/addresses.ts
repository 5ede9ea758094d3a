/**
 * Which addresses webhooks may go to. Whoever names an endpoint chooses where this machine connects to, so everything that is
 * not on the public Internet is refused, unless the operator allows its network (IANA special-purpose registries, RFC 6890).
 */
import { BlockList, isIP } from 'node:net';

export type MayReach = (address: string) => boolean;

const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Parts of 2000::/3 that are not on the Internet, or are tunnels (6to4, Teredo) to an IPv4 address of anybody's choice. */
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

/** Both hold an IPv4 address in their last 32 bits: IPv4-mapped, and NAT64, through which some networks reach IPv4. */
const WITH_IPV4 = ['::ffff:', '64:ff9b::'] as const;

/** `allowed`: networks such as `10.0.0.0/8` that may be reached too. */
export function createAddressGuard(allowed: readonly string[]): MayReach {
  const isAllowed = listOf(allowed.map(splitNetwork));
  const isPublic = listOf([
    ['0.0.0.0', 0],
    ['2000::', 3],
    ...WITH_IPV4.map((head) => [`${head}0.0.0.0`, 96] as const),
  ]);
  const isSpecial = listOf([
    ...SPECIAL_IPV4,
    ...SPECIAL_IPV6,
    ...SPECIAL_IPV4.flatMap(([network, bits]) =>
      WITH_IPV4.map((head) => [`${head}${network}`, 96 + bits] as const),
    ),
  ]);
  return (address) => isAllowed(address) || (isPublic(address) && !isSpecial(address));
}

function splitNetwork(text: string): readonly [address: string, bits: number] {
  const [address = '', bits] = text.split('/');
  return [address, bits === undefined ? (isIP(address) === 6 ? 128 : 32) : Number(bits)];
}

/** Whether an address is in one of the networks. What is not an address, or is one of a link (`%eth0`), is in none. */
function listOf(networks: readonly (readonly [address: string, bits: number])[]): MayReach {
  const list = new BlockList();
  for (const [address, bits] of networks)
    list.addSubnet(address, bits, address.includes(':') ? 'ipv6' : 'ipv4');
  return (address) => {
    const version = isIP(address);
    return version !== 0 && !address.includes('%') && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}
