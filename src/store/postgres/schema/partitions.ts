/** One partition per day for tables that grow with every verification: made ahead, and dropped when it is too old. */

import type { ClientBase } from 'pg';
import { DAY_MS } from '../../../core/seams/spans.ts';
import { isLockTimeout } from '../connection/failure.ts';
import { inTransaction } from '../connection/transaction.ts';
import { lowestUuid } from '../verifications/verification-id.ts';
import { SCHEMA_LOCK } from './migrate.ts';

/** Days made in advance: enough for a weekend in which no purge runs. */
const DAYS_AHEAD = 3;

/** Everybody else waits for the table as long as a repair does. */
const LOCK_PATIENCE_MS = 1_000;

const PARTITIONED = ['verification', 'attempt', 'inbox_message'] as const;
type Partitioned = (typeof PARTITIONED)[number];

/** The UUID whose time names the partition. */
const KEY: Readonly<Record<Partitioned, string>> = {
  verification: 'id',
  attempt: 'verification_id',
  inbox_message: 'verification_id',
};

/** Leaves room on each page for the two updates of a verification, so that they do not touch its index. */
const FILLFACTOR: Readonly<Record<Partitioned, number>> = {
  verification: 70,
  attempt: 90,
  inbox_message: 100,
};

/** The day of a time, as a number. */
export function partitionDayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

export function daysAhead(now: number): number[] {
  return Array.from({ length: DAYS_AHEAD + 2 }, (_, i) => partitionDayOf(now) - 1 + i);
}

/**
 * Makes the missing partitions of these days. Making a table and then attaching it lets reads and writes go on, unlike
 * `CREATE TABLE ... PARTITION OF`.
 */
export async function ensurePartitions(client: ClientBase, days: readonly number[]): Promise<void> {
  const missing = await missingOf(client, days);
  if (missing.length === 0) return;
  await inTransaction(client, async () => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    for (const { parent, day } of await missingOf(client, days)) {
      const name = nameOf(parent, day);
      await client.query(
        `CREATE TABLE ${name} (LIKE ${parent} INCLUDING ALL) WITH (fillfactor = ${FILLFACTOR[parent]})`,
      );
      await client.query(`ALTER TABLE ${parent} ATTACH PARTITION ${name}
        FOR VALUES FROM ('${lowestUuid(day * DAY_MS)}') TO ('${lowestUuid((day + 1) * DAY_MS)}')`);
    }
  });
}

/**
 * For who found no partition of these days: makes it, and makes all sessions read the lists of partitions again. A session
 * that reads a list for the first time while a partition is attached can keep the list without it (seen with PostgreSQL
 * 18.4) until the table is changed again. Days that are made ahead are long listed when their time comes.
 */
export async function repairPartitions(client: ClientBase, days: readonly number[]): Promise<void> {
  await ensurePartitions(client, days);
  for (const parent of PARTITIONED) {
    try {
      await inTransaction(client, async () => {
        await client.query(`SET LOCAL lock_timeout = ${LOCK_PATIENCE_MS}`);
        // Nobody reads the list meanwhile.
        await client.query(`LOCK TABLE ONLY ${parent} IN ACCESS EXCLUSIVE MODE`);
        await announceChange(client, parent);
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      // A backup holds it. Who reads the list right now may need another repair.
      await announceChange(client, parent);
    }
  }
}

/** A change that changes nothing. */
async function announceChange(client: ClientBase, parent: Partitioned): Promise<void> {
  await client.query(`ALTER TABLE ONLY ${parent} ALTER COLUMN ${KEY[parent]} SET STATISTICS -1`);
}

async function missingOf(client: ClientBase, days: readonly number[]) {
  const wanted = PARTITIONED.flatMap((parent) => [...new Set(days)].map((day) => ({ parent, day })));
  // Reads the catalog's rows: the cache of to_regclass may lack what another session committed while this one waited for
  // the lock.
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1)`,
    [wanted.map(({ parent, day }) => nameOf(parent, day))],
  );
  const there = new Set(rows.map(({ name }) => name));
  return wanted.filter(({ parent, day }) => !there.has(nameOf(parent, day)));
}

/**
 * Drops the oldest partition of a table if it ends before `before`; otherwise answers false. Detaching concurrently waits
 * for statements that still use the partition and blocks none.
 */
export async function dropOldest(client: ClientBase, parent: Partitioned, before: number): Promise<boolean> {
  const { rows } = await client.query<{ name: string; attached: boolean; pending: boolean }>(
    `SELECT relname AS name, inhparent IS NOT NULL AS attached, coalesce(inhdetachpending, false) AS pending
     FROM pg_class LEFT JOIN pg_inherits ON inhrelid = pg_class.oid
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname ~ $1 ORDER BY relname LIMIT 1`,
    [`^${parent}_\\d{8}$`],
  );
  const [oldest] = rows;
  if (oldest === undefined || endOf(oldest.name) > before) return false;
  if (oldest.pending) await client.query(`ALTER TABLE ${parent} DETACH PARTITION ${oldest.name} FINALIZE`);
  else if (oldest.attached)
    await client.query(`ALTER TABLE ${parent} DETACH PARTITION ${oldest.name} CONCURRENTLY`);
  await client.query(`DROP TABLE ${oldest.name}`);
  return true;
}

/** `verification_20261121`. */
function nameOf(parent: Partitioned, day: number): string {
  return `${parent}_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

function endOf(name: string): number {
  const [, year, month, day] = /(\d{4})(\d{2})(\d{2})$/.exec(name) ?? [];
  return Date.parse(`${year}-${month}-${day}T00:00:00Z`) + DAY_MS;
}
