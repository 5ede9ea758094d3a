/** The address that a request came from, seen through our own proxies. */
import type { FastifyRequest } from 'fastify';
import { plainAddress } from '../../core/text/network.ts';
import { readWays } from './forwarded.ts';
import { matchPeers } from './peer.ts';

export type AddressOf = (request: FastifyRequest) => string;

/** The word of RFC 7239 (section 6.2); it matches no address and no network. */
const UNKNOWN = 'unknown';

/**
 * Without proxies it is the other end of the connection. With proxies it is the last hop of X-Forwarded-For or Forwarded
 * that is not one of them: the client may have written everything before that. The client may also have written the one
 * header that its proxy does not set, so the address is unknown if the two disagree.
 */
export function readClientAddress(trustedPeers: readonly string[]): AddressOf {
  if (trustedPeers.length === 0) return ({ raw: { socket } }) => plainAddress(socket.remoteAddress ?? '');
  const isTrusted = matchPeers(trustedPeers);
  return ({ raw: { socket }, headers }) => {
    const peer = socket.remoteAddress ?? '';
    const addresses = readWays(headers).flatMap((way) => {
      if (way === undefined) return [UNKNOWN];
      if (way.froms.length === 0) return [];
      const hops = [...way.froms, peer];
      const client = hops.findLast((remoteAddress) => !isTrusted({ remoteAddress })) ?? hops[0] ?? '';
      return [plainAddress(client).slice(0, 64) || UNKNOWN];
    });
    const [address = plainAddress(peer), ...others] = addresses;
    return others.every((other) => other === address) ? address : UNKNOWN;
  };
}
