/** Plain HTTP behind a proxy that terminates TLS: only from that proxy, and only what reached it over HTTPS. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import type { Caller } from '../../core/verification/request.ts';
import { type Authenticate, bearerToken, type RequestHook } from '../admission/authentication.ts';
import { basicCredentials } from '../admission/basic.ts';
import { sendProblem } from '../problem.ts';
import { readWays, type Way } from './forwarded.ts';
import { matchAddresses, matchPeers } from './peer.ts';

export interface ProxyDeps {
  /** Addresses or CIDR blocks of the proxies. */
  readonly trustedPeers: readonly string[];
  readonly authenticate: Authenticate;
  readonly log: Logger;
}

/** Orchestrators probe a node directly. These two need no key and reveal no secret. */
const PROBES = new Set(['/healthz', '/readyz']);

const NOT_TRUSTED = {
  warning:
    'a key came unencrypted from a peer that is not in trustProxy; if that is your proxy, add its address',
  detail:
    'The request did not come through the service’s proxy, and was not read. Send it over HTTPS to the service’s public address.',
};
const NO_WORD = {
  warning:
    'a key came through a trusted proxy that did not say https; make it set X-Forwarded-Proto to its own protocol (or Forwarded: proto=https), and serve HTTPS only',
  detail:
    'The service’s proxy did not say that the request came over HTTPS, so it was not read. Send it over HTTPS. If you did, the proxy must set `X-Forwarded-Proto: https`.',
};

/**
 * Makes the hook that answers 403 to every request that did not come through the proxy over HTTPS. Its key is not revoked:
 * a proxy that forgot a header is not a leak, and all keys would be gone at once.
 */
export function requireTrustedProxy(deps: ProxyDeps): RequestHook {
  const isTrustedPeer = matchPeers(deps.trustedPeers);
  const isTrusted = matchAddresses(deps.trustedPeers);
  return (request, reply, done) => {
    const fault = !isTrustedPeer(request.raw.socket)
      ? NOT_TRUSTED
      : cameOverHttps(request.headers, isTrusted)
        ? undefined
        : NO_WORD;
    if (fault === undefined || PROBES.has(request.routeOptions.url ?? '')) done();
    else refuse(request, reply, fault, deps).catch(done);
  };
}

/**
 * Whether the proxies say https. The client may have sent a header that they neither set nor remove, so every header that
 * is present must say it: the client's word is never enough.
 */
function cameOverHttps(headers: IncomingHttpHeaders, isTrusted: (address: string) => boolean): boolean {
  const ways = readWays(headers).filter((way) => way === undefined || way.protos.length > 0);
  return ways.length > 0 && ways.every((way) => way !== undefined && saysHttps(way, isTrusted));
}

/**
 * The nearest proxy must say https. The next ones, if they are ours, must say https or nothing. The first that got the
 * request from a stranger ends the chain: everything before it is only a claim.
 */
function saysHttps({ froms, protos }: Way, isTrusted: (address: string) => boolean): boolean {
  for (let back = 1; ; back++) {
    const proto = protos.at(-back) ?? '';
    if (proto !== 'https' && (back === 1 || proto !== '')) return false;
    const from = froms.at(-back);
    if (from === undefined || !isTrusted(from)) return true;
  }
}

type Fault = typeof NO_WORD;

async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  { warning, detail }: Fault,
  deps: ProxyDeps,
): Promise<void> {
  const caller = await findCaller(request, deps);
  // Only for a valid key: otherwise anyone could fill the log.
  if (caller !== undefined) {
    const fields = { requestId: request.id, keyId: caller.keyId, peer: request.raw.socket.remoteAddress };
    deps.log.warn(fields, warning);
  }
  sendProblem(reply.header('connection', 'close'), 'https-required', { detail });
}

/** Refuses the request even if the store is down. */
async function findCaller(request: FastifyRequest, { authenticate }: ProxyDeps): Promise<Caller | undefined> {
  const { authorization } = request.headers;
  const token = bearerToken(authorization) ?? basicCredentials(authorization)?.password;
  if (token === undefined) return undefined;
  try {
    const identified = await authenticate(token, request.clientAddress);
    return typeof identified === 'string' ? undefined : identified;
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
    throw error;
  }
}
