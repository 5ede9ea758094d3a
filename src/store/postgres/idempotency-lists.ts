import type { Idempotency } from '../../core/verification.ts';
import { joinHashes } from '../hash-list.ts';

/** The hashes of an Idempotency-Key and of what it came with, as the functions take them: those of now first. */
export function joinIdempotency(idempotency: Idempotency | null | undefined) {
  const all = idempotency ? [idempotency, ...(idempotency.earlier ?? [])] : [];
  return {
    keys: joinHashes(all.map(({ keyHash }) => keyHash)),
    bodies: joinHashes(all.map(({ bodyHash }) => bodyHash)),
  };
}
