/** Passkeys, and the second factor after a password. */
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import Type, { type Static } from 'typebox';
import { Id, Instant, Name, Optional } from '../../operations/contract.ts';
import { Bytes, browserAnswer } from '../sign-in/contract.ts';

/** POST /portal/api/me/passkeys/options: for the browser (WebAuthn). */
export const PasskeyCreation = Type.Object({
  options: Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>({}),
});

/** POST /portal/api/me/passkeys; answers 201 with the passkey. DELETE /portal/api/me/passkeys/:id answers 204. */
export const NewPasskey = Type.Object({
  name: Name,
  /** `RegistrationResponseJSON` */
  response: browserAnswer(
    Type.Object({
      clientDataJSON: Bytes,
      attestationObject: Bytes,
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
    }),
  ),
});
export type NewPasskey = Static<typeof NewPasskey>;

export const Passkey = Type.Object({
  id: Id,
  name: Name,
  created_at: Instant,
  last_used_at: Optional(Instant),
});
export type Passkey = Static<typeof Passkey>;

/** POST /portal/api/me/totp starts; POST /portal/api/me/totp/confirm answers RecoveryCodes; DELETE turns it off. */
export const TotpSecret = Type.Object({
  /** Base 32, for typing in. */
  secret: Type.String(),
  /** otpauth:// URI, for a QR code. */
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
