import type { ClientBase } from 'pg';
import { DAY_MS } from '../../../core/seams/spans.ts';
import type { Limits } from '../../../core/verification/limits.ts';
import { IDEMPOTENCY_MS } from '../../../core/verification/verification.ts';
import type { Retention } from '../../port.ts';
import { longestWindow } from '../../shared/longest-window.ts';
import type { Database } from '../connection/database.ts';
import { inTransaction } from '../connection/transaction.ts';
import { daysAhead, dropOldest, ensurePartitions, partitionDayOf } from '../schema/partitions.ts';
import { purgeStatistics } from '../statistics/purge-statistics.ts';
import { createSignalsPurge } from './purge-signals.ts';

/** The advisory lock of the node that purges. */
export const PURGE_LOCK = 0x436f_756e_7403;
/** Rows per table and batch: a few ms of work. */
const BATCH = 1_000;
/**
 * Detaching a partition waits for those who still read the table, for example a backup. After this time it is left to the
 * next purge. Meanwhile the partition already counts as detached, so nothing else is held up.
 */
const PATIENCE = { patienceMs: 30_000, statementMs: 10_000 };
/** A code expires at most ten minutes after its id, and its message can reach the inbox until then. */
const LATEST_MESSAGE_MS = 3_600_000;
/** After its code has expired, a last attempt may still be settled. */
const OPEN_RESERVATION_MS = 3_600_000;

/** Forgets the requests of one key that has ended. True if there was one: there may be another. */
async function freeOverKey(client: ClientBase, now: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `DELETE FROM request_log WHERE key_id = (
      SELECT id FROM api_key
      WHERE (revoked_at <= $1 OR expires_at <= $1) AND EXISTS (SELECT FROM request_log WHERE key_id = api_key.id) LIMIT 1)`,
    [now],
  );
  return rowCount !== 0;
}

/** Messages of webhooks are numbered in the order of time, so only the oldest are read. True while there is more. */
async function purgeMessages(client: ClientBase, before: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `DELETE FROM webhook_message WHERE at <= $1 AND seq IN (
      SELECT seq FROM webhook_message ORDER BY seq LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
    [before],
  );
  return rowCount === BATCH;
}

/**
 * Deletes what is past its retention, most of it as whole partitions, and makes those of the coming days; SQLite deletes
 * rows. True while there is more. One node purges at a time; the others hear that there is nothing to do.
 */
export function createPurge(db: Database, retention: Retention, limits: Limits) {
  const purgeSignals = createSignalsPurge(retention.signals);
  const counted = longestWindow([...limits.sendsPerDestination, ...limits.failedGuessesPerDestination]);

  async function purge(client: ClientBase, now: number, aged: number): Promise<boolean> {
    await ensurePartitions(client, daysAhead(now));
    const oldest = async (table: string, key: string, time: string, before: number) => {
      const { rowCount } = await client.query(
        `DELETE FROM ${table} WHERE (${key}) IN (
          SELECT ${key} FROM ${table} WHERE ${time} <= $1 ORDER BY ${time} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
        [before],
      );
      return rowCount === BATCH;
    };
    const more = [
      await oldest('idempotency', 'account_id, key_hash', 'created_at', aged - IDEMPOTENCY_MS),
      await oldest('early_receipt', 'carrier, reference, receipt_id', 'received_at', aged - DAY_MS),
      // What a crash left open stays counted.
      await oldest('reservation', 'verification_id', 'expires_at', aged - OPEN_RESERVATION_MS),
      // A clock that was ahead must not let an ending be taken twice, or make two codes of one number good again.
      await oldest('used_ending', 'hash', 'ends_at', aged - DAY_MS),
      await oldest('code_by_number', 'destination_hash, verification_id', 'expires_at', aged - DAY_MS),
      await purgeMessages(client, aged - Math.min(retention.events, retention.verifications)),
      // Of accounts whose endpoints are gone.
      await oldest('webhook_expiry', 'expires_at, verification_id', 'expires_at', aged - DAY_MS),
      await oldest('budget_use', 'kind, subject, per, starts_at', 'ends_at', aged - DAY_MS),
      await oldest('destination', 'hash', 'last_day', partitionDayOf(aged - counted) - 1),
      // Attempts after their verifications: a late settlement then misses the verification, not the partition.
      await dropOldest(client, 'verification', aged - retention.verifications),
      await dropOldest(client, 'attempt', aged - retention.verifications),
      await dropOldest(client, 'inbox_message', aged - retention.simulatorMessages - LATEST_MESSAGE_MS),
      await purgeStatistics(client, aged, retention.statistics),
      await freeOverKey(client, aged),
      await purgeSignals(client, aged),
    ];
    return more.includes(true);
  }

  // A second connection holds the lock in a transaction that stays open: a partition cannot be detached concurrently inside a
  // transaction, and behind a pooler a lock of the session would stay with whoever gets that session next.
  return (now: number, aged = now): Promise<boolean> =>
    db.session(
      (holder) =>
        inTransaction(holder, async () => {
          await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0');
          const { rows } = await holder.query<{ ours: boolean }>(
            'SELECT pg_try_advisory_xact_lock($1) AS ours',
            [PURGE_LOCK],
          );
          if (rows[0]?.ours !== true) return false;
          return await db.session((client) => purge(client, now, aged), PATIENCE);
        }),
      PATIENCE,
    );
}
