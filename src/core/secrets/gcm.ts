/** AES-256-GCM (NIST SP 800-38D) with nonces of 96 bits and tags of 128. */
import { createCipheriv, createDecipheriv } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Answers the enciphered text with its tag behind it. `associated` is authenticated along with it. */
export function encipher(key: Buffer, nonce: Buffer, text: Buffer, associated: Buffer): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(associated);
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when anything differs from what was enciphered. */
export function decipher(key: Buffer, nonce: Buffer, enciphered: Buffer, associated: Buffer): Buffer {
  const end = Math.max(0, enciphered.length - TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(associated)
    .setAuthTag(enciphered.subarray(end));
  return Buffer.concat([decipher.update(enciphered.subarray(0, end)), decipher.final()]);
}
