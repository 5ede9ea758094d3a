/** The ranges of numbers that accounts send nothing to. They come with the key from the authenticator's cache, so they are few. */
import type { Actor } from '../../core/accounts/actor.ts';
import { MAX_RANGES } from '../../core/blocking/range.ts';
import { query, type Records, type Step } from '../../core/sql/records.ts';
import { auditStep } from '../audit.ts';
import { lockAccount } from '../standing.ts';

export interface BlockedRange {
  readonly prefix: string;
  /** Unix ms. */
  readonly createdAt: number;
}

export async function listBlockedRanges(records: Records, accountId: string): Promise<BlockedRange[]> {
  const rows = await query(
    records,
    'SELECT prefix, created_at FROM blocked_range WHERE account_id = $1 ORDER BY prefix',
    accountId,
  );
  return rows.map((row) => ({ prefix: String(row.prefix), createdAt: Number(row.created_at) }));
}

/** Takes effect within a second. */
export async function blockRange(
  records: Records,
  accountId: string,
  prefix: string,
  by: Actor,
  now: number,
): Promise<'added' | 'known' | 'too-many'> {
  const add: Step = {
    // The lock puts concurrent ones in order, so that each counts those before it.
    sql: `INSERT INTO blocked_range (account_id, prefix, created_at) SELECT $1, $2, CAST($3 AS BIGINT)
      WHERE (SELECT count(*) FROM blocked_range WHERE account_id = $1) < ${MAX_RANGES}
      ON CONFLICT DO NOTHING RETURNING prefix`,
    args: [accountId, prefix, now],
    guard: true,
  };
  const entry = { accountId, by, action: 'range.blocked' as const, subject: prefix, detail: '', at: now };
  const answer = await records.transact([lockAccount(accountId), add, auditStep(records, entry)], true);
  if (answer.done) return 'added';
  const ranges = await listBlockedRanges(records, accountId);
  return ranges.some((range) => range.prefix === prefix) ? 'known' : 'too-many';
}

/** Takes effect within a second. False if it is not there. */
export async function unblockRange(
  records: Records,
  accountId: string,
  prefix: string,
  by: Actor,
  now: number,
): Promise<boolean> {
  const remove: Step = {
    sql: 'DELETE FROM blocked_range WHERE account_id = $1 AND prefix = $2 RETURNING prefix',
    args: [accountId, prefix],
    guard: true,
  };
  const entry = { accountId, by, action: 'range.unblocked' as const, subject: prefix, detail: '', at: now };
  return (await records.transact([remove, auditStep(records, entry)], true)).done;
}
