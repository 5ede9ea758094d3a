/** Forgets what requests said of people's devices. PostgreSQL does the same by ids. */
import type { DatabaseSync } from 'node:sqlite';

/** Rows that are looked at in one batch: a few ms. */
const LOOK = 2_000;

/**
 * Goes over the rows from the oldest on, once: rowids are in order of time, and an index of the rows that have something would
 * cost every request that says something. After a start it goes over all of them again; also once the row it came to is gone, because
 * rowids that are free at the end of the table are given again.
 */
export function createSignalsPurge(db: DatabaseSync, retentionMs: number) {
  const reach = db.prepare(`
    SELECT max(rowid) AS last, id, count(*) AS looked FROM (
      SELECT rowid, id, created_at FROM verification WHERE rowid > :done ORDER BY rowid LIMIT ${LOOK})
    WHERE created_at <= :before`);
  const forget = db.prepare(`
    UPDATE verification SET signals = NULL, client_network = NULL
    WHERE rowid > :done AND rowid <= :last AND (signals IS NOT NULL OR client_network IS NOT NULL)`);
  const isThere = db.prepare('SELECT 1 FROM verification WHERE rowid = :done AND id = :id');
  let done = 0;
  let doneId = '';

  /** True while there is more. */
  return (now: number): boolean => {
    if (isThere.get({ done, id: doneId }) === undefined) done = 0;
    const { last = null, id, looked } = reach.get({ done, before: now - retentionMs }) ?? {};
    if (last === null) return false;
    forget.run({ done, last });
    done = Number(last);
    doneId = String(id);
    return looked === LOOK;
  };
}
