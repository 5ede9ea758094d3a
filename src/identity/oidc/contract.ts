/** Single sign-on. */
import Type, { type Static } from 'typebox';
import { Id, Instant } from '../../operations/contract.ts';

/**
 * GET /portal/api/oidc/:name redirects to a provider, which sends the browser back to .../callback. That redirects to
 * /portal/ with a session, to /portal/me?sso=anew if what had signed the person in before has ended, or to
 * /portal/sign-in?sso=FAULT:
 * - `unreachable`, `denied`, `invalid`: the provider does not answer, refuses, or answers something untrustworthy;
 * - `restart`: the sign-in began in another browser or too long ago, or is already finished;
 * - `unverified`, `unknown`: the provider has not verified the address, or nobody here has it;
 * - `linked-otherwise`: the address belongs to a person who is linked to another identity of the provider;
 * - `limited`: too many attempts from that address.
 */
export const SingleSignOnFault = Type.Enum([
  'unreachable',
  'denied',
  'invalid',
  'restart',
  'unverified',
  'unknown',
  'linked-otherwise',
  'limited',
]);
export type SingleSignOnFault = Static<typeof SingleSignOnFault>;

/** A person's identity at a provider. DELETE /portal/api/me/identities/:id answers 204. */
export const LinkedIdentity = Type.Object({
  id: Id,
  issuer: Type.String(),
  created_at: Instant,
  last_used_at: Instant,
});
export type LinkedIdentity = Static<typeof LinkedIdentity>;
