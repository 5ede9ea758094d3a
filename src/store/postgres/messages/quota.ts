/** Quotas. Nodes race for a row; SQLite has only one writer, and other names for `least` and `greatest`. */
import type { QuotaStore } from '../../../core/sending/quota.ts';
import type { Database } from '../connection/database.ts';

export function createQuotas(db: Database): QuotaStore {
  // Guard and write are one step on the newest version of the row. A lower `max` takes nothing back.
  const take = {
    name: 'take_quota',
    text: `
      INSERT INTO quota AS held (name, day, taken, granted)
      VALUES ($1, $2, least($4::bigint, $3::bigint), least($4::bigint, $3::bigint))
      ON CONFLICT (name, day) DO UPDATE SET
        taken = held.taken + least($4::bigint, greatest($3::bigint - held.taken, 0)),
        granted = least($4::bigint, greatest($3::bigint - held.taken, 0))
      RETURNING granted`,
  };
  const giveBack = {
    name: 'return_quota',
    text: 'UPDATE quota SET taken = greatest(taken - $3::bigint, 0) WHERE name = $1 AND day = $2',
  };
  return {
    async takeQuota(name, day, max, count) {
      const [row] = await db.query<{ granted: number }>(take, [name, day, max, count]);
      if (row === undefined) throw new Error('a quota was not answered');
      return row.granted;
    },
    returnQuota: async (name, day, count) => void (await db.query(giveBack, [name, day, count])),
  };
}
