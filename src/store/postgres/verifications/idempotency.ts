/** Idempotency keys. The functions of issue and confirm claim them here; SQLite has statements for that. */
import type { Channel } from '../../../core/destination/channel.ts';
import {
  type Idempotency,
  repeatsSince,
  type VerificationStore,
} from '../../../core/verification/verification.ts';
import { joinHashes } from '../../shared/hash-list.ts';
import { isKept, pastUntil } from '../../shared/kept.ts';
import type { Database } from '../connection/database.ts';
import { idOf } from './verification-id.ts';

interface HolderRow {
  readonly is_same: boolean;
  readonly id: string;
  readonly destination_sealed: string;
  readonly channel: Channel;
}

/** Of the other kind of key, SQLite says why the rank matters. */
export function createFindReplay(db: Database, retentionMs: number): VerificationStore['findReplay'] {
  const statement = {
    name: 'find_replay',
    text: `
      SELECT idempotency.body_hash = own.body_hash AND test = $5 AS is_same, verification.id, destination_sealed, channel
      FROM unnest(string_to_array($2, ','), string_to_array($3, ',')) WITH ORDINALITY AS own (key_hash, body_hash, rank)
      JOIN idempotency ON idempotency.account_id = $1 AND idempotency.key_hash = own.key_hash
      JOIN verification ON verification.id = verification_id AND ${isKept('$6')}
      WHERE idempotency.created_at > $4 AND (test = $5 OR rank = 1) ORDER BY rank LIMIT 1`,
  };
  return async ({ accountId, test, createdAt, idempotency }) => {
    const since = repeatsSince(createdAt, idempotency);
    const { keys, bodies } = joinIdempotency(idempotency);
    const values = [accountId, keys, bodies, since, test, pastUntil(createdAt, retentionMs)];
    const [holder] = await db.read<HolderRow>(statement, values);
    if (holder === undefined) return undefined;
    if (!holder.is_same) return { kind: 'idempotency-mismatch' };
    const { destination_sealed: destinationSealed, channel } = holder;
    return { kind: 'replayed', id: idOf(holder.id), destinationSealed, channel };
  };
}

/** The hashes of an Idempotency-Key and its request as the functions take them: the current one first. */
export function joinIdempotency(idempotency: Idempotency | null | undefined) {
  const all = idempotency ? [idempotency, ...(idempotency.earlier ?? [])] : [];
  return {
    keys: joinHashes(all.map(({ keyHash }) => keyHash)),
    bodies: joinHashes(all.map(({ bodyHash }) => bodyHash)),
  };
}
