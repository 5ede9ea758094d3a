/** HMAC-SHA-256 (RFC 2104, FIPS 198-1), shortened, with a mark of the format in front. */
import { createHmac, type KeyObject } from 'node:crypto';
import { deriveSubkey } from './subkey.ts';

/** What is hashed, each under a key of its own. */
export type HashPurpose =
  | 'codes'
  | 'destinations'
  | 'recipients'
  | 'idempotency'
  | 'endings'
  | 'devices'
  | 'networks'
  | 'client devices'
  | 'user agents';

/** Of the format; no hash of version 0.1 begins with it. No comma, no dot: lists hold them. */
const MARK = '2~';

/**
 * 22 characters of base64url hold 132 bits, which is far past guessing, and half the size in every row and index. RFC 2104
 * (section 5) allows it from half of the hash's length on, here 128 bits: the leftmost bits of an HMAC are a MAC of that length.
 */
const LENGTH = 22;

export class KeyedHashes {
  readonly #keys: Readonly<Record<HashPurpose, KeyObject>>;

  constructor(secret: string) {
    const key = (purpose: HashPurpose) => deriveSubkey(secret, `hmac of ${purpose}`);
    this.#keys = {
      codes: key('codes'),
      destinations: key('destinations'),
      recipients: key('recipients'),
      idempotency: key('idempotency'),
      endings: key('endings'),
      devices: key('devices'),
      networks: key('networks'),
      'client devices': key('client devices'),
      'user agents': key('user agents'),
    };
  }

  hash(purpose: HashPurpose, text: string): string {
    return hmac(this.#keys[purpose], text);
  }
}

export function hmac(key: KeyObject, text: string | Buffer): string {
  return MARK + createHmac('sha256', key).update(text).digest('base64url').slice(0, LENGTH);
}
