/** Messages of the simulator, which are columns of the verification. */
import type { DatabaseSync } from 'node:sqlite';
import type { InboxEntry } from '../../../core/verification/reading/inbox.ts';
import { DELIVERED_BY, inboxMessage, SEALED_COLUMNS } from '../../shared/sealed-message.ts';
import { DAY_MS, daysOf } from '../sql/day.ts';

export function createInbox(db: DatabaseSync, retentionMs: number) {
  const ofAll = db.prepare(`
    SELECT * FROM (
      SELECT ${SEALED_COLUMNS}, ${DELIVERED_BY}, inbox_at FROM verification
      WHERE account_id = :accountId AND inbox_at IS NOT NULL ORDER BY rowid DESC LIMIT :limit)
    ORDER BY id DESC`);
  const ofDestination = db.prepare(`
    SELECT ${SEALED_COLUMNS}, ${DELIVERED_BY}, inbox_at FROM verification INDEXED BY verification_destination
    WHERE created_at / ${DAY_MS} IN (${daysOf(retentionMs, 'unixepoch() * 1000')})
      AND destination_hash IN (SELECT value FROM json_each(:hashes))
      AND account_id = :accountId AND inbox_at IS NOT NULL
    ORDER BY inbox_at DESC, id DESC LIMIT :limit`);

  return {
    list(accountId: string, destinationHashes: readonly string[] | null, limit: number): InboxEntry[] {
      const rows =
        destinationHashes === null
          ? ofAll.all({ accountId, limit })
          : ofDestination.all({ accountId, hashes: JSON.stringify(destinationHashes), limit });
      return rows.map((row) => ({ ...inboxMessage(String(row.id), row), at: Number(row.inbox_at) }));
    },
  };
}
