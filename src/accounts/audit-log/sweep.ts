/** Deletes the oldest entries of audit logs, and keeps the last of them: it shows that they were old, and where the rest goes on. */
import { textOfEntry } from '../../core/accounts/audit-chain.ts';
import { query, type Records } from '../../core/sql/records.ts';
import { chainedEntryOf } from './chain.ts';

/** One transaction deletes no more. */
const BATCH = 500;

/** Deletes entries of `until` (Unix ms) or earlier. One that follows an entry which stays, stays with it. */
export async function sweepAuditLogs(records: Records, until: number): Promise<void> {
  const accounts = await query(records, 'SELECT DISTINCT account_id FROM audit_entry WHERE at <= $1', until);
  for (const { account_id } of accounts) while (await removeOldest(records, String(account_id), until));
}

/**
 * True if there may be more. What was read cannot change before it is deleted: the oldest entries only ever go, and the guard
 * sees whether somebody else was first.
 */
async function removeOldest(records: Records, accountId: string, until: number): Promise<boolean> {
  const oldest = await query(
    records,
    `SELECT *, (SELECT removed_hash FROM audit_head WHERE account_id = $1) AS removed_hash FROM audit_entry
      WHERE account_id = $1 AND seq IS NOT NULL ORDER BY seq, id LIMIT ${BATCH}`,
    accountId,
  );
  const stays = oldest.findIndex(({ at }) => Number(at) > until);
  const gone = stays === -1 ? oldest : oldest.slice(0, stays);
  const [before, last] = [gone.at(-2)?.hash ?? gone[0]?.removed_hash, gone.at(-1)];
  if (last === undefined) return false;
  const entry = textOfEntry(String(before), chainedEntryOf(accountId, last));
  const answer = await records.transact([
    {
      sql: `UPDATE audit_head SET removed_seq = CAST($2 AS BIGINT), removed_hash = $3, removed_entry = $4
        WHERE account_id = $1 AND removed_seq < CAST($2 AS BIGINT) RETURNING removed_seq`,
      args: [accountId, Number(last.seq), String(last.hash), entry],
      guard: true,
    },
    {
      sql: 'DELETE FROM audit_entry WHERE account_id = $1 AND seq <= CAST($2 AS BIGINT)',
      args: [accountId, Number(last.seq)],
    },
  ]);
  return answer.done && stays === -1 && oldest.length === BATCH;
}
