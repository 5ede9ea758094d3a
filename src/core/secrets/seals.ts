/**
 * What one secret seals: by AES-256-GCM, under a subkey for each UTC day. A key may seal 2^32 texts under random nonces
 * (SP 800-38D, section 8.3), which all nodes together do not reach in a day below 24,000 verifications a second, two seals each.
 */

import type { KeyObject } from 'node:crypto';
import { DAY_MS } from '../seams/spans.ts';
import { decipher, encipher } from './gcm.ts';
import { drawNonce } from './nonces.ts';
import { deriveSubkey } from './subkey.ts';

/** Of the format; no text that version 0.1 sealed begins with it. */
export const SEAL_MARK = '2.';
/** `mark + id of the secret + day since 1970 + . + base64url of nonce, enciphered text and tag`. */
const FORM = /^(2\.([\w-]{6})(0|[1-9]\d{0,7})\.)([\w-]+)$/;

/** Today's key, and those of a few days that are opened. */
const KEPT_DAYS = 8;

interface KeyOfDay {
  readonly day: number;
  readonly header: string;
  readonly key: KeyObject;
}

export class Seals {
  /** Names the secret inside what it sealed, so that opening needs no trial. */
  readonly id: string;
  readonly #secret: string;
  /** The key that was asked for last goes first. */
  #keys: readonly [KeyOfDay, ...KeyOfDay[]];

  constructor(secret: string) {
    this.#secret = secret;
    this.id = deriveSubkey(secret, 'seal id').export().toString('base64url').slice(0, 6);
    this.#keys = [this.#derive(0)];
  }

  /** `context` binds the text to its place. `now` in Unix ms. */
  seal(text: string, context: string, now: number): string {
    const { header, key } = this.#keyOf(Math.max(0, Math.floor(now / DAY_MS)));
    const sealed = encipher(key, drawNonce(), Buffer.from(text), associatedData(header, context));
    return header + sealed.toString('base64url');
  }

  /** Throws when the text was altered, or moved to another context. */
  open(sealed: string, context: string): string {
    const [, header = '', , day, body = ''] = FORM.exec(sealed) ?? [];
    const bytes = Buffer.from(body, 'base64url');
    // Bits that base64url leaves over in its last character are bits of nothing: they may hold nothing.
    if (header === '' || bytes.toString('base64url') !== body) throw new Error(ALTERED);
    try {
      const { key } = this.#keyOf(Number(day));
      return decipher(key, bytes, associatedData(header, context)).toString();
    } catch (error) {
      throw new Error(ALTERED, { cause: error });
    }
  }

  #keyOf(day: number): KeyOfDay {
    if (this.#keys[0].day === day) return this.#keys[0];
    const found = this.#keys.find((key) => key.day === day) ?? this.#derive(day);
    this.#keys = [found, ...this.#keys.filter((key) => key.day !== day).slice(0, KEPT_DAYS - 1)];
    return found;
  }

  #derive(day: number): KeyOfDay {
    return {
      day,
      header: `${SEAL_MARK}${this.id}${day}.`,
      key: deriveSubkey(this.#secret, `seals of day ${day}`),
    };
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
