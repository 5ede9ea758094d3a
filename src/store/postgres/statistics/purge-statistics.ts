/**
 * Adds up the events that nodes counted, merges old buckets into wider ones, and drops what is past its retention.
 * SQLite has no events: it adds up the counts of a batch in memory.
 */
import type { ClientBase } from 'pg';
import {
  DAY_WIDTH,
  FRESH_WIDTH,
  HOUR_WIDTH,
  mergeTimesAt,
  outdatedAt,
  WIDTHS,
} from '../../../core/counting/tally-resolution.ts';
import { BIN_COLUMNS, FORGOTTEN_AFTER_MS, MEASURES } from '../../shared/statistics.ts';
import { partitionDayOf } from '../schema/partitions.ts';

/** Rows per statement: some ms of work. */
const EVENTS = 5_000;
const BUCKETS = 1_000;

const BUCKET = ['account_id', 'test', 'channel', 'country', 'carrier'];

interface Table {
  readonly name: string;
  /** Without the width and the time. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

const TALLY: Table = { name: 'tally', key: [...BUCKET, 'key_id'], columns: Object.values(MEASURES) };
const LATENCY: Table = { name: 'latency_tally', key: [...BUCKET, 'stage'], columns: BIN_COLUMNS };

/** One step of each kind; true while there is more. Only one caller at a time. */
export async function purgeStatistics(
  client: ClientBase,
  now: number,
  retentionMs: number,
): Promise<boolean> {
  await client.query('DELETE FROM quota WHERE day < $1', [partitionDayOf(now) - 1]);
  await client.query('DELETE FROM carrier_state WHERE at <= $1', [now - FORGOTTEN_AFTER_MS]);
  const more = [(await countOf(client, ADD_EVENTS, [])) === EVENTS];
  const times = mergeTimesAt(now);
  for (const table of [TALLY, LATENCY]) {
    for (const width of WIDTHS) {
      const expired = await countOf(client, dropBuckets(table), [width, now - retentionMs - width + 1]);
      more.push(expired === BUCKETS);
    }
    for (const { width, before } of outdatedAt(times)) {
      const merged = await countOf(client, mergeBuckets(table), [width, before, times.intoDays]);
      more.push(merged === BUCKETS);
    }
  }
  return more.includes(true);
}

async function countOf(client: ClientBase, text: string, values: readonly number[]): Promise<number> {
  const { rows } = await client.query<{ n: number }>(text, [...values]);
  return rows[0]?.n ?? 0;
}

// Each is one statement, so that a query finds every count exactly once. A row's place in the table (ctid) is safe to use:
// only the purge deletes rows, and nothing updates them.
const ADD_EVENTS = `
  WITH gone AS (
    DELETE FROM tally_event WHERE ctid = ANY (ARRAY(SELECT ctid FROM tally_event LIMIT ${EVENTS})) RETURNING *
  ), tallies AS (
    ${addTo(
      TALLY,
      `SELECT ${FRESH_WIDTH}, at, ${TALLY.key.join(', ')}, ${TALLY.columns.map((column) => sumWhere(`event = '${column}'`)).join(', ')}
       FROM gone GROUP BY at, ${TALLY.key.join(', ')}`,
    )}
  ), latencies AS (
    ${addTo(
      LATENCY,
      `SELECT ${FRESH_WIDTH}, at, ${BUCKET.join(', ')}, event, ${LATENCY.columns.map((_, bin) => sumWhere(`bin = ${bin}`)).join(', ')}
       FROM gone WHERE bin IS NOT NULL GROUP BY at, ${BUCKET.join(', ')}, event`,
    )}
  )
  SELECT count(*) AS n FROM gone`;

const takeBuckets = ({ name, key }: Table) => `
  DELETE FROM ${name} WHERE (width, at, ${key.join(', ')}) IN (
    SELECT width, at, ${key.join(', ')} FROM ${name} WHERE width = $1 AND at < $2 ORDER BY at LIMIT ${BUCKETS})
  RETURNING *`;

const dropBuckets = (table: Table) => `WITH gone AS (${takeBuckets(table)}) SELECT count(*) AS n FROM gone`;

const mergeBuckets = (table: Table) => `
  WITH gone AS (${takeBuckets(table)}), wider AS (
    SELECT gone.*, CASE WHEN at < $3 THEN ${DAY_WIDTH} ELSE ${HOUR_WIDTH} END AS wide FROM gone
  ), merged AS (
    ${addTo(
      table,
      `SELECT wide, at - at % wide, ${table.key.join(', ')}, ${table.columns.map((column) => `sum(${column})`).join(', ')}
       FROM wider GROUP BY wide, at - at % wide, ${table.key.join(', ')}`,
    )}
  )
  SELECT count(*) AS n FROM gone`;

function addTo({ name, key, columns }: Table, rows: string): string {
  const unique = ['width', 'at', ...key].join(', ');
  const additions = columns.map((column) => `${column} = held.${column} + excluded.${column}`);
  return `INSERT INTO ${name} AS held (${unique}, ${columns.join(', ')}) ${rows}
    ON CONFLICT (${unique}) DO UPDATE SET ${additions.join(', ')}`;
}

function sumWhere(condition: string): string {
  return `coalesce(sum(amount) FILTER (WHERE ${condition}), 0)`;
}
