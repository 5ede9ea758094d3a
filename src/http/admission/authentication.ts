/** Bearer authentication (RFC 6750) of requests, before their body is read. */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Caller } from '../../core/verification/request.ts';
import { sendProblem } from '../problem.ts';

/** Why a key is not valid. */
type KeyRefusal = 'unknown' | 'expired' | 'wrong-source';

export type Identified = Caller | KeyRefusal;

/** Resolves a token that came from an address. A known key is resolved at once, so that a warm request costs no promise. */
export type Authenticate = (token: string, address: string) => Identified | Promise<Identified>;

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
    const identified = authenticate(token, request.clientAddress);
    if (identified instanceof Promise) {
      identified.then((resolved) => admit(resolved, request, reply, done), done);
    } else {
      admit(identified, request, reply, done);
    }
  };
}

/** Answers 401 to a request without credentials. */
export function challenge(reply: FastifyReply): void {
  sendProblem(reply.header('www-authenticate', 'Bearer'), 'unauthenticated');
}

/** Answers 401 to a request whose credentials are not valid. */
export function rejectToken(reply: FastifyReply, detail?: string): void {
  const challenged = reply.header('www-authenticate', 'Bearer error="invalid_token"');
  sendProblem(challenged, 'invalid-key', detail === undefined ? undefined : { detail });
}

/** Only the holder of a key reads these, so they give nothing away. */
const DETAILS: Readonly<Record<KeyRefusal, string | undefined>> = {
  unknown: undefined,
  expired: 'The key has expired. Create a new one. Rotate keys before they expire.',
  'wrong-source': 'The key may not be used from the address that this request came from.',
};

function admit(
  identified: Identified,
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  if (typeof identified === 'string') {
    rejectToken(reply, DETAILS[identified]);
    return;
  }
  request.caller = identified;
  done();
}
