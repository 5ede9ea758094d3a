/** Single sign-on. */
import Type, { type Static } from 'typebox';
import { Id, Instant } from '../contract.ts';

/**
 * GET /portal/api/oidc/:name redirects to a provider, which sends the browser back to .../callback. From there it comes to
 * /portal/ with a session, or to /portal/sign-in?sso=FAULT:
 * - `unreachable`, `denied`, `invalid`: the provider does not answer, did not let them in, or answered what cannot be trusted;
 * - `restart`: it was not begun in this browser, too long ago, or finished before;
 * - `unverified`, `unknown`: no verified address comes with them, or nobody is known by it;
 * - `linked-otherwise`: the address is of somebody whom the provider knows as another;
 * - `limited`: too many attempts from that place.
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

/** Whom a provider of single sign-on knows the person as. DELETE /portal/api/me/identities/:id answers 204. */
export const LinkedIdentity = Type.Object({
  id: Id,
  issuer: Type.String(),
  created_at: Instant,
  last_used_at: Instant,
});
export type LinkedIdentity = Static<typeof LinkedIdentity>;
