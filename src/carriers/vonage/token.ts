/** The tokens of Vonage applications: JWTs signed with RS256 (RFC 7519). */
import { createPrivateKey, randomUUID, sign } from 'node:crypto';

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
  const key = readKey(privateKey, group);
  const header = encode({ alg: 'RS256', typ: 'JWT' });
  return (now) => {
    const issued = Math.floor(now / 1_000);
    const claims = encode({
      application_id: applicationId,
      iat: issued,
      exp: issued + LIFETIME_S,
      jti: randomUUID(),
    });
    const signed = `${header}.${claims}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  };
}

function readKey(pem: string, group: string) {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Reported below, without any part of the key.
  }
  throw new Error(`${group}.privateKey: not an RSA private key in PEM`);
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
