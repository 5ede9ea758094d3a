import { randomFillSync } from 'node:crypto';

/** Of 96 bits: what GCM takes without hashing it first (SP 800-38D, section 8.2.2). */
export const NONCE_BYTES = 12;
const DRAWN_AT_ONCE = 512;

const drawn = Buffer.alloc(NONCE_BYTES * DRAWN_AT_ONCE);
let used = drawn.length;

/**
 * A random nonce, not drawn before; to be used at once, as its bytes are drawn over later. Many are drawn at once: a call for
 * each costs as much as half of the seal.
 */
export function drawNonce(): Buffer {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += NONCE_BYTES;
  return drawn.subarray(used - NONCE_BYTES, used);
}
