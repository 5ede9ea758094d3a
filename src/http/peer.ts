/** Who is at the other end of a connection, by address. */
import { BlockList, isIPv6, type Socket } from 'node:net';

/** Makes a test for the peers of these addresses and CIDR blocks; throws a RangeError for what is neither. */
export function matchPeers(blocks: readonly string[]): (peer: Pick<Socket, 'remoteAddress'>) => boolean {
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
  return ({ remoteAddress }) =>
    remoteAddress !== undefined && list.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4');
}
