/** Under what an Idempotency-Key is kept: the client's account and kind of key, the operation, and what the client chose. */
import type { KeyedHash, Keyring } from '../secrets/keyring.ts';
import type { Scope } from './scope.ts';
import type { Idempotency } from './verification.ts';

/** The hash that a key is taken under. */
export interface HashedKey extends KeyedHash {
  /** What the version before, which knew no kinds, took a test key's under. To be deleted with the next release. */
  readonly withoutKind?: KeyedHash;
}

/**
 * No key of a client holds a NUL: one that it uses with a live key and a test key is two. Those of live keys are hashed as they
 * always were, so that nodes of the version before find what a new one took, and the other way round.
 */
export function hashIdempotencyKey(keyring: Keyring, { test }: Pick<Scope, 'test'>, key: string): HashedKey {
  const hash = keyring.idempotencyHash(key);
  return test ? { ...keyring.idempotencyHash(`test\0${key}`), withoutKind: hash } : hash;
}

export function idempotencyOf(key: HashedKey, body: KeyedHash): Idempotency {
  const earlier = pairsOf(key.earlier, body.earlier);
  const withoutKind = key.withoutKind === undefined ? [] : pairsOf(listOf(key.withoutKind), listOf(body));
  return { keyHash: key.current, bodyHash: body.current, earlier: [...earlier, ...withoutKind] };
}

const listOf = ({ current, earlier }: KeyedHash): readonly string[] => [current, ...earlier];

/** Both hashes of a request are made in the same ways, so those made in one way stand at one place of their lists. */
function pairsOf(keys: readonly string[], bodies: readonly string[]) {
  return keys.flatMap((keyHash, i) => {
    const bodyHash = bodies[i];
    return bodyHash === undefined ? [] : { keyHash, bodyHash };
  });
}
