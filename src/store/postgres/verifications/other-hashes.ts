import type { Store } from '../../port.ts';
import type { Database } from '../connection/database.ts';
import { dayOf } from '../schema/partitions.ts';

/** Looks in the table of destinations, which SQLite does not have. No hash has a `~` behind its mark. */
export function createOtherHashes(db: Database): Store['holdsOtherHashes'] {
  const statement = {
    name: 'other_hashes',
    text: `
      SELECT EXISTS (SELECT FROM destination WHERE (hash < $1 OR hash > $1 || '~') AND last_day >= $2) AS found`,
  };
  return async (mark, since) => {
    const [row] = await db.query<{ found: boolean }>(statement, [mark, dayOf(since)]);
    return row?.found ?? false;
  };
}
