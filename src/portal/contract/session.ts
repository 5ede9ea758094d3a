/** Signing in, and what a person's own account holds. */
import Type, { type Static } from 'typebox';
import { Email, Id, Instant, Name, OneTimeToken, Optional, Password, Role } from './common.ts';

/** GET /portal/api/state; no session needed. */
export const PortalState = Type.Object({
  /** No owner yet: the one-time link of the first run makes one. */
  setup_needed: Type.Boolean(),
  oidc: Type.Array(Type.Object({ name: Type.String(), label: Type.String() })),
  /** The service made its certificate itself: clients have to be given it. */
  own_certificate: Type.Boolean(),
});
export type PortalState = Static<typeof PortalState>;

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

/** POST /portal/api/setup. Answers 204 with a session. */
export const Setup = Type.Object({ token: OneTimeToken, name: Name, email: Email, password: Password });
export type Setup = Static<typeof Setup>;

/** POST /portal/api/reset, with the token of the link that `countersign portal reset` prints. Answers 204 with a session. */
export const Reset = Type.Object({ token: OneTimeToken, password: Password });
export type Reset = Static<typeof Reset>;

/** POST /portal/api/session; DELETE signs out, answers 204. */
export const SignIn = Type.Object({ email: Email, password: Type.String({ minLength: 1, maxLength: 256 }) });
export type SignIn = Static<typeof SignIn>;

export const SignInAnswer = Type.Object({
  next: Type.Unsafe<'signed-in' | 'second-factor'>({ type: 'string', enum: ['signed-in', 'second-factor'] }),
});
export type SignInAnswer = Static<typeof SignInAnswer>;

/** POST /portal/api/session/second-factor: six digits of the authenticator, or a recovery code. Answers 204. */
export const SecondFactor = Type.Object({ code: Type.String({ minLength: 6, maxLength: 32 }) });
export type SecondFactor = Static<typeof SecondFactor>;

/** POST /portal/api/session/passkey/options and /portal/api/me/passkeys/options: WebAuthn options, as JSON. */
export const PasskeyOptions = Type.Object({ options: Type.Unknown() });

/** What is in binary is base64url. */
const Bytes = Type.String({ maxLength: 8_192 });

/** POST /portal/api/session/passkey; answers 204. */
export const PasskeySignIn = Type.Object({
  /** As the browser has it (WebAuthn, `AuthenticationResponseJSON`). */
  response: Type.Object({
    id: Bytes,
    rawId: Bytes,
    type: Type.Literal('public-key'),
    response: Type.Object({
      clientDataJSON: Bytes,
      authenticatorData: Bytes,
      signature: Bytes,
      userHandle: Type.Optional(Bytes),
    }),
    clientExtensionResults: Type.Object({}),
  }),
});
export type PasskeySignIn = Static<typeof PasskeySignIn>;

/** POST /portal/api/me/passkeys; answers 201 with the passkey. DELETE /portal/api/me/passkeys/:id answers 204. */
export const NewPasskey = Type.Object({
  name: Name,
  /** As the browser has it (WebAuthn, `RegistrationResponseJSON`). */
  response: Type.Object({
    id: Bytes,
    rawId: Bytes,
    type: Type.Literal('public-key'),
    response: Type.Object({
      clientDataJSON: Bytes,
      attestationObject: Bytes,
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
    }),
    clientExtensionResults: Type.Object({}),
  }),
});
export type NewPasskey = Static<typeof NewPasskey>;

export const Passkey = Type.Object({
  id: Id,
  name: Name,
  created_at: Instant,
  last_used_at: Optional(Instant),
});
export type Passkey = Static<typeof Passkey>;

/** Whom a provider of single sign-on knows the person as. DELETE /portal/api/me/identities/:id answers 204. */
export const LinkedIdentity = Type.Object({
  id: Id,
  issuer: Type.String(),
  created_at: Instant,
  last_used_at: Instant,
});
export type LinkedIdentity = Static<typeof LinkedIdentity>;

/**
 * POST /portal/api/me/proof: proves again who is signed in, for what answers `proof-needed` without that. POST
 * /portal/api/me/proof/passkey does with a PasskeySignIn. Both answer 204.
 */
export const Proof = Type.Object({ password: Type.String({ minLength: 1, maxLength: 256 }) });
export type Proof = Static<typeof Proof>;

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

/** POST /portal/api/me/totp begins; POST /portal/api/me/totp/confirm proves it and answers RecoveryCodes; DELETE ends it. */
export const TotpSecret = Type.Object({
  /** Base 32, for typing in. */
  secret: Type.String(),
  /** otpauth:// address, for a QR code. */
  uri: Type.String(),
});
export type TotpSecret = Static<typeof TotpSecret>;

export const TotpCode = Type.Object({
  code: Type.String({ pattern: '^[0-9]{6}$', description: 'Six digits.' }),
});
export type TotpCode = Static<typeof TotpCode>;

/** Shown once. POST /portal/api/me/recovery-codes makes new ones. */
export const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(Type.String()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;

/** GET /portal/api/me/sessions; DELETE /portal/api/me/sessions/:id; DELETE /portal/api/me/sessions ends all, this one too. */
export const Sessions = Type.Array(
  Type.Object({
    id: Id,
    current: Type.Boolean(),
    created_at: Instant,
    last_used_at: Instant,
    address: Type.String(),
    /** Browser and system in a few words. */
    agent: Type.String(),
    method: Type.Unsafe<'password' | 'password+totp' | 'passkey' | 'oidc'>({
      type: 'string',
      enum: ['password', 'password+totp', 'passkey', 'oidc'],
    }),
  }),
);
export type Sessions = Static<typeof Sessions>;
