/** The address a request was sent from, past the proxies that are ours. */
import type { FastifyRequest } from 'fastify';
import { readWays } from './forwarded.ts';
import { matchPeers } from './peer.ts';

export type AddressOf = (request: FastifyRequest) => string;

/** As RFC 7239 (section 6.2) writes it; matches no address and no network. */
const UNKNOWN = 'unknown';

/**
 * Without proxies it is the other end of the connection. With them it is the last hop of X-Forwarded-For, or of Forwarded,
 * that is none of theirs: what stands before it the client may have written itself. Of the two headers a client may have
 * written the one that its proxy does not: where they name different addresses, nobody knows it.
 */
export function readClientAddress(trustedPeers: readonly string[]): AddressOf {
  // At each request of /verify: without proxies there is nothing to look through.
  if (trustedPeers.length === 0) return ({ raw: { socket } }) => plainAddress(socket.remoteAddress);
  const isTrusted = matchPeers(trustedPeers);
  return ({ raw: { socket }, headers }) => {
    const peer = socket.remoteAddress ?? '';
    const addresses = readWays(headers).flatMap((way) => {
      if (way === undefined) return [UNKNOWN];
      if (way.froms.length === 0) return [];
      const hops = [...way.froms, peer];
      const client = hops.findLast((remoteAddress) => !isTrusted({ remoteAddress })) ?? hops[0];
      return [plainAddress(client).slice(0, 64) || UNKNOWN];
    });
    const [address = plainAddress(peer), ...others] = addresses;
    return others.every((other) => other === address) ? address : UNKNOWN;
  };
}

/** A client of IPv4 is one, also on a socket that serves both. */
function plainAddress(address = ''): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}
