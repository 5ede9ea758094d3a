import type { DatabaseSync } from 'node:sqlite';
import type { InboxEntry } from '../../core/inbox.ts';
import { DAY_MS, daysOf } from './day.ts';
import { SEALED_COLUMNS, sealedMessage } from './sealed-message.ts';

/** Puts the sealed code of a delivery that is about to end into the inbox of its account. */
export function prepareKeep(db: DatabaseSync): (id: string, fence: number, at: number) => void {
  const insert = db.prepare(`
    INSERT INTO inbox_message (account_id, verification_id, code_sealed, received_at)
    SELECT account_id, id, code_sealed, :at FROM delivery JOIN verification ON id = verification_id
    WHERE verification_id = :id AND fence = :fence`);
  return (id, fence, at) => void insert.run({ id, fence, at });
}

export function inboxOperations(db: DatabaseSync, retentionMs: number) {
  // Ids rise with time, so the newest are the last of the index.
  const ofAll = db.prepare(`
    SELECT ${SEALED_COLUMNS}, code_sealed, received_at
    FROM inbox_message CROSS JOIN verification ON id = verification_id
    WHERE inbox_message.account_id = :accountId ORDER BY verification_id DESC LIMIT :limit`);
  const ofDestination = db.prepare(`
    SELECT ${SEALED_COLUMNS}, code_sealed, received_at
    FROM verification CROSS JOIN inbox_message ON inbox_message.account_id = :accountId AND verification_id = id
    WHERE created_at / ${DAY_MS} IN (${daysOf(retentionMs, 'unixepoch() * 1000')})
      AND destination_hash IN (SELECT value FROM json_each(:hashes))
    ORDER BY received_at DESC, id DESC LIMIT :limit`);

  return {
    list(accountId: string, destinationHashes: readonly string[] | null, limit: number): InboxEntry[] {
      const rows =
        destinationHashes === null
          ? ofAll.all({ accountId, limit })
          : ofDestination.all({ accountId, hashes: JSON.stringify(destinationHashes), limit });
      return rows.map((row) => ({ ...sealedMessage(row, row.code_sealed), at: Number(row.received_at) }));
    },
  };
}
