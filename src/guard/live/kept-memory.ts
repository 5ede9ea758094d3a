/** What the store keeps of the guard's memory: a row for each bucket, and the news that nodes tell each other. */
import { query, type Records, type Statement } from '../../core/sql/records.ts';
import { BUCKETS } from '../memory/buckets.ts';
import type { Share } from '../sharing.ts';
import { decodeShare } from './encoding.ts';

/** After those of places and numbers: what is usual. */
export const BASELINE_BUCKET = BUCKETS;
export const KEPT_BUCKETS = BUCKETS + 1;
/** So many are read at once, in three rounds: each round costs a start some ms, and those of a large installation have some hundred kilobytes each. */
export const KEPT_AT_ONCE = 22;

export interface KeptBucket {
  readonly bucket: number;
  /** Unix ms. */
  readonly writtenAt: number;
  /** Undefined if it cannot be read: it is damaged, or another version wrote it. */
  readonly share: Share | undefined;
}

/** Reads some buckets, from one on. */
export async function readKept(records: Records, first: number): Promise<readonly KeptBucket[]> {
  const sql =
    'SELECT bucket, written_at, learnt FROM guard_memory WHERE bucket >= $1 AND bucket < $2 ORDER BY bucket';
  const rows = await query(records, sql, first, first + KEPT_AT_ONCE);
  return rows.map(({ bucket, written_at, learnt }) => ({
    bucket: Number(bucket),
    writtenAt: Number(written_at),
    share: decodeShare(String(learnt)),
  }));
}

/** When each bucket was written, by whichever node. */
export async function readWrittenAt(records: Records): Promise<ReadonlyMap<number, number>> {
  const rows = await query(records, 'SELECT bucket, written_at FROM guard_memory');
  return new Map(rows.map(({ bucket, written_at }) => [Number(bucket), Number(written_at)]));
}

/**
 * Writes a bucket at a time, unless it was written at or after `freshFrom`: of several nodes one writes it. What was written
 * later than now was written under a clock that is ahead.
 */
export function keepBucket(bucket: number, learnt: string, now: number, freshFrom: number): Statement {
  const sql = `INSERT INTO guard_memory (bucket, written_at, learnt) VALUES ($1, $2, $3)
    ON CONFLICT (bucket) DO UPDATE SET written_at = excluded.written_at, learnt = excluded.learnt
    WHERE guard_memory.written_at < $4 OR guard_memory.written_at > excluded.written_at
    RETURNING bucket`;
  return { sql, args: [bucket, now, learnt, freshFrom] };
}

/** The counter's row is locked until the transaction ends, so sequence numbers are committed in order. */
const COUNT = "UPDATE guard_counter SET value = value + 1 WHERE name = 'news'";
const LOCK = "UPDATE guard_counter SET value = value WHERE name = 'news'";

/** Tells news once, however often it is tried: `at` names them among those of the node. */
export function tellNews(node: string, at: number, learnt: string): Statement[] {
  const insert = `INSERT INTO guard_news (sequence, node, at, learnt)
    SELECT value, CAST($1 AS text), CAST($2 AS bigint), CAST($3 AS text) FROM guard_counter
    WHERE name = 'news' AND NOT EXISTS (SELECT 1 FROM guard_news WHERE node = $1 AND at = CAST($2 AS bigint))`;
  return [
    { sql: COUNT, args: [] },
    { sql: insert, args: [node, at, learnt] },
  ];
}

/** Nodes that forget at once wait for each other. */
export function forgetNews(upTo: number): Statement[] {
  return [
    { sql: LOCK, args: [] },
    { sql: 'DELETE FROM guard_news WHERE sequence <= $1', args: [upTo] },
  ];
}

export interface News {
  /** All up to this one were read. */
  readonly last: number;
  readonly texts: readonly string[];
}

const MOST_NEWS = 50;

/** What other nodes told after `last`; after a failover of the database, the counter may have gone back. */
export async function readNews(records: Records, node: string, last: number): Promise<News> {
  const sql = `SELECT counter.value AS value, news.sequence AS sequence, news.learnt AS learnt
    FROM guard_counter counter LEFT JOIN guard_news news ON news.sequence > $1 AND news.node <> $2
    WHERE counter.name = 'news' ORDER BY news.sequence LIMIT $3`;
  const rows = await query(records, sql, last, node, MOST_NEWS);
  const texts = rows.flatMap(({ learnt }) => (typeof learnt === 'string' ? [learnt] : []));
  const newest = rows.at(-1);
  const isAll = texts.length < MOST_NEWS;
  return { last: Number((isAll ? newest?.value : newest?.sequence) ?? last), texts };
}

export async function readNewsCounter(records: Records): Promise<number> {
  const [row] = await query(records, "SELECT value FROM guard_counter WHERE name = 'news'");
  return Number(row?.value ?? 0);
}
