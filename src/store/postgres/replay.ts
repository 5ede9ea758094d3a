import type { Channel } from '../../core/destination/channel.ts';
import { IDEMPOTENCY_MS, type VerificationStore } from '../../core/verification.ts';
import type { Database } from './database.ts';
import { idOf } from './verification-id.ts';

interface HolderRow {
  readonly body_hash: string;
  readonly id: string;
  readonly destination_sealed: string;
  readonly channel: Channel;
}

export function createFindReplay(db: Database): VerificationStore['findReplay'] {
  const statement = {
    name: 'find_replay',
    text: `
      SELECT body_hash, verification.id, destination_sealed, channel
      FROM idempotency JOIN verification ON verification.id = verification_id
      WHERE idempotency.account_id = $1 AND key_hash = $2 AND idempotency.created_at > $3`,
  };
  return async ({ accountId, createdAt, idempotency }) => {
    const since = createdAt - IDEMPOTENCY_MS;
    const [holder] = await db.read<HolderRow>(statement, [accountId, idempotency.keyHash, since]);
    if (holder === undefined) return undefined;
    if (holder.body_hash !== idempotency.bodyHash) return { kind: 'idempotency-mismatch' };
    const { destination_sealed: destinationSealed, channel } = holder;
    return { kind: 'replayed', id: idOf(holder.id), destinationSealed, channel };
  };
}
