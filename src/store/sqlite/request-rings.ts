import type { DatabaseSync } from 'node:sqlite';
import type { Limit } from '../../core/limits.ts';

/** The limits of an API key: for each a ring of the times of its latest `max` requests. */
export function requestRings(db: DatabaseSync, limits: readonly Limit[]) {
  const openRing = db.prepare(
    'INSERT INTO request_ring (key_id, max, window_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const takePlace = db.prepare(`
    INSERT INTO request_place (key_id, max, window_ms, place, requested_at)
    SELECT key_id, max, window_ms, requests % max, :now FROM request_ring
    WHERE key_id = :keyId AND max = :max AND window_ms = :windowMs
    ON CONFLICT DO UPDATE SET requested_at = excluded.requested_at
      WHERE requested_at <= excluded.requested_at - window_ms`);
  const turnRing = db.prepare(
    'UPDATE request_ring SET requests = requests + 1 WHERE key_id = ? AND max = ? AND window_ms = ?',
  );
  const oldest = db.prepare(`
    SELECT requested_at FROM request_place JOIN request_ring USING (key_id, max, window_ms)
    WHERE key_id = ? AND max = ? AND window_ms = ? AND place = requests % max`);
  const opened = new Set<string>();

  return {
    /** Counts one request of the key; answers the first limit that has no place left. */
    take(keyId: string, now: number): { limit: Limit; retryAfterMs: number } | undefined {
      if (!opened.has(keyId)) {
        for (const { max, windowMs } of limits) openRing.run(keyId, max, windowMs);
        opened.add(keyId);
      }
      for (const limit of limits) {
        const { max, windowMs } = limit;
        if (takePlace.run({ keyId, max, windowMs, now }).changes === 0) {
          const at = Number(oldest.get(keyId, max, windowMs)?.requested_at);
          return { limit, retryAfterMs: Math.max(1, at + windowMs - now) };
        }
        turnRing.run(keyId, max, windowMs);
      }
      return undefined;
    },
  };
}
