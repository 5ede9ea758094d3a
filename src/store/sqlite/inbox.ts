import type { DatabaseSync } from 'node:sqlite';
import type { InboxEntry } from '../../core/inbox.ts';
import { DAY_MS, daysOf } from './day.ts';

export function inboxOperations(db: DatabaseSync, retentionMs: number) {
  const insert = db.prepare(`
    INSERT INTO inbox_message (day, account_id, destination_hash, received_at, verification_id, sealed)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  const list = db.prepare(`
    SELECT sealed FROM inbox_message
    WHERE day IN (${daysOf(retentionMs, 'unixepoch() * 1000')}) AND account_id = :accountId
      AND (:hashes IS NULL OR destination_hash IN (SELECT value FROM json_each(:hashes)))
    ORDER BY received_at DESC, verification_id DESC LIMIT :limit`);

  return {
    record({ id, accountId, destinationHash, sealed, at }: InboxEntry): void {
      insert.run(Math.floor(at / DAY_MS), accountId, destinationHash, at, id, sealed);
    },
    list(
      accountId: string,
      destinationHashes: readonly string[] | null,
      limit: number,
    ): { sealed: string }[] {
      const hashes = destinationHashes && JSON.stringify(destinationHashes);
      return list.all({ accountId, hashes, limit }).map((row) => ({ sealed: String(row.sealed) }));
    },
  };
}
