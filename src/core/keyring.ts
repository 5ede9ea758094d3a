/**
 * Secrets at rest. Everything is derived (HKDF, RFC 5869) from the current secret; the previous one, while a
 * rotation lasts, still opens and recognises what it sealed and hashed.
 */
import { hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { CounterMode } from './counter-mode.ts';
import { telephoneOf } from './destination/telephone.ts';

interface DerivedKeys {
  /** Names the secret inside what it sealed, so that opening needs no trial. */
  readonly id: string;
  readonly cipher: CounterMode;
  readonly seals: MacKey;
  readonly codes: MacKey;
  readonly destinations: MacKey;
  readonly recipients: MacKey;
  readonly idempotency: MacKey;
  readonly devices: MacKey;
}

/** A keyed hash under the current secret, and under the previous one while it is being rotated out. */
export interface KeyedHash {
  readonly current: string;
  readonly previous: string | null;
}

const ID_LENGTH = 6;

export class Keyring {
  readonly #current: DerivedKeys;
  readonly #previous: DerivedKeys | undefined;

  constructor(secret: string, previousSecret?: string) {
    this.#current = derive(secret);
    this.#previous = previousSecret === undefined ? undefined : derive(previousSecret);
  }

  /**
   * AES-256-CTR, then a MAC over all of it; answers `key id + enciphered + MAC`. `context` binds the text to its place.
   */
  seal(text: string, context: string): string {
    const { id, cipher, seals } = this.#current;
    const enciphered = id + cipher.encipher(text);
    return enciphered + sealMac(seals, context, enciphered);
  }

  /** Throws when the text was altered, moved to another context, or sealed under a secret no longer configured. */
  open(sealed: string, context: string): string {
    const keys = this.#keysOf(sealed);
    if (keys === undefined) throw new Error('sealed under a secret that is not configured any more');
    const enciphered = sealed.slice(0, -MAC_LENGTH);
    const expected = Buffer.from(sealMac(keys.seals, context, enciphered));
    const found = Buffer.from(sealed.slice(-MAC_LENGTH));
    if (found.length !== expected.length || !timingSafeEqual(found, expected)) {
      throw new Error('not sealed here, or altered since');
    }
    return keys.cipher.decipher(enciphered.slice(ID_LENGTH));
  }

  /** Whether the secret that this was sealed under is still configured: what is kept for long may outlive two of them. */
  canOpen(sealed: string): boolean {
    return this.#keysOf(sealed) !== undefined;
  }

  /** Whether this was sealed under the secret that seals now, and will be read once the previous one is gone. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(this.#current.id);
  }

  /** MAC of a code, bound to its verification: equal codes of two verifications look different at rest. */
  codeMac(id: string, code: string): KeyedHash {
    return this.#hash('codes', `${id}\0${code}`);
  }

  /** Hash of what rings at a destination, within an account. Test keys' traffic is a world of its own and shares no limit. */
  destinationHash(accountId: string, test: boolean, address: string): KeyedHash {
    return this.#hash('destinations', `${accountId}\0${test ? 'test' : 'live'}\0${telephoneOf(address)}`);
  }

  /** Hashes of what rings at a recipient, independent of the account, the current one first, to hold against what a receipt names. */
  recipientTags = (address: string): [string, ...string[]] => {
    const { current, previous } = this.#hash('recipients', telephoneOf(address));
    return previous === null ? [current] : [current, previous];
  };

  /** Hash of what a client chose as Idempotency-Key: it may hold anything, a telephone number included. */
  idempotencyHash(text: string): string {
    return mac(this.#current.idempotency, text);
  }

  /** MAC of a cookie by which the portal knows a device that somebody signed in on. */
  deviceMac(text: string): KeyedHash {
    return this.#hash('devices', text);
  }

  #keysOf(sealed: string): DerivedKeys | undefined {
    const id = sealed.slice(0, ID_LENGTH);
    return [this.#current, this.#previous].find((keys) => keys?.id === id);
  }

  #hash(purpose: 'codes' | 'destinations' | 'recipients' | 'devices', text: string): KeyedHash {
    return {
      current: mac(this.#current[purpose], text),
      previous: this.#previous === undefined ? null : mac(this.#previous[purpose], text),
    };
  }
}

/** 256 bits in hexadecimal digits. */
type MacKey = string;

/** 22 characters of base64url hold 132 bits: far past guessing, and half the size in every row and index. */
const MAC_LENGTH = 22;

/**
 * SHA3-256 over key and text. A sponge is not open to the extension of lengths that HMAC guards the hashes before it
 * against: behind a key of fixed length it is a MAC as it stands, by one call that takes a quarter of the time of HMAC's.
 */
function mac(key: MacKey, text: string): string {
  return hash('sha3-256', key + text, 'base64url').slice(0, MAC_LENGTH);
}

function sealMac(key: MacKey, context: string, enciphered: string): string {
  return mac(key, `${context}\0${enciphered}`);
}

function derive(secret: string): DerivedKeys {
  const bytes = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `countersign ${purpose}`, 32));
  return {
    id: bytes('seal id').toString('base64url').slice(0, ID_LENGTH),
    cipher: new CounterMode(bytes('cipher')),
    seals: bytes('seals').toString('hex'),
    codes: bytes('codes').toString('hex'),
    destinations: bytes('destinations').toString('hex'),
    recipients: bytes('recipients').toString('hex'),
    idempotency: bytes('idempotency').toString('hex'),
    devices: bytes('devices').toString('hex'),
  };
}
