/**
 * Corrects times in one function, which takes the locks of the other nodes' work; SQLite runs one statement per table. Those of
 * accounts and people are corrected one table at a time, so that no sign-in waits for all of them.
 */

import { MAX_OFFSET_MS } from '../../../core/seams/clock.ts';
import { query, type RecordOperations } from '../../../core/sql/records.ts';
import { LONGEST_CODE_MS } from '../../../core/verification/verification.ts';
import type { Store } from '../../port.ts';
import { accountCorrections } from '../../shared/account-corrections.ts';
import { functionCall } from '../calls/function-call.ts';
import type { Database } from '../connection/database.ts';
import { lowestUuid } from '../verifications/verification-id.ts';

/** The portal of each node goes by its machine's clock. */
const CORRECTIONS = accountCorrections('CAST($1 AS BIGINT)', `(CAST($1 AS BIGINT) + ${MAX_OFFSET_MS})`).map(
  (sql) => `${sql} RETURNING 1 AS corrected`,
);

export function createClampFutureTimes(
  db: Database,
  schema: string,
  records: RecordOperations,
): Store['clampFutureTimes'] {
  const clampFutureTimes = functionCall<{ clamp_future_times: number }>(db, schema, 'clamp_future_times');
  return async (now, lease) => {
    const [row] = await clampFutureTimes({
      ...{ now, lease, lowest: lowestUuid(now) },
      first_open: lowestUuid(now - LONGEST_CODE_MS),
    });
    let changed = row?.clamp_future_times ?? 0;
    for (const sql of CORRECTIONS) changed += (await query(records, sql, now)).length;
    return changed;
  };
}
