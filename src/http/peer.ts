/** Who is at the other end of a connection, by address. */
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';

/** Makes a test for the peers of these addresses and CIDR blocks; throws a RangeError for what is neither. */
export function matchPeers(blocks: readonly string[]): (peer: Pick<Socket, 'remoteAddress'>) => boolean {
  const isListed = matchAddresses(blocks);
  return ({ remoteAddress }) => remoteAddress !== undefined && isListed(remoteAddress);
}

/** Whether a text is an address or a CIDR block. */
export function isAddressBlock(text: string): boolean {
  try {
    matchAddresses([text]);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** As `matchPeers`, for addresses; what is none, as a header may hold, does not match. */
export function matchAddresses(blocks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const block of blocks) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(block) ?? [];
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    try {
      if (bits === undefined) list.addAddress(address, family);
      else list.addSubnet(address, Number(bits), family);
    } catch {
      throw new RangeError(`${block}: neither an address nor a CIDR block`);
    }
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}
