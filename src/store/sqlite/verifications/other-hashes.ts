import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../sql/day.ts';

/** Looks day by day in the index over hashes; PostgreSQL looks in a table of destinations. No hash has a `~` behind its mark. */
export function createOtherHashes(db: DatabaseSync) {
  const find = (side: '<' | '>') =>
    db.prepare(
      `SELECT 1 FROM verification WHERE created_at / ${DAY_MS} = ? AND destination_hash ${side} ? LIMIT 1`,
    );
  const [below, above] = [find('<'), find('>')];
  const last = db.prepare(`SELECT max(created_at / ${DAY_MS}) AS day FROM verification`);
  return (mark: string, since: number): boolean => {
    const newest = Number(last.get()?.day ?? 0);
    for (let day = newest; day >= Math.floor(since / DAY_MS); day--) {
      if ((below.get(day, mark) ?? above.get(day, `${mark}~`)) !== undefined) return true;
    }
    return false;
  };
}
