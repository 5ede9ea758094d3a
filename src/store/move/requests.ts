/** The requests of each API key, put together from the rings that the embedded store keeps for each limit. */
import type { DatabaseSync } from 'node:sqlite';
import type { Limits } from '../../core/verification/limits.ts';

/** The table that `mergeRequests` makes, with the same rows as the database's log of requests. */
export const MERGED_REQUESTS = 'temp.merged_request';

/**
 * Numbers the requests of each key that the limits count at `now`. A ring holds the times of the latest requests. The last
 * limit's ring holds those that passed all limits; an earlier ring may also hold some that a later limit refused, as these once
 * counted. So the last ring comes first, as far back as it goes, then the one before it.
 */
export function mergeRequests(source: DatabaseSync, { requestsPerKey: limits }: Limits, now: number): void {
  source.exec(`
    CREATE TEMP TABLE merged_request (
      key_id TEXT NOT NULL, first_number INTEGER NOT NULL, last_number INTEGER NOT NULL, requested_at INTEGER NOT NULL)`);
  const keys = source.prepare('SELECT DISTINCT key_id FROM request_ring').all();
  const longest = Math.max(0, ...limits.map(({ windowMs }) => windowMs));
  const placesOf = source.prepare(`
    SELECT requested_at FROM request_place
    WHERE key_id = :key AND max = :max AND window_ms = :windowMs AND requested_at > :since
    ORDER BY requested_at DESC`);
  const insert = source.prepare(`INSERT INTO ${MERGED_REQUESTS} VALUES (?, ?, ?, ?)`);

  for (const { key_id: key = null } of keys) {
    const newestFirst: number[] = [];
    for (const { max, windowMs } of limits.toReversed()) {
      const places = placesOf.all({ key, max, windowMs, since: now - longest });
      const times = places.map(({ requested_at }) => Number(requested_at));
      for (const at of olderThan(newestFirst, times)) newestFirst.push(at);
    }
    let first = 1;
    for (const [at, requests] of countEach(newestFirst.reverse())) {
      insert.run(key, first, first + requests - 1, at);
      first += requests;
    }
  }
}

/** The times, newest first, that are older than `known`, and those at its oldest moment that it lacks. */
function olderThan(known: readonly number[], times: readonly number[]): readonly number[] {
  const oldest = known.at(-1) ?? Number.POSITIVE_INFINITY;
  return times.filter((at) => at <= oldest).slice(known.filter((at) => at === oldest).length);
}

function countEach(times: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const at of times) counts.set(at, (counts.get(at) ?? 0) + 1);
  return counts;
}
