/** Who may do what: said of each route in the table (`routes.ts`), and held here before it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAtLeast, type Member, onBehalfOf, type Role } from '../accounts/standing.ts';
import type { Records } from '../core/records.ts';
import type { RequestHook } from '../http/authentication.ts';
import type { AddressOf } from '../http/client-address.ts';
import { type ProblemName, sendProblem } from '../http/problem.ts';
import { readCookie, SESSION_COOKIE } from './cookie.ts';
import type { Method } from './operation.ts';
import { findSession, isProofFresh, type Session } from './sign-in/session.ts';

/** Who asks, signed in. */
export type Person = Omit<Session, 'role'> & { readonly address: string };

type Who = 'anybody' | 'signed-in' | Role;
type Proof = 'unproven' | 'proven' | 'proven at times';

/** Who may use a route. What guards it, and what its description says of that, follows from here alone. */
export interface Access {
  readonly who: Who;
  readonly proof: Proof;
}

/**
 * A role is one in the account that the path names, /portal/api/accounts/:account/..., and the least that will do: who is
 * no member is answered 404, as an account of others is as unknown as one that never was, and who is less 403. `proven`
 * then asks for a fresh proof of who it is: for what changes how a person signs in, and for what an open session must not
 * suffice for in an account (who belongs to it, what it lets through, numbers in clear). What ends something never asks: a
 * stop must not wait. With `proven at times` it depends on what the request is about, a live key say, and the operation
 * asks `isProven` itself.
 */
export const as = (who: Who, proof: Proof = 'unproven'): Access => ({ who, proof });

/** The hook for `onRequest` that holds a route to its access. */
export type HookFor = (access: Access) => RequestHook;

/** The session's cookie. */
const SESSION = [{ session: [] }] as const;

export const securityOf = ({ who }: Access) => (who === 'anybody' ? undefined : SESSION);

/** What a route answers to those who may not use it, or not now. */
export function problemsOf({ who, proof }: Access, method: Method): readonly ProblemName[] {
  return [
    ...(who === 'anybody' ? [] : (['not-signed-in', 'unavailable', 'outcome-unknown'] as const)),
    ...(roleOf(who) === undefined ? [] : (['not-found', 'forbidden'] as const)),
    ...(proof === 'unproven' ? [] : (['proof-needed'] as const)),
    ...(method === 'GET'
      ? []
      : (['invalid-request', 'cross-site', 'unavailable', 'outcome-unknown'] as const)),
  ];
}

const roleOf = (who: Who): Role | undefined => (who === 'anybody' || who === 'signed-in' ? undefined : who);

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in; declared in the portal's scope alone. */
    person?: Person | null;
    /** As what, in the account that the path names. */
    member?: Member | null;
  }
}

export function createAccess(app: FastifyInstance, records: Records, addressOf: AddressOf): HookFor {
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
    const { personId, personName: name } = person;
    const member = { personId, name, accountId: account, role, address };
    request.member = { ...member, records: onBehalfOf(records, member, least) };
    return true;
  }

  return ({ who, proof }) => {
    if (who === 'anybody') return (_request, _reply, done) => done();
    const least = roleOf(who);
    return (request, reply, done) => {
      admit(request, reply, least).then((admitted) => {
        if (!admitted) return;
        if (proof !== 'proven' || isProven(request)) done();
        else sendProblem(reply, 'proof-needed');
      }, done);
    };
  };
}

/** Whether who asks has proven who they are of late. */
export const isProven = (request: FastifyRequest): boolean => isProofFresh(personOf(request), Date.now());

/** The person of a request that was let in as signed in. */
export function personOf({ person }: FastifyRequest): Person {
  if (!person) throw new Error('the route asks for a person but does not ask that one is signed in');
  return person;
}

/** The member of a request that was let in by a role. */
export function memberOf({ member }: FastifyRequest): Member {
  if (!member) throw new Error('the route asks for a member but does not ask for a role');
  return member;
}
