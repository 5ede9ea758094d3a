import type { Store } from '../port.ts';
import type { Database } from './database.ts';
import { functionCall } from './function-call.ts';
import { lowestUuid } from './verification-id.ts';

export function createHeal(db: Database, schema: string): Store['heal'] {
  const heal = functionCall<{ heal: number }>(db, schema, 'heal');
  return async (now, lease) => {
    const [row] = await heal({ now, lease, lowest: lowestUuid(now) });
    return row?.heal ?? 0;
  };
}
