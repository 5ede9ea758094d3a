import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from './day.ts';
import { IDEMPOTENCY_MS } from './idempotency.ts';

/** How long rows are kept, in ms. */
export interface Retention {
  readonly verifications: number;
  readonly simulatorMessages: number;
}

/** Rows of a table that go with one batch: a few ms of work. */
const BATCH = 500;
const EARLY_RECEIPT_MS = DAY_MS;

/**
 * Deletes what is past its retention, a batch at a time. Rows with a rowid were inserted in order of time, so only the
 * oldest few are looked at; failed guesses are led by their day.
 */
export function preparePurge(db: DatabaseSync, retention: Retention, longestGuessWindow: number) {
  const oldest = (table: string, time: string) =>
    db.prepare(`
      DELETE FROM ${table} WHERE ${time} <= :before
        AND rowid IN (SELECT rowid FROM ${table} ORDER BY rowid LIMIT ${BATCH})
      RETURNING ${table === 'verification' ? 'id' : 'rowid AS id'}`);

  const verifications = oldest('verification', 'created_at');
  const attempts = db.prepare('DELETE FROM attempt WHERE verification_id = ?');
  const idempotency = oldest('idempotency', 'created_at');
  const earlyReceipts = oldest('early_receipt', 'received_at');
  const inbox = oldest('inbox_message', 'received_at');
  const failedGuesses = db.prepare(`
    DELETE FROM failed_guess WHERE (day, destination_hash, verification_id, guesses_left) IN (
      SELECT day, destination_hash, verification_id, guesses_left FROM failed_guess WHERE day < :day LIMIT ${BATCH})`);
  const day = (time: number) => Math.floor(time / DAY_MS);

  /** True while there is more to delete. */
  return (now: number): boolean => {
    const gone = verifications.all({ before: now - retention.verifications });
    for (const { id } of gone) attempts.run(id ?? null);
    const deleted = [
      gone.length,
      idempotency.all({ before: now - IDEMPOTENCY_MS }).length,
      earlyReceipts.all({ before: now - EARLY_RECEIPT_MS }).length,
      inbox.all({ before: now - retention.simulatorMessages }).length,
      failedGuesses.run({ day: day(now - longestGuessWindow) }).changes,
    ];
    return deleted.some((count) => count === BATCH);
  };
}
