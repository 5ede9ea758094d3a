/** Signing in. */
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import Type, { type Static, type TSchema } from 'typebox';
import { Email, OneOf } from '../../operations/contract.ts';

/** POST /portal/api/session; DELETE signs out, answers 204. */
export const SignIn = Type.Object({ email: Email, password: Type.String({ minLength: 1, maxLength: 256 }) });
export type SignIn = Static<typeof SignIn>;

export const SignInAnswer = Type.Object({ next: OneOf(['signed-in', 'second-factor']) });
export type SignInAnswer = Static<typeof SignInAnswer>;

/** POST /portal/api/session/second-factor: six digits of the authenticator, or a recovery code. Answers 204. */
export const SecondFactor = Type.Object({ code: Type.String({ minLength: 6, maxLength: 32 }) });
export type SecondFactor = Static<typeof SecondFactor>;

/** POST /portal/api/session/passkey/options: for the browser (WebAuthn). */
export const PasskeyChallenge = Type.Object({
  options: Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>({}),
});

/** Binary data in base64url. */
export const Bytes = Type.String({ maxLength: 8_192 });

/** What a browser answers by WebAuthn. It may say more. */
export const browserAnswer = <Response extends TSchema>(response: Response) =>
  Type.Object(
    {
      id: Bytes,
      rawId: Bytes,
      type: Type.Literal('public-key'),
      response,
      clientExtensionResults: Type.Object({}),
    },
    { additionalProperties: true },
  );

/** POST /portal/api/session/passkey; answers 204. */
export const PasskeySignIn = Type.Object({
  /** `AuthenticationResponseJSON` */
  response: browserAnswer(
    Type.Object({
      clientDataJSON: Bytes,
      authenticatorData: Bytes,
      signature: Bytes,
      userHandle: Type.Optional(Bytes),
    }),
  ),
});
export type PasskeySignIn = Static<typeof PasskeySignIn>;
