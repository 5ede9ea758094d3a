/** AES-256-GCM (NIST SP 800-38D) with nonces of 96 bits and tags of 128. */
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { NONCE_BYTES } from './nonces.ts';

const ALGORITHM = 'aes-256-gcm';
const TAG_BYTES = 16;
const OPTIONS = { authTagLength: TAG_BYTES };

/** Answers the nonce, the enciphered text and the tag in one. `associated` is authenticated along with it. */
export function encipher(key: KeyObject, nonce: Buffer, text: Buffer, associated: Buffer): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce, OPTIONS).setAAD(associated);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Takes what `encipher` answers. Throws when anything differs from it. */
export function decipher(key: KeyObject, sealed: Buffer, associated: Buffer): Buffer {
  const end = Math.max(NONCE_BYTES, sealed.length - TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), OPTIONS)
    .setAAD(associated)
    .setAuthTag(sealed.subarray(end));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]);
}
