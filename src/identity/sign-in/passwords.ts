/** Passwords at rest: argon2id (RFC 9106), with the parameters in each hash, so that they can be raised. */
import { type Argon2Parameters, argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { areEqual } from '../../core/secrets/constant-time.ts';
import { type Claimant, createDerivationQueue, type QueuedDerivation } from './derivation-queue.ts';

/** OWASP's recommendation: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const CURRENT = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}`;
const ENCODED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

type Derive = (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

/** A place in the line of those who derive passwords, given back when it is disposed of. */
interface Deriving extends Disposable {
  hash(password: string): Promise<string>;
  /** Takes equally long for a person who is unknown or has no password (null). */
  verify(encoded: string | null, password: string): Promise<boolean>;
}

export interface Passwords {
  /**
   * Taken once everything cheap has been looked at, and before a guess is counted. Undefined: too many wait already.
   */
  begin(claimant: Claimant): Deriving | undefined;
}

/**
 * One at a time: each hash takes a core for tens of ms and 19 MiB, and sign-ins must leave room for `/verify`.
 */
export function createPasswords(derive: Derive = promisify(argon2)): Passwords {
  const places = createDerivationQueue();
  const nobodys = `${CURRENT}$${randomBytes(SALT_BYTES).toString('base64url')}$${randomBytes(HASH_BYTES).toString('base64url')}`;

  const derivingIn = (place: QueuedDerivation): Deriving => ({
    [Symbol.dispose]: () => place[Symbol.dispose](),
    hash: (password) =>
      place.run(async () => {
        const nonce = randomBytes(SALT_BYTES);
        const hash = await derive('argon2id', {
          message: normalize(password),
          nonce,
          memory: MEMORY_KIB,
          passes: PASSES,
          parallelism: LANES,
          tagLength: HASH_BYTES,
        });
        return `${CURRENT}$${nonce.toString('base64url')}$${hash.toString('base64url')}`;
      }),
    verify: (encoded, password) =>
      place.run(async () => {
        const [, memory, passes, parallelism, salt = '', hash = ''] = ENCODED.exec(encoded ?? nobodys) ?? [];
        const tag = Buffer.from(hash, 'base64url');
        const derived = await derive('argon2id', {
          message: normalize(password),
          nonce: Buffer.from(salt, 'base64url'),
          memory: Number(memory),
          passes: Number(passes),
          parallelism: Number(parallelism),
          tagLength: tag.length,
        });
        return areEqual(derived.toString('base64url'), hash) && encoded !== null;
      }),
  });
  return {
    begin(claimant) {
      const place = places.take(claimant);
      return place && derivingIn(place);
    },
  };
}

/** Whether a password was hashed with earlier parameters. It can be hashed again at the next sign-in. */
export const isOutdated = (encoded: string): boolean => !encoded.startsWith(`${CURRENT}$`);

/** Keyboards write the same letter in several ways (NIST SP 800-63B, section 3.1.1.2). */
const normalize = (password: string): Buffer => Buffer.from(password.normalize('NFKC'));
