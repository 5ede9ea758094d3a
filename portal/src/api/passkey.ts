import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';

export const signInWithPasskey = (options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> =>
  explained(startAuthentication({ optionsJSON: options }));

export const registerPasskey = (options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> =>
  explained(startRegistration({ optionsJSON: options }));

async function explained(ceremony: Promise<unknown>): Promise<unknown> {
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
