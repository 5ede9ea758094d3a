import type { DatabaseSync } from 'node:sqlite';
import type { InboxEntry } from '../../core/inbox.ts';
import { dayOf, daysOf } from './day.ts';
import { SEALED_COLUMNS, sealedMessage } from './sealed-message.ts';

/** Puts the sealed code of a delivery that is about to end into the inbox of its account. */
export function prepareKeep(db: DatabaseSync): (id: string, fence: number, at: number) => void {
  const insert = db.prepare(`
    INSERT INTO inbox_message (day, account_id, destination_hash, received_at, verification_id, code_sealed)
    SELECT ${dayOf(':at')}, account_id, destination_hash, :at, id, code_sealed
    FROM delivery JOIN verification ON id = verification_id
    WHERE verification_id = :id AND fence = :fence`);
  return (id, fence, at) => void insert.run({ id, fence, at });
}

export function inboxOperations(db: DatabaseSync, retentionMs: number) {
  const newest = (ofDestination: string) =>
    db.prepare(`
      SELECT ${SEALED_COLUMNS}, code_sealed, received_at
      FROM inbox_message JOIN verification ON id = verification_id
      WHERE day IN (${daysOf(retentionMs, 'unixepoch() * 1000')}) AND inbox_message.account_id = :accountId
        ${ofDestination}
      ORDER BY received_at DESC, id DESC LIMIT :limit`);
  // Two statements, since one with an optional condition would read all messages of the account for each destination.
  const ofAll = newest('');
  const ofOne = newest('AND inbox_message.destination_hash IN (SELECT value FROM json_each(:hashes))');

  return {
    list(accountId: string, destinationHashes: readonly string[] | null, limit: number): InboxEntry[] {
      const rows =
        destinationHashes === null
          ? ofAll.all({ accountId, limit })
          : ofOne.all({ accountId, hashes: JSON.stringify(destinationHashes), limit });
      return rows.map((row) => ({ ...sealedMessage(row, row.code_sealed), at: Number(row.received_at) }));
    },
  };
}
