/** Merges old buckets into wider ones, and drops what is past its retention. */
import type { DatabaseSync } from 'node:sqlite';
import { mergeTimesAt, outdatedAt, WIDTHS } from '../../../core/counting/tally-resolution.ts';
import { DAY_MS } from '../../../core/seams/spans.ts';
import { FORGOTTEN_AFTER_MS } from '../../shared/statistics.ts';
import { LATENCY_KEY, TALLY_KEY, type TallyBook } from './tally-book.ts';

/** Rows per table and step: a ms or two of work. */
const BATCH = 250;

/** One step of each kind; true while there is more. */
export function createStatisticsPurge(db: DatabaseSync, book: TallyBook, retentionMs: number) {
  // By the primary key, so that only rows that go are read.
  const take = (table: string, key: readonly string[]) =>
    db.prepare(`
      DELETE FROM ${table} WHERE (${key.join(', ')}) IN (
        SELECT ${key.join(', ')} FROM ${table} WHERE width = :width AND at < :before ORDER BY at LIMIT ${BATCH})
      RETURNING *`);
  const tallies = take('tally', TALLY_KEY);
  const latencies = take('latency_tally', LATENCY_KEY);
  const quotas = db.prepare('DELETE FROM quota WHERE day < ?');
  const states = db.prepare('DELETE FROM carrier_state WHERE at <= ?');

  return (now: number): boolean => {
    quotas.run(Math.floor(now / DAY_MS) - 1);
    states.run(now - FORGOTTEN_AFTER_MS);
    const expired = WIDTHS.flatMap((width) => {
      const old = { width, before: now - retentionMs - width + 1 };
      return [tallies.all(old).length, latencies.all(old).length];
    });
    const times = mergeTimesAt(now);
    const merged = outdatedAt(times).flatMap((old) => {
      const [counts, histograms] = [tallies.all(old), latencies.all(old)];
      // Written at the end of this transaction.
      book.merge(counts, histograms, times);
      return [counts.length, histograms.length];
    });
    return [...expired, ...merged].includes(BATCH);
  };
}
