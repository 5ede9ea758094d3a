/**
 * What one secret seals: by AES-256-GCM, under a subkey for each UTC day. A key may seal 2^32 texts under random nonces
 * (SP 800-38D, section 8.3), which all nodes together do not reach in a day below 24,000 verifications a second, two seals each.
 */
import { randomBytes } from 'node:crypto';
import { decipher, encipher, NONCE_BYTES } from './gcm.ts';
import { deriveSubkey } from './subkey.ts';

/** Of the format; no text of the one before begins with it. */
const MARK = '2.';
/** `mark + id of the secret + day since 1970 + . + base64url of nonce, enciphered text and tag`. */
const FORM = /^(2\.([\w-]{6})(0|[1-9]\d{0,7})\.)([\w-]+)$/;

const DAY_MS = 86_400_000;
/** Today's key, and those of a few days that are opened. */
const KEPT_DAYS = 8;

export class Seals {
  /** Names the secret inside what it sealed, so that opening needs no trial. */
  readonly id: string;
  readonly #secret: string;
  /** By day; whose was derived first goes first. */
  readonly #keys = new Map<number, Buffer>();

  constructor(secret: string) {
    this.#secret = secret;
    this.id = deriveSubkey(secret, 'seal id').toString('base64url').slice(0, 6);
  }

  /** `context` binds the text to its place. `now` in Unix ms. */
  seal(text: string, context: string, now: number): string {
    const day = Math.max(0, Math.floor(now / DAY_MS));
    const header = `${MARK}${this.id}${day}.`;
    const nonce = randomBytes(NONCE_BYTES);
    const enciphered = encipher(this.#keyOf(day), nonce, Buffer.from(text), associatedData(header, context));
    return header + Buffer.concat([nonce, enciphered]).toString('base64url');
  }

  /** Throws when the text was altered, or moved to another context. */
  open(sealed: string, context: string): string {
    const [, header = '', , day, body = ''] = FORM.exec(sealed) ?? [];
    const bytes = Buffer.from(body, 'base64url');
    // Bits that base64url leaves over in its last character are bits of nothing: they may hold nothing.
    if (header === '' || bytes.toString('base64url') !== body) throw new Error(ALTERED);
    const [nonce, enciphered] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)];
    try {
      const key = this.#keyOf(Number(day));
      return decipher(key, nonce, enciphered, associatedData(header, context)).toString();
    } catch (error) {
      throw new Error(ALTERED, { cause: error });
    }
  }

  #keyOf(day: number): Buffer {
    const known = this.#keys.get(day);
    if (known !== undefined) return known;
    const key = deriveSubkey(this.#secret, `seals of day ${day}`);
    this.#keys.set(day, key);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > KEPT_DAYS && oldest !== undefined) this.#keys.delete(oldest);
    return key;
  }
}

const ALTERED = 'not sealed here, or altered since';

/** The id of the secret that this was sealed under; undefined of what is not of this format. */
export function secretIdOf(sealed: string): string | undefined {
  return FORM.exec(sealed)?.[2];
}

function associatedData(header: string, context: string): Buffer {
  return Buffer.from(`${header}${context}`);
}
