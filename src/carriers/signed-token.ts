/** JSON Web Tokens signed with RS256 (RFC 7519), as those are that an API wants of us. */
import { createPrivateKey, sign } from 'node:crypto';

/**
 * Signs claims.
 *
 * @param option names the key where something is wrong with it
 * @param head what the header says besides the algorithm
 * @throws Error that names the option if the key is not valid
 */
export function createTokenSigner(
  privateKey: string,
  option: string,
  head: Readonly<Record<string, string>> = {},
): (claims: object) => string {
  const key = readKey(privateKey, option);
  const header = encode({ alg: 'RS256', typ: 'JWT', ...head });
  return (claims) => {
    const signed = `${header}.${encode(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  };
}

function readKey(pem: string, option: string) {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Reported below, without any part of the key.
  }
  throw new Error(`${option}: not an RSA private key in PEM`);
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
