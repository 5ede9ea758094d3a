import type { RateBudget } from '../../../core/sending/delivery.ts';
import type { Database } from '../connection/database.ts';

/** The schedules of carriers, by the database's clock because those of the nodes may differ. */
export function createBudget(db: Database): RateBudget {
  const statement = {
    name: 'reserve',
    text: `
      INSERT INTO carrier_schedule AS held (carrier, next_at)
      SELECT $1, extract(epoch FROM clock_timestamp()) * 1000 + $2::float8 * $3::integer
      ON CONFLICT (carrier) DO UPDATE SET
        next_at = greatest(held.next_at, extract(epoch FROM clock_timestamp()) * 1000) + $2::float8 * $3::integer
      RETURNING next_at - $2::float8 * $3::integer - extract(epoch FROM clock_timestamp()) * 1000 AS wait`,
  };
  return {
    async reserve(carrier, spacingMs, count) {
      const [row] = await db.query<{ wait: number }>(statement, [carrier, spacingMs, count]);
      if (row === undefined) throw new Error('a reservation was not answered');
      return Math.max(0, row.wait);
    },
  };
}
