import type { DatabaseSync } from 'node:sqlite';
import type { Limit } from '../../../core/verification/limits.ts';
import { hotStatements } from '../sql/hot-statement.ts';

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
  const oldest = prepare(`
    SELECT requested_at FROM request_place JOIN request_ring USING (key_id, max, window_ms)
    WHERE ${ofRing} AND place = requests % max`);

  return {
    /** Counts a request of the key, or answers the first limit that is reached. */
    take(keyId: string, now: number): { limit: Limit; retryAfterMs: number } | undefined {
      for (const limit of limits) {
        const { max, windowMs } = limit;
        if (takePlace.run({ keyId, max, windowMs, now }).changes === 0) {
          const at = Number(oldest.get({ keyId, max, windowMs })?.requested_at);
          return { limit, retryAfterMs: at + windowMs - now };
        }
        turnRing.run({ keyId, max, windowMs });
      }
      return undefined;
    },
  };
}
