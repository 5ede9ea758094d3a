/**
 * Erases verifications. Their rows are also what the limits of sends count, so of a send that may still count the row stays,
 * with its hashes and its time and nothing else: erasing must not free a place. It belongs to no account and has no id that
 * anybody knows, so nothing but the limits finds it; the purge deletes it when it no longer counts. PostgreSQL counts sends in
 * a table of their own, and deletes every row.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Erasure } from '../../../core/verification/erasure.ts';
import type { Reservations } from '../budgets/reservations.ts';

/** SQL for a row that is left of an erased verification: no account has an empty id. */
export const IS_LEFT = "account_id = ''";

const OF_DESTINATION = 'id = :id AND destination_hash IN (SELECT value FROM json_each(:hashes))';

/** `sendWindowMs`: how long a send may count. */
export function createErase(db: DatabaseSync, sendWindowMs: number, reservations: Reservations) {
  // In place of the row, not an UPDATE of it: what is not named here, such as a column of later, is gone.
  const blank = db.prepare(`
    REPLACE INTO verification (rowid, id, account_id, key_id, test, channel, country, destination_hash,
      previous_destination_hash, destination_sealed, code_mac, guesses_left, created_at, expires_at)
    SELECT rowid, 'erased ' || rowid, '', '', test, '', '', destination_hash,
      previous_destination_hash, '', '', 0, created_at, created_at
    FROM verification WHERE ${OF_DESTINATION} AND NOT test AND created_at > :now - ${sendWindowMs}`);
  const remove = db.prepare(`DELETE FROM verification WHERE ${OF_DESTINATION}`);
  const find = db.prepare(`SELECT account_id FROM verification WHERE ${OF_DESTINATION}`);
  const belongings = ['delivery', 'attempt', 'idempotency', 'messenger_user'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE verification_id = ?`),
  );
  const message = db.prepare('DELETE FROM inbox_message WHERE account_id = ? AND verification_id = ?');
  const receipt = db.prepare('DELETE FROM early_receipt WHERE receipt_id = ?');

  /** How many verifications it erased. */
  return ({ ids, destinationHashes, receiptIds, now }: Erasure): number => {
    const hashes = JSON.stringify(destinationHashes);
    let erased = 0;
    for (const id of ids) {
      const { account_id: account = null } = find.get({ id, hashes }) ?? {};
      if (account === null) continue;
      if (blank.run({ id, hashes, now }).changes === 0) remove.run({ id, hashes });
      for (const each of belongings) each.run(id);
      message.run(account, id);
      reservations.end(id);
      erased += 1;
    }
    for (const id of receiptIds) receipt.run(id);
    return erased;
  };
}
