import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';

export const signInWithPasskey = (
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON> => explained(startAuthentication({ optionsJSON: options }));

export const registerPasskey = (
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<RegistrationResponseJSON> => explained(startRegistration({ optionsJSON: options }));

async function explained<Answer>(ceremony: Promise<Answer>): Promise<Answer> {
  try {
    return await ceremony;
  } catch (error) {
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') {
      throw new Error('This device already has a passkey of yours for this portal.');
    }
    if (error instanceof Error && error.name === 'NotAllowedError') {
      throw new Error(
        'No passkey was received. You cancelled, it took too long, or there is no passkey for this portal.',
      );
    }
    throw error;
  }
}
