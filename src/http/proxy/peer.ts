/** Checks addresses against lists of addresses and CIDR blocks. */
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { plainAddress } from '../../core/text/network.ts';

/** Of an IPv6 address that holds one of IPv4, those before it. */
const MAPPED_BITS = 96;

/** Throws a RangeError for an entry that is neither an address nor a CIDR block. */
export function matchPeers(blocks: readonly string[]): (peer: Pick<Socket, 'remoteAddress'>) => boolean {
  const isListed = matchAddresses(blocks);
  return ({ remoteAddress }) => remoteAddress !== undefined && isListed(remoteAddress);
}

export function isAddressBlock(text: string): boolean {
  try {
    matchAddresses([text]);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Like `matchPeers`, for addresses. A text that is not an address, such as one from a header, does not match. */
export function matchAddresses(blocks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const block of blocks) {
    const [, written = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(block) ?? [];
    const inIPv4 = plainAddress(written);
    // A block that reaches beyond the mapped addresses is one of IPv6.
    const isMapped = inIPv4 !== written && Number(bits ?? 128) >= MAPPED_BITS;
    const address = isMapped ? inIPv4 : written;
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    try {
      if (bits === undefined) list.addAddress(address, family);
      else list.addSubnet(address, Number(bits) - (isMapped ? MAPPED_BITS : 0), family);
    } catch {
      throw new RangeError(`${block}: neither an address nor a CIDR block`);
    }
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}
