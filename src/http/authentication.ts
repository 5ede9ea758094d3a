/** Bearer authentication (RFC 6750) of requests, before their body is read. */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Caller } from '../core/verifier.ts';
import { sendProblem } from './problem.ts';

/** Resolves a token: at once for a key it knows already, so that a warm request costs no promise. */
export type Authenticate = (token: string) => Caller | null | Promise<Caller | null>;

/** A hook of Fastify's `onRequest`, in the callback style that costs no promise. */
export type RequestHook = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void;

const CREDENTIALS = /^bearer(?: +(.*))?$/i;

/**
 * The bearer token of an `Authorization` header; undefined when there is none. Another scheme counts as none
 * (RFC 6750, section 3.1); an empty or ill-formed token is a token, and an invalid one.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  if (authorization.startsWith('Bearer ')) return authorization.slice(7).trim();
  const credentials = CREDENTIALS.exec(authorization);
  return credentials === null ? undefined : (credentials[1] ?? '').trim();
}

/** Makes the hook that resolves the caller, or answers 401. */
export function requireKey(authenticate: Authenticate): RequestHook {
  return (request, reply, done) => {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) {
      challenge(reply);
      return;
    }
    const caller = authenticate(token);
    if (caller instanceof Promise) {
      caller.then((resolved) => admit(resolved, request, reply, done), done);
    } else {
      admit(caller, request, reply, done);
    }
  };
}

/** Answers 401 to a request without credentials. */
export function challenge(reply: FastifyReply): void {
  sendProblem(reply.header('www-authenticate', 'Bearer'), 'unauthenticated');
}

/** Answers 401 to a request whose credentials are not valid. */
export function rejectToken(reply: FastifyReply): void {
  sendProblem(reply.header('www-authenticate', 'Bearer error="invalid_token"'), 'invalid-key');
}

function admit(
  caller: Caller | null,
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  if (caller === null) {
    rejectToken(reply);
    return;
  }
  request.caller = caller;
  done();
}
