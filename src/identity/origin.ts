/** Where a request comes from: changes are accepted only from our own pages. */
import type { FastifyRequest } from 'fastify';
import type { RequestHook } from '../http/admission/authentication.ts';
import { isSameOrigin, originOfHost } from '../http/origin.ts';
import { sendProblem } from '../http/problem.ts';

const SAFE = new Set(['GET', 'HEAD']);

/** The service's origin as the client sees it, such as `https://localhost:8443`. */
export function ownOrigin({ headers }: FastifyRequest): string {
  return originOfHost(headers.host);
}

/**
 * Refuses requests that another site makes a browser send. A page cannot set fetch metadata, and every current browser
 * sends it; the origin is for older ones. A request with neither is refused.
 */
export const refuseCrossSite: RequestHook = (request, reply, done) => {
  if (SAFE.has(request.method) || isFromHere(request)) done();
  else sendProblem(reply, 'cross-site');
};

function isFromHere(request: FastifyRequest): boolean {
  const { host, origin, 'sec-fetch-site': site } = request.headers;
  return site === undefined ? isSameOrigin(origin, host) : site === 'same-origin';
}
