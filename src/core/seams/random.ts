/**
 * Randomness, for every part that draws ids, codes, secrets and pauses. It is handed in, so that a simulated world draws the same
 * from the same seed. Nonces of encryption and salts of passwords are not drawn from here: nothing that is seen depends on them.
 */
import { randomBytes, randomInt, randomUUID, randomUUIDv7 } from 'node:crypto';

export interface Random {
  bytes(count: number): Buffer;
  /** A whole number from 0 to below `limit`, each as likely. */
  below(limit: number): number;
  /** From 0 to below 1. For pauses and choices; nothing that somebody may not guess. */
  fraction(): number;
  /** RFC 9562, version 4. */
  uuid(): string;
  /** RFC 9562, version 7: in order of this machine's time. */
  orderedUuid(): string;
}

/** The machine's own, by its cryptographic generator where it matters. */
export const SYSTEM_RANDOM: Random = {
  bytes: randomBytes,
  below: (limit) => randomInt(limit),
  fraction: Math.random,
  uuid: () => randomUUID(),
  orderedUuid: () => randomUUIDv7(),
};
