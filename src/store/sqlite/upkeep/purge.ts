import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../../core/seams/spans.ts';
import type { Limits } from '../../../core/verification/limits.ts';
import { IDEMPOTENCY_MS } from '../../../core/verification/verification.ts';
import type { Retention } from '../../port.ts';
import { longestWindow } from '../../shared/longest-window.ts';
import { createStatisticsPurge } from '../statistics/purge-statistics.ts';
import type { TallyBook } from '../statistics/tally-book.ts';
import { IS_LEFT } from '../verifications/erase.ts';
import { createSignalsPurge } from './purge-signals.ts';

/** Rows per table and batch: a few ms of work. */
const BATCH = 500;
const EARLY_RECEIPT_MS = DAY_MS;
/** After its code has expired, a last attempt may still be settled. */
const OPEN_RESERVATION_MS = 3_600_000;

/**
 * Deletes rows past their retention, a batch at a time. Rowids are in order of time, so only the oldest rows are read;
 * failed guesses are ordered by day.
 */
export function createPurge(db: DatabaseSync, retention: Retention, limits: Limits, book: TallyBook) {
  const purgeStatistics = createStatisticsPurge(db, book, retention.statistics);
  const purgeSignals = createSignalsPurge(db, retention.signals);
  const oldest = (table: string, time: string) =>
    db.prepare(`
      DELETE FROM ${table} WHERE ${time} <= :before
        AND rowid IN (SELECT rowid FROM ${table} ORDER BY rowid LIMIT ${BATCH})
      RETURNING ${table === 'verification' ? 'id, account_id' : 'rowid'}`);

  const verifications = oldest('verification', 'created_at');
  const belongings = ['delivery', 'attempt'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE verification_id = ?`),
  );
  const message = db.prepare('DELETE FROM inbox_message WHERE account_id = ? AND verification_id = ?');
  const idempotency = oldest('idempotency', 'created_at');
  const earlyReceipts = oldest('early_receipt', 'received_at');
  const messages = oldest('webhook_message', 'at');
  // What a clock dated ahead, and what nobody corrected since, would keep all behind it.
  const oldestMessage = db.prepare('SELECT at FROM webhook_message ORDER BY seq LIMIT 1');
  const correctMessages = db.prepare('UPDATE webhook_message SET at = :now WHERE at > :now');
  const expiries = db.prepare(`
    DELETE FROM webhook_expiry WHERE (expires_at, verification_id) IN (
      SELECT expires_at, verification_id FROM webhook_expiry WHERE expires_at <= :before ORDER BY expires_at LIMIT ${BATCH})`);
  // The key leads from one account to the next, past all messages between them.
  const accounts = db.prepare(`
    WITH RECURSIVE account (id) AS (
      SELECT min(account_id) FROM inbox_message
      UNION ALL
      SELECT (SELECT min(account_id) FROM inbox_message WHERE account_id > account.id) FROM account WHERE id IS NOT NULL)
    SELECT id FROM account WHERE id IS NOT NULL`);
  const inbox = db.prepare(`
    DELETE FROM inbox_message WHERE received_at <= :before AND account_id = :account AND verification_id IN (
      SELECT verification_id FROM inbox_message WHERE account_id = :account ORDER BY verification_id LIMIT ${BATCH})`);
  const failedGuesses = db.prepare(`
    DELETE FROM failed_guess WHERE (day, destination_hash, verification_id, guesses_left) IN (
      SELECT day, destination_hash, verification_id, guesses_left FROM failed_guess WHERE day < :day LIMIT ${BATCH})`);
  // What a crash left open stays counted.
  const reservations = db.prepare(`
    DELETE FROM reservation WHERE verification_id IN (
      SELECT verification_id FROM reservation WHERE expires_at <= :before LIMIT ${BATCH})`);
  const endings = db.prepare(`
    DELETE FROM used_ending WHERE hash IN (SELECT hash FROM used_ending WHERE ends_at <= :before LIMIT ${BATCH})`);
  const budgets = db.prepare(`
    DELETE FROM budget_use WHERE (kind, subject, per, starts_at) IN (
      SELECT kind, subject, per, starts_at FROM budget_use WHERE ends_at <= :before LIMIT ${BATCH})`);
  const day = (time: number) => Math.floor(time / DAY_MS);
  const guessWindow = longestWindow(limits.failedGuessesPerDestination);
  const sendWindow = longestWindow(limits.sendsPerDestination);
  const left = db.prepare(`
    DELETE FROM verification WHERE rowid IN (
      SELECT rowid FROM verification WHERE ${IS_LEFT} AND created_at <= :before LIMIT ${BATCH})`);
  // Nobody counts the requests of a key that has ended.
  const overKey = db.prepare(`
    SELECT key_id FROM request_ring JOIN api_key ON api_key.id = key_id
    WHERE revoked_at <= :now OR expires_at <= :now LIMIT 1`);
  const places = db.prepare('DELETE FROM request_place WHERE key_id = ?');
  const rings = db.prepare('DELETE FROM request_ring WHERE key_id = ?');
  const freeOverKey = (now: number): boolean => {
    const { key_id: key = null } = overKey.get({ now }) ?? {};
    if (key === null) return false;
    places.run(key);
    rings.run(key);
    return true;
  };

  /** True while there is more to delete. */
  return (now: number, aged = now): boolean => {
    const forget = { before: aged - retention.simulatorMessages };
    const gone = verifications.all({ before: aged - retention.verifications });
    for (const { id = null, account_id: account = null } of gone) {
      for (const each of belongings) each.run(id);
      message.run(account, id);
    }
    if (Number(oldestMessage.get()?.at ?? now) > now) correctMessages.run({ now });
    const deleted = [
      gone.length,
      idempotency.all({ before: aged - IDEMPOTENCY_MS }).length,
      earlyReceipts.all({ before: aged - EARLY_RECEIPT_MS }).length,
      ...accounts.all().map(({ id = null }) => Number(inbox.run({ ...forget, account: id }).changes)),
      failedGuesses.run({ day: day(aged - guessWindow) }).changes,
      left.run({ before: aged - sendWindow }).changes,
      reservations.run({ before: aged - OPEN_RESERVATION_MS }).changes,
      // A clock that was ahead must not let one be taken twice.
      endings.run({ before: aged - DAY_MS }).changes,
      budgets.run({ before: aged - DAY_MS }).changes,
      messages.all({ before: aged - Math.min(retention.events, retention.verifications) }).length,
      // Of accounts whose endpoints are gone.
      expiries.run({ before: aged - DAY_MS }).changes,
    ];
    const more = [freeOverKey(aged), purgeStatistics(aged), purgeSignals(aged)];
    return more.includes(true) || deleted.some((count) => count === BATCH);
  };
}
