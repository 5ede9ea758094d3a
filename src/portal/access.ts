/** Who may do what: the hooks before every route of the portal that is not open to all. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Records } from '../core/records.ts';
import type { RequestHook } from '../http/authentication.ts';
import type { AddressOf } from '../http/client-address.ts';
import { sendProblem } from '../http/problem.ts';
import type { Role } from './contract/common.ts';
import { readCookie, SESSION_COOKIE } from './cookie.ts';
import { findSession, isProofFresh, type Session } from './session.ts';
import { isAtLeast, onBehalfOf } from './standing.ts';

/** Who asks, signed in. */
export type Person = Omit<Session, 'role'> & { readonly address: string };

/** Who asks, as a member of the account that the path names. */
export interface Member {
  readonly personId: string;
  readonly personName: string;
  readonly accountId: string;
  readonly role: Role;
  /** Whence the request came: an IP address. */
  readonly address: string;
  /** For what the request changes: does nothing, and throws StandingLost, once the member may not do it any more. */
  readonly records: Records;
}

/**
 * Hooks for `onRequest`. `signedIn` suffices itself. The others stand on /portal/api/accounts/:account/... and ask for a
 * member of that account (404 otherwise: an account of others is as unknown as one that never was), of that role at
 * least (403 otherwise). Those of `proven` then ask for a fresh proof of who it is: for what changes how a person signs in,
 * and for what an open session must not suffice for in an account (who belongs to it, what it lets through, numbers in
 * clear). What ends something never asks: a stop must not wait. Where it depends on what a request is about, a route of
 * live keys say, it asks `isProven` itself.
 */
export interface Access {
  readonly signedIn: RequestHook;
  readonly viewer: RequestHook;
  readonly developer: RequestHook;
  readonly owner: RequestHook;
  readonly proven: { readonly signedIn: RequestHook; readonly owner: RequestHook };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in; declared in the portal's scope alone. */
    person?: Person | null;
    member?: Member | null;
  }
}

export function createAccess(app: FastifyInstance, records: Records, addressOf: AddressOf): Access {
  app.decorateRequest('person', null);
  app.decorateRequest('member', null);

  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    least: Role | undefined,
  ): Promise<boolean> {
    const token = readCookie(request, SESSION_COOKIE);
    const { account } = request.params as { account?: string };
    const session = token === undefined ? undefined : await findSession(records, token, account, Date.now());
    if (session === undefined) {
      sendProblem(reply, 'not-signed-in');
      return false;
    }
    const { role, ...person } = session;
    const address = addressOf(request);
    request.person = { ...person, address };
    if (least === undefined) return true;
    if (account === undefined || role === null) {
      sendProblem(reply, 'not-found');
      return false;
    }
    if (!isAtLeast(role, least)) {
      sendProblem(reply, 'forbidden');
      return false;
    }
    const { personId, personName } = person;
    const member = { personId, personName, accountId: account, role, address };
    request.member = { ...member, records: onBehalfOf(records, member, least) };
    return true;
  }

  const atLeast =
    (least?: Role): RequestHook =>
    (request, reply, done) => {
      admit(request, reply, least).then((admitted) => {
        if (admitted) done();
      }, done);
    };
  const proven =
    (least?: Role): RequestHook =>
    (request, reply, done) => {
      admit(request, reply, least).then((admitted) => {
        if (!admitted) return;
        if (isProven(request)) done();
        else sendProblem(reply, 'proof-needed');
      }, done);
    };
  return {
    signedIn: atLeast(),
    viewer: atLeast('viewer'),
    developer: atLeast('developer'),
    owner: atLeast('owner'),
    proven: { signedIn: proven(), owner: proven('owner') },
  };
}

/** Whether who asks has proven who they are of late. */
export const isProven = (request: FastifyRequest): boolean => isProofFresh(personOf(request), Date.now());

/** The person of a request that passed `signedIn`. */
export function personOf({ person }: FastifyRequest): Person {
  if (!person) throw new Error('the route asks for a person but does not ask that one is signed in');
  return person;
}

/** The member of a request that passed `viewer`, `developer` or `owner`. */
export function memberOf({ member }: FastifyRequest): Member {
  if (!member) throw new Error('the route asks for a member but does not ask for a role');
  return member;
}
