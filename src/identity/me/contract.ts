/** A person’s own data. */
import Type, { type Static } from 'typebox';
import { Email, Id, Instant, Name, OneOf, Password, Role } from '../../operations/contract.ts';
import { Passkey } from '../factors/contract.ts';
import { LinkedIdentity } from '../oidc/contract.ts';

/**
 * POST /portal/api/me/proof, or POST /portal/api/me/proof/passkey with a PasskeySignIn, renews the proof of identity after
 * `proof-needed`. Both answer 204.
 */
export const IdentityProof = Type.Object({ password: Type.String({ minLength: 1, maxLength: 256 }) });
export type IdentityProof = Static<typeof IdentityProof>;

/** GET /portal/api/me. */
export const Me = Type.Object({
  id: Id,
  name: Name,
  email: Email,
  has_password: Type.Boolean(),
  totp: Type.Boolean(),
  recovery_codes_left: Type.Integer(),
  passkeys: Type.Array(Passkey),
  identities: Type.Array(LinkedIdentity),
  accounts: Type.Array(Type.Object({ id: Id, name: Name, role: Role })),
});
export type Me = Static<typeof Me>;

/** POST /portal/api/me/password; other sessions end. Answers 204. */
export const NewPassword = Type.Object({
  current: Type.Optional(Type.String({ maxLength: 256 })),
  password: Password,
});
export type NewPassword = Static<typeof NewPassword>;

/** GET /portal/api/me/sessions; DELETE .../sessions/:id ends one; DELETE .../sessions ends all, including this one. */
export const Sessions = Type.Array(
  Type.Object({
    id: Id,
    current: Type.Boolean(),
    created_at: Instant,
    last_used_at: Instant,
    address: Type.String(),
    /** Browser and system in a few words. */
    agent: Type.String(),
    method: OneOf(['password', 'password+totp', 'passkey', 'oidc']),
  }),
);
export type Sessions = Static<typeof Sessions>;
