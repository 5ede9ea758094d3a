/** Who may do what: the hooks before every route of the portal that is not open to all. */
import type { FastifyRequest } from 'fastify';
import type { RequestHook } from '../http/authentication.ts';
import type { Role } from './contract/common.ts';

/** Who asks, as a member of the account that the path names. */
export interface Member {
  readonly personId: string;
  readonly personName: string;
  readonly accountId: string;
  readonly role: Role;
  /** Whence the request came: an IP address. */
  readonly address: string;
}

/** Hooks for `onRequest`: signed in, a member of `:account` (else 404), of that role at least (else 403). */
export interface Access {
  readonly signedIn: RequestHook;
  readonly viewer: RequestHook;
  readonly developer: RequestHook;
  readonly owner: RequestHook;
}

declare module 'fastify' {
  interface FastifyRequest {
    member?: Member | null;
  }
}

/** The member of a request that passed `viewer`, `developer` or `owner`. */
export function memberOf({ member }: FastifyRequest): Member {
  if (!member) throw new Error('the route asks for a member but does not ask for a role');
  return member;
}
