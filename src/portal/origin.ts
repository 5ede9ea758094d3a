/** Whence a request comes: changes are taken from our own pages alone. */
import type { FastifyRequest } from 'fastify';
import type { RequestHook } from '../http/authentication.ts';
import { sendProblem } from '../http/problem.ts';

const SAFE = new Set(['GET', 'HEAD']);

/** Where this service is for whoever asks, such as `https://localhost:8443`. */
export function ownOrigin({ headers }: FastifyRequest): string {
  return `https://${headers.host}`;
}

/**
 * Refuses what another site has a browser send. Fetch metadata cannot be set by a page, and every current browser sends
 * it; the origin is for those that do not. Who sends neither is no browser of ours.
 */
export const refuseCrossSite: RequestHook = (request, reply, done) => {
  if (SAFE.has(request.method) || isFromHere(request)) done();
  else sendProblem(reply, 'cross-site');
};

function isFromHere(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  return site === undefined ? origin === ownOrigin(request) : site === 'same-origin';
}
