/** Requests of keys, one by one. PostgreSQL counts those of a batch together, in a log of each key. */
import type { DatabaseSync } from 'node:sqlite';
import { type Limit, waitWithin } from '../../../core/verification/limits.ts';
import type { RequestRefusal } from '../../../core/verification/reading/inquiry.ts';
import { hotStatements } from '../sql/hot-statement.ts';

export type RequestRings = ReturnType<typeof createRequestRings>;

/** The limits of a requester, such as an API key: for each, a ring of the times of its latest `max` requests. */
export function createRequestRings(db: DatabaseSync, limits: readonly Limit[]) {
  const prepare = hotStatements(db);
  const ofRing = 'key_id = :keyId AND max = :max AND window_ms = :windowMs';
  const takePlace = prepare(`
    INSERT INTO request_place (key_id, max, window_ms, place, requested_at)
    SELECT :keyId, :max, :windowMs,
      coalesce((SELECT requests FROM request_ring WHERE ${ofRing}), 0) % :max, :now
    WHERE true
    ON CONFLICT DO UPDATE SET requested_at = excluded.requested_at
      WHERE requested_at <= excluded.requested_at - window_ms`);
  const turnRing = prepare(`
    INSERT INTO request_ring (key_id, max, window_ms, requests) VALUES (:keyId, :max, :windowMs, 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1`);
  /** The time in the place that the next request takes: of the ring's oldest once it is full. */
  const oldest = prepare(`
    SELECT requested_at FROM request_place JOIN request_ring USING (key_id, max, window_ms)
    WHERE ${ofRing} AND place = requests % max`);

  const leftUntilFree = (keyId: string, limit: Limit, now: number): number => {
    const { max, windowMs } = limit;
    const requestedAt = Number(oldest.get({ keyId, max, windowMs })?.requested_at ?? now - windowMs);
    return waitWithin(limit, requestedAt + windowMs - now);
  };

  return {
    /** Counts a request of the key, or answers the first limit that is reached. */
    take(keyId: string, now: number): RequestRefusal | undefined {
      // One limit guards its own ring. Several are looked at before any counts: what one refuses is no request to the others.
      const looked = limits.length > 1 ? limits : [];
      for (const limit of looked) {
        const retryAfterMs = leftUntilFree(keyId, limit, now);
        if (retryAfterMs > 0) return { limit, retryAfterMs };
      }
      for (const limit of limits) {
        const { max, windowMs } = limit;
        if (takePlace.run({ keyId, max, windowMs, now }).changes === 0) {
          return { limit, retryAfterMs: leftUntilFree(keyId, limit, now) };
        }
        turnRing.run({ keyId, max, windowMs });
      }
      return undefined;
    },
  };
}
