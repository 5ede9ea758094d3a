/** What hooks and handlers leave on a request for each other. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../core/verification/request.ts';
import type { ProblemName } from './problem.ts';
import { readClientAddress } from './proxy/client-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it came from, seen through our own proxies. */
    readonly clientAddress: string;
    /** Whose key the request carries; null on routes without authentication. */
    caller: Caller | null;
    /** The problem it was answered with, for the log line. */
    problem: ProblemName | null;
  }
}

/** Declares the fields, so that all request objects have the same shape from the start. */
export function decorateRequests(app: FastifyInstance, trustedPeers: readonly string[]): void {
  const addressOf = readClientAddress(trustedPeers);
  app.decorateRequest('clientAddress', {
    getter() {
      return addressOf(this);
    },
  });
  app.decorateRequest('caller', null);
  app.decorateRequest('problem', null);
}

/** The caller of a request that passed authentication. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('The route asks for a caller but has no authentication');
  return request.caller;
}
