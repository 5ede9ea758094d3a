/**
 * Secrets at rest. Everything is derived (HKDF, RFC 5869) from the current secret; the previous one, while a
 * rotation lasts, still opens and recognises what it sealed and hashed.
 */

import { telephoneOf } from '../destination/telephone.ts';
import { SYSTEM_CLOCK } from '../seams/clock.ts';
import { clientNetworkOf } from '../text/network.ts';
import { type HashPurpose, KeyedHashes } from './keyed-hash.ts';
import { Seals, secretIdOf } from './seals.ts';

/** What one secret is used for. */
interface DerivedKeys {
  readonly seals: Seals;
  readonly hashes: KeyedHashes;
}

/** A keyed hash under the current secret, and while a secret is rotated the one that the same was written under before. */
export interface KeyedHash {
  readonly current: string;
  readonly earlier: readonly string[];
}

/** Version 0.1 sealed in another format, which is not read any more. */
const NOT_A_SEAL = 'altered, or sealed by version 0.1';

/** Some two megabytes. */
const MOST_TAGS = 10_000;

export class Keyring {
  readonly #current: DerivedKeys;
  readonly #previous: DerivedKeys | undefined;
  readonly #now: () => number;
  /** Tags of late, by address: one verification asks for its own three times, within a minute as a rule. */
  readonly #tags = new Map<string, string>();

  constructor(secret: string, previousSecret?: string, now: () => number = SYSTEM_CLOCK.wall) {
    this.#current = derive(secret);
    this.#previous = previousSecret === undefined ? undefined : derive(previousSecret);
    this.#now = now;
  }

  /** Names the current secret: beside what may outlive it, so that what is left of an earlier one is found. */
  get secretId(): string {
    return this.#current.seals.id;
  }

  /** `context` binds the text to its place. */
  seal(text: string, context: string): string {
    return this.#current.seals.seal(text, context, this.#now());
  }

  /** Throws when the text was altered, moved to another context, or sealed under a secret no longer configured. */
  open(sealed: string, context: string): string {
    const keys = this.#keysOf(sealed);
    if (keys !== undefined) return keys.seals.open(sealed, context);
    throw new Error(
      secretIdOf(sealed) === undefined ? NOT_A_SEAL : 'sealed under a secret that is not configured any more',
    );
  }

  /** Whether the secret that this was sealed under is still configured: what is kept for long may outlive two of them. */
  canOpen(sealed: string): boolean {
    return this.#keysOf(sealed) !== undefined;
  }

  /** Whether this will still be read once the previous secret is gone. */
  isCurrent(sealed: string): boolean {
    return secretIdOf(sealed) === this.#current.seals.id;
  }

  /** MAC of a code that is being drawn, bound to its verification: equal codes of two verifications look different at rest. */
  newCodeMac(id: string, code: string): string {
    return this.#current.hashes.hash('codes', bound(id, code));
  }

  /** MACs of a code that somebody guessed. */
  codeMac(id: string, code: string): KeyedHash {
    return this.#hash('codes', bound(id, code));
  }

  /** Hash of what rings at a destination, within an account. Test keys' traffic is a world of its own and shares no limit. */
  destinationHash(accountId: string, test: boolean, address: string): KeyedHash {
    const text = `${accountId}\0${test ? 'test' : 'live'}\0${telephoneOf(address)}`;
    return this.#hash('destinations', text);
  }

  /** Whether what is hashed may also have been written under the previous secret. */
  get isRotating(): boolean {
    return this.#previous !== undefined;
  }

  /** Every hash that verifications of a destination may be found under, live and test. */
  destinationHashes(accountId: string, address: string): string[] {
    const hashes = [true, false].map((test) => this.destinationHash(accountId, test, address));
    return hashes.flatMap(({ current, earlier }) => [current, ...earlier]);
  }

  /** Hashes of what rings at a recipient, independent of the account, the current one first, to hold against what a receipt names. */
  recipientTags = (address: string): [string, ...string[]] => {
    const { current, earlier } = this.#hash('recipients', telephoneOf(address));
    return [current, ...earlier];
  };

  /** The current one of these: by it the guard knows a number over all accounts, and an attempt its receipts. */
  recipientTag = (address: string): string => {
    const known = this.#tags.get(address);
    if (known !== undefined) return known;
    const tag = this.#current.hashes.hash('recipients', telephoneOf(address));
    if (this.#tags.size >= MOST_TAGS) this.#tags.clear();
    this.#tags.set(address, tag);
    return tag;
  };

  /** Hash of the network of a person's device. */
  clientNetworkHash(ip: string): string {
    return this.#current.hashes.hash('networks', clientNetworkOf(ip));
  }

  /** Hash of what an application calls a person's device. */
  clientDeviceHash(text: string): string {
    return this.#current.hashes.hash('client devices', text);
  }

  userAgentHash(text: string): string {
    return this.#current.hashes.hash('user agents', text);
  }

  /** Hash of what a client chose as Idempotency-Key: it may hold anything, a telephone number included. */
  idempotencyHash(text: string): KeyedHash {
    return this.#hash('idempotency', text);
  }

  /** Hash of the end of the number that a missed call comes from, which is its code. */
  endingHash(ending: string): KeyedHash {
    return this.#hash('endings', ending);
  }

  /** MAC of a cookie by which the portal knows a device that somebody signed in on. */
  deviceMac(text: string): KeyedHash {
    return this.#hash('devices', text);
  }

  #keysOf(sealed: string): DerivedKeys | undefined {
    const id = secretIdOf(sealed);
    return [this.#current, this.#previous].find((keys) => keys?.seals.id === id);
  }

  #hash(purpose: HashPurpose, text: string): KeyedHash {
    const current = this.#current.hashes.hash(purpose, text);
    return {
      current,
      earlier: this.#previous === undefined ? [] : [this.#previous.hashes.hash(purpose, text)],
    };
  }
}

const bound = (id: string, code: string): string => `${id}\0${code}`;

function derive(secret: string): DerivedKeys {
  return { seals: new Seals(secret), hashes: new KeyedHashes(secret) };
}
