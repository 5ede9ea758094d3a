/** The tokens of Vonage applications. */
import { randomUUID } from 'node:crypto';
import { createTokenSigner } from '../signed-token.ts';

/** Longer than any request takes, too short to be of use to anyone who finds one. */
const LIFETIME_S = 300;

/**
 * Makes tokens that are valid from a time, in Unix ms.
 * @throws Error that names the option if the key is not valid
 */
export function createTokenMaker(
  { applicationId, privateKey }: { readonly applicationId: string; readonly privateKey: string },
  group: string,
): (now: number) => string {
  const sign = createTokenSigner(privateKey, `${group}.privateKey`);
  return (now) => {
    const issued = Math.floor(now / 1_000);
    return sign({
      application_id: applicationId,
      iat: issued,
      exp: issued + LIFETIME_S,
      jti: randomUUID(),
    });
  };
}
