/** Who may do what: the table in `routes.ts` says it for each route, and the hooks here enforce it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Member, onBehalfOf } from '../accounts/standing.ts';
import { nameOfPerson } from '../core/accounts/actor.ts';
import { isAtLeast, type MemberRole } from '../core/accounts/role.ts';
import type { RequestHook } from '../http/admission/authentication.ts';
import { type ProblemName, sendProblem } from '../http/problem.ts';
import type { HttpMethod } from '../operations/operation.ts';
import { readCookie, SESSION_COOKIE } from './cookie.ts';
import type { SignInDeps } from './deps.ts';
import { findSession, isProofFresh, type Session } from './sign-in/session.ts';

/** A person who is signed in. */
export type Person = Omit<Session, 'role'> & { readonly address: string };

type Who = 'anybody' | 'signed-in' | MemberRole;
type Proof = 'unproven' | 'proven' | 'proven at times';

/** Who may use a route. Its hook and its description follow from this. */
export interface Access {
  readonly who: Who;
  readonly proof: Proof;
}

/**
 * A role is the lowest that may use the route, in the account that the path names (/portal/api/accounts/:account/...).
 * People who are not members get 404, so that nobody learns which accounts exist; members with a lower role get 403.
 * `proven` also needs a fresh proof of identity: for changes to sign-in, members and settings, for full numbers, and for
 * sending again to who is on the do-not-send list.
 * Operations that end something never need one: a stop must not wait. With `proven at times` the operation calls
 * `isProven` itself, for example for a live key.
 */
export const as = (who: Who, proof: Proof = 'unproven'): Access => ({ who, proof });

export type HookFor = (access: Access) => RequestHook;

export const securityOf = ({ who }: Access) => ({ security: who === 'anybody' ? [] : [{ session: [] }] });

/** The problems of a route that follow from its access and its method. */
export function problemsOf({ who, proof }: Access, method: HttpMethod): readonly ProblemName[] {
  return [
    ...(who === 'anybody' ? [] : (['not-signed-in', 'unavailable', 'outcome-unknown'] as const)),
    ...(roleOf(who) === undefined ? [] : (['not-found', 'forbidden'] as const)),
    ...(proof === 'unproven' ? [] : (['proof-needed'] as const)),
    ...(method === 'GET'
      ? []
      : (['invalid-request', 'cross-site', 'unavailable', 'outcome-unknown'] as const)),
  ];
}

const roleOf = (who: Who): MemberRole | undefined =>
  who === 'anybody' || who === 'signed-in' ? undefined : who;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in; only in the portal's scope. */
    person?: Person | null;
    /** Their membership in the account that the path names. */
    member?: Member | null;
  }
}

type AccessDeps = Pick<SignInDeps, 'clock' | 'records'>;

export function createAccess(app: FastifyInstance, deps: AccessDeps): HookFor {
  const { clock, records } = deps;
  app.decorateRequest('person', null);
  app.decorateRequest('member', null);

  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    least: MemberRole | undefined,
  ): Promise<boolean> {
    const token = readCookie(request, SESSION_COOKIE);
    const { account } = request.params as { account?: string };
    const session =
      token === undefined ? undefined : await findSession(records, token, account, clock.wall());
    if (session === undefined) {
      sendProblem(reply, 'not-signed-in');
      return false;
    }
    const { role, ...person } = session;
    const address = request.clientAddress;
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
    const { personId, personName, email } = person;
    const name = nameOfPerson({ name: personName, email });
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
        if (proof !== 'proven' || isProven(deps, request)) done();
        else sendProblem(reply, 'proof-needed');
      }, done);
    };
  };
}

/** Whether the person proved their identity recently. */
export const isProven = ({ clock }: Pick<AccessDeps, 'clock'>, request: FastifyRequest): boolean =>
  isProofFresh(personOf(request), clock.wall());

/** The person of a request that passed the hook. */
export function personOf({ person }: FastifyRequest): Person {
  if (!person) throw new Error('the route needs a person but does not require a sign-in');
  return person;
}

/** The member of a request that passed the hook with a role. */
export function memberOf({ member }: FastifyRequest): Member {
  if (!member) throw new Error('the route needs a member but does not require a role');
  return member;
}
