/** Corrects times in one function, which takes the locks of the other nodes' work; SQLite runs one statement per table. */
import type { Store } from '../../port.ts';
import { functionCall } from '../calls/function-call.ts';
import type { Database } from '../connection/database.ts';
import { lowestUuid } from '../verifications/verification-id.ts';

export function createHeal(db: Database, schema: string): Store['heal'] {
  const heal = functionCall<{ heal: number }>(db, schema, 'heal');
  return async (now, lease) => {
    const [row] = await heal({ now, lease, lowest: lowestUuid(now) });
    return row?.heal ?? 0;
  };
}
