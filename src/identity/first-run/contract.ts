/** From an empty installation to its first owner. */
import Type, { type Static } from 'typebox';
import { Email, Name, OneTimeToken, Password } from '../../operations/contract.ts';

/** GET /portal/api/state; no session needed. */
export const PortalState = Type.Object({
  /** There is no owner yet; the one-time link of the first run makes one. */
  setup_needed: Type.Boolean(),
  oidc: Type.Array(Type.Object({ name: Type.String(), label: Type.String() })),
  /** The certificate is self-signed, so clients need a copy of it. */
  own_certificate: Type.Boolean(),
});
export type PortalState = Static<typeof PortalState>;

/** POST /portal/api/setup. Answers 204 with a session. */
export const Setup = Type.Object({ token: OneTimeToken, name: Name, email: Email, password: Password });
export type Setup = Static<typeof Setup>;
