/** Forgets what requests said of people's devices. PostgreSQL does the same by ids. */
import type { DatabaseSync } from 'node:sqlite';

/** Rows that are looked at in one batch: a few ms. */
const LOOK = 2_000;

/**
 * Goes over the rows from the oldest on, once: rowids are in order of time, and an index of the rows that have something would
 * cost every request that says something. After a start it goes over all of them again.
 */
export function createSignalsPurge(db: DatabaseSync, retentionMs: number) {
  const reach = db.prepare(`
    SELECT max(rowid) AS last, count(*) AS looked FROM (
      SELECT rowid, created_at FROM verification WHERE rowid > :done ORDER BY rowid LIMIT ${LOOK})
    WHERE created_at <= :before`);
  const forget = db.prepare(`
    UPDATE verification SET signals = NULL, client_network = NULL
    WHERE rowid > :done AND rowid <= :last AND (signals IS NOT NULL OR client_network IS NOT NULL)`);
  let done = 0;

  /** True while there is more. */
  return (now: number): boolean => {
    const { last = null, looked } = reach.get({ done, before: now - retentionMs }) ?? {};
    if (last === null) return false;
    forget.run({ done, last });
    done = Number(last);
    return looked === LOOK;
  };
}
