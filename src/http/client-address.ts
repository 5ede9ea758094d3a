/** The address a request was sent from, past the proxies that are ours. */
import type { FastifyRequest } from 'fastify';
import { matchPeers } from './peer.ts';

export type AddressOf = (request: FastifyRequest) => string;

/**
 * Without proxies it is the other end of the connection. With them it is the last hop of X-Forwarded-For that is none of
 * theirs: what stands before it the client may have written itself.
 */
export function readClientAddress(trustedPeers: readonly string[]): AddressOf {
  // At each request of /verify: without proxies there is nothing to look through.
  if (trustedPeers.length === 0) return ({ raw: { socket } }) => plainAddress(socket.remoteAddress);
  const isTrusted = matchPeers(trustedPeers);
  return ({ raw: { socket }, headers }) => {
    const forwarded = headers['x-forwarded-for'];
    const hops = typeof forwarded === 'string' ? forwarded.split(',') : [];
    const addresses = [...hops.map((hop) => hop.trim()), socket.remoteAddress ?? ''];
    const client = addresses.findLast((remoteAddress) => !isTrusted({ remoteAddress })) ?? addresses[0];
    return plainAddress(client).slice(0, 64);
  };
}

/** A client of IPv4 is one, also on a socket that serves both. */
function plainAddress(address = ''): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}
