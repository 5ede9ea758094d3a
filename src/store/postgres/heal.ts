import type { Store } from '../port.ts';
import type { Database } from './database.ts';
import { lowestUuid } from './verification-id.ts';

export function createHeal(db: Database, schema: string): Store['heal'] {
  const statement = { name: 'heal', text: `SELECT ${schema}.heal($1, $2, $3) AS changed` };
  return async (now, lease) => {
    const [row] = await db.query<{ changed: number }>(statement, [now, lease, lowestUuid(now)]);
    return row?.changed ?? 0;
  };
}
