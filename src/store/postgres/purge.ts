import type { ClientBase } from 'pg';
import { LONGEST_ACCOUNT_WINDOW_MS } from '../../core/account-settings.ts';
import type { Limits } from '../../core/limits.ts';
import { IDEMPOTENCY_MS } from '../../core/verification.ts';
import type { Retention } from '../port.ts';
import type { Database } from './database.ts';
import { DAY_MS, dayOf, daysAhead, dropOldest, ensurePartitions } from './partitions.ts';
import { purgeStatistics } from './purge-statistics.ts';
import { STATEMENT_MS } from './session.ts';

/** Of the advisory lock: whoever holds it purges. */
export const PURGE_LOCK = 0x436f_756e_7403;
/** Rows of a table that go with one batch: a few ms of work. */
const BATCH = 1_000;
/**
 * Detaching a partition waits for whoever still reads the table, a backup say. It is then put off to the next purge: until
 * it succeeds the partition counts as detached already, so nothing is held up but its end.
 */
const PURGE_STATEMENT_MS = 10_000;
const PATIENCE_MS = 30_000;
/** A code ends ten minutes after its id at most, and its message can come into the inbox until then. */
const LATEST_MESSAGE_MS = 3_600_000;

/** Of a key that is over nobody counts requests any more. True when there was one, and there may be another. */
async function freeOverKey(client: ClientBase, now: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `DELETE FROM request_log WHERE key_id = (
      SELECT id FROM api_key
      WHERE (revoked_at <= $1 OR expires_at <= $1) AND EXISTS (SELECT FROM request_log WHERE key_id = api_key.id) LIMIT 1)`,
    [now],
  );
  return rowCount !== 0;
}

/**
 * Deletes what is past its retention, and makes the partitions of the coming days. True while there is more. One node
 * does at a time; the others are told that there is nothing to do.
 */
export function createPurge(db: Database, retention: Retention, limits: Limits) {
  const counted = [...limits.sendsPerDestination, ...limits.failedGuessesPerDestination];
  const longestWindow = Math.max(LONGEST_ACCOUNT_WINDOW_MS, ...counted.map(({ windowMs }) => windowMs));

  async function purge(client: ClientBase, now: number): Promise<boolean> {
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
      await oldest('idempotency', 'account_id, key_hash', 'created_at', now - IDEMPOTENCY_MS),
      await oldest('early_receipt', 'carrier, reference, receipt_id', 'received_at', now - DAY_MS),
      await oldest('destination', 'hash', 'last_day', dayOf(now - longestWindow) - 1),
      // Attempts after their verifications: a late settlement then finds no verification, rather than no partition.
      await dropOldest(client, 'verification', now - retention.verifications),
      await dropOldest(client, 'attempt', now - retention.verifications),
      await dropOldest(client, 'inbox_message', now - retention.simulatorMessages - LATEST_MESSAGE_MS),
      await purgeStatistics(client, now, retention.statistics),
      await freeOverKey(client, now),
    ];
    return more.includes(true);
  }

  return (now: number): Promise<boolean> =>
    db.session(async (client) => {
      // Of the session, not of a transaction: a partition cannot be detached concurrently inside one.
      const { rows } = await client.query<{ ours: boolean }>('SELECT pg_try_advisory_lock($1) AS ours', [
        PURGE_LOCK,
      ]);
      if (rows[0]?.ours !== true) return false;
      try {
        await client.query(`SET statement_timeout = ${PURGE_STATEMENT_MS}`);
        return await purge(client, now);
      } finally {
        await client.query(`SET statement_timeout = ${STATEMENT_MS}`);
        await client.query('SELECT pg_advisory_unlock($1)', [PURGE_LOCK]);
      }
    }, PATIENCE_MS);
}
