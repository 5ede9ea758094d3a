/** Forgets what requests said of people's devices. SQLite does the same by rowids. */
import type { ClientBase } from 'pg';
import { lowestUuid } from '../verifications/verification-id.ts';

/** Rows that are looked at in one batch: a few ms. */
const LOOK = 2_000;

// Locked in the order of their ids, as by all others. The bounds leave out the partitions on both sides.
const FORGET = `
  WITH past AS MATERIALIZED (
    SELECT id, signals IS NOT NULL OR client_network IS NOT NULL AS says FROM verification
    WHERE id > $1 AND id < $2 ORDER BY id LIMIT ${LOOK}
  ), held AS MATERIALIZED (
    SELECT id FROM verification WHERE id IN (SELECT id FROM past WHERE says) AND id > $1 AND id < $2
    ORDER BY id FOR UPDATE
  ), forgotten AS (
    UPDATE verification SET signals = NULL, client_network = NULL FROM held
    WHERE verification.id = held.id AND verification.id > $1 AND verification.id < $2
  )
  SELECT id AS last, (SELECT count(*) FROM past)::integer AS looked FROM past ORDER BY id DESC LIMIT 1`;

/**
 * Goes over the rows from the oldest on, once: ids are in order of time, and an index of the rows that have something would cost
 * every request that says something. After a start it goes over all of them again.
 */
export function createSignalsPurge(retentionMs: number) {
  let done = lowestUuid(0);

  /** True while there is more. */
  return async (client: ClientBase, now: number): Promise<boolean> => {
    const { rows } = await client.query<{ last: string; looked: number }>(FORGET, [
      done,
      lowestUuid(now - retentionMs),
    ]);
    const [reached] = rows;
    if (reached === undefined) return false;
    done = reached.last;
    return reached.looked === LOOK;
  };
}
