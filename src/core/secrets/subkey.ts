import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** 256 bits of a secret for one purpose (HKDF-SHA-256, RFC 5869). What is named differently has nothing in common. */
export function deriveSubkey(secret: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `countersign ${purpose}`, 32)));
}
