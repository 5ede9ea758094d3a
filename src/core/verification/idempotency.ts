import type { KeyedHash } from '../secrets/keyring.ts';
import type { Idempotency } from './verification.ts';

/** Both hashes of a request are made in the same ways, so those made in one way stand at one place of their lists. */
export function idempotencyOf(key: KeyedHash, body: KeyedHash): Idempotency {
  const earlier = key.earlier.flatMap((keyHash, i) => {
    const bodyHash = body.earlier[i];
    return bodyHash === undefined ? [] : { keyHash, bodyHash };
  });
  return { keyHash: key.current, bodyHash: body.current, earlier };
}
