/** Deletes the oldest entries of audit logs, and notes where the rest goes on. */
import { query, type Records } from '../../core/accounts/records.ts';

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
    `SELECT seq, hash, at FROM audit_entry WHERE account_id = $1 AND seq IS NOT NULL ORDER BY seq, id LIMIT ${BATCH}`,
    accountId,
  );
  const stays = oldest.findIndex(({ at }) => Number(at) > until);
  const last = oldest.at(stays === -1 ? -1 : stays - 1);
  if (stays === 0 || last === undefined) return false;
  const answer = await records.transact([
    {
      sql: `UPDATE audit_head SET removed_seq = CAST($2 AS BIGINT), removed_hash = $3
        WHERE account_id = $1 AND removed_seq < CAST($2 AS BIGINT) RETURNING removed_seq`,
      args: [accountId, Number(last.seq), String(last.hash)],
      guard: true,
    },
    {
      sql: 'DELETE FROM audit_entry WHERE account_id = $1 AND seq <= CAST($2 AS BIGINT)',
      args: [accountId, Number(last.seq)],
    },
  ]);
  return answer.done && stays === -1 && oldest.length === BATCH;
}
