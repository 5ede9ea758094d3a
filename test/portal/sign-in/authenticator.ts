/** An authenticator in software: one passkey on ES256, as WebAuthn (Level 3) and CBOR (RFC 8949) write it. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

export interface AuthenticatorOptions {
  /** The origin of the page, as the browser reports it. */
  readonly origin: string;
  /** The domain that the passkey is bound to, if not the page's. */
  readonly rpId?: string;
  /** False if it asks its user for neither fingerprint nor PIN. */
  readonly verifiesUser?: boolean;
  /** False if it is copied between devices and therefore does not count uses: it always says 0. */
  readonly counts?: boolean;
}

interface Asked {
  readonly challenge: string;
}

export function createAuthenticator({
  origin,
  rpId,
  verifiesUser = true,
  counts = true,
}: AuthenticatorOptions) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;

  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
  const clientData = (type: string, { challenge }: Asked) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (flags: number, hasVerified: boolean, rest = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    if (counts) count.writeUInt32BE(++counter);
    const said = USER_PRESENT | (hasVerified ? USER_VERIFIED : 0) | flags;
    return Buffer.concat([sha256(rpId ?? new URL(origin).hostname), Buffer.from([said]), count, rest]);
  };
  const answer = <Response>(response: Response) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    response,
    clientExtensionResults: {},
  });

  return {
    /** The result of `navigator.credentials.create`. */
    create(asked: Asked) {
      const key = Buffer.concat([
        // Map of five: kty EC2, alg ES256, crv P-256 (RFC 9053, section 7.1.1).
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
        bytes(Buffer.from(x, 'base64url')),
        Buffer.from([0x22]),
        bytes(Buffer.from(y, 'base64url')),
      ]);
      const length = Buffer.from([0, id.length]);
      const data = authenticatorData(
        ATTESTED,
        verifiesUser,
        Buffer.concat([Buffer.alloc(16), length, id, key]),
      );
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(data),
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', asked).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal' as const],
      });
    },
    /** The result of `navigator.credentials.get`. */
    get(asked: Asked, hasVerified = verifiesUser) {
      const data = authenticatorData(0, hasVerified);
      const client = clientData('webauthn.get', asked);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
    /** As on a copy that was made earlier. */
    rewind(by: number) {
      counter -= by;
    },
  };
}

function bytes(value: Buffer): Buffer {
  const head = value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}
