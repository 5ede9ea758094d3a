/** A certificate with its key, for TLS. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';

/** Certificate chain and private key, both PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface KeyPairFiles {
  readonly cert: string;
  readonly key: string;
}

/** When the certificate that clients are shown expires, in ms since 1970. The chain's first one counts. */
export function validUntil({ cert }: Pick<KeyPair, 'cert'>): number {
  return new X509Certificate(cert).validToDate.getTime();
}

/** Throws when the pair cannot be read or parsed, or does not belong together. */
export async function readKeyPair(files: KeyPairFiles): Promise<KeyPair> {
  const pair = await readUnchecked(files);
  checkKeyPair(pair);
  return pair;
}

/** What is in the files; throws when one of them cannot be read. */
export async function readUnchecked(files: KeyPairFiles): Promise<KeyPair> {
  const [cert, key] = await Promise.all([readFile(files.cert, 'utf8'), readFile(files.key, 'utf8')]);
  return { cert, key };
}

/** Throws when the pair cannot be parsed, or does not belong together. */
export function checkKeyPair({ cert, key }: KeyPair): void {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new Error('The certificate and the key do not belong together');
  }
  createSecureContext({ cert, key });
}
