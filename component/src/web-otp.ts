/** WebOTP: the browser reads the code from the SMS, where it can, and asks the person first. */

/** Calls `take` with the code, at most once, unless the signal ends it. */
export function receiveCode(take: (code: string) => void, signal: AbortSignal): void {
  if (!('OTPCredential' in globalThis)) return;
  const options: CredentialRequestOptions & { readonly otp: { readonly transport: readonly string[] } } = {
    otp: { transport: ['sms'] },
    signal,
  };
  navigator.credentials.get(options).then(
    (credential) => {
      if (signal.aborted || credential === null || !('code' in credential)) return;
      take(String(credential.code));
    },
    // Declined, ended, or not allowed here: the person types it.
    () => {},
  );
}
