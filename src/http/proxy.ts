/** Plain HTTP behind a proxy that terminates TLS: only from that proxy, and only what reached it over HTTPS. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestHook } from './authentication.ts';
import { type RevokeKey, revokeLeakedKey } from './cleartext.ts';
import { matchPeers } from './peer.ts';
import { sendProblem } from './problem.ts';

export interface ProxyOptions {
  /** Addresses or CIDR blocks of the proxies. */
  readonly trustedPeers: readonly string[];
  /** Revokes a key that travelled in clear; undefined leaves it. */
  readonly revoke: RevokeKey | undefined;
}

/** Orchestrators probe a node directly; these two answer no secret and take no key. */
const PROBES = new Set(['/healthz', '/readyz']);

/** Makes the hook that answers 403 to everything that did not come through the proxy over HTTPS. */
export function requireTrustedProxy({ trustedPeers, revoke }: ProxyOptions): RequestHook {
  const isTrusted = matchPeers(trustedPeers);
  return (request, reply, done) => {
    if (cameOverHttps(request) && isTrusted(request.raw.socket)) done();
    else if (PROBES.has(request.routeOptions.url ?? '')) done();
    else refuse(request, reply, revoke).catch(done);
  };
}

/** True when every hop that added its word says https: the client's own word alone never suffices. */
function cameOverHttps({ headers }: FastifyRequest): boolean {
  const hops = headers['x-forwarded-proto'];
  return (
    hops === 'https' || (typeof hops === 'string' && hops.split(',').every((hop) => hop.trim() === 'https'))
  );
}

async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  revoke: RevokeKey | undefined,
): Promise<void> {
  const members = await revokeLeakedKey(request.headers.authorization, revoke);
  sendProblem(reply.header('connection', 'close'), 'https-required', members);
}
