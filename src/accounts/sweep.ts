/** Deletes expired rows, a batch at a time. */
import { DAY_MS } from '../core/seams/spans.ts';
import { query, type Records } from '../core/sql/records.ts';
import { AUDIT_MS } from './audit.ts';
import { sweepAuditLogs } from './audit-log/sweep.ts';

const BATCH = 500;

/** How long data for the portal is kept, in ms. */
export interface LookupRetention {
  readonly verifications: number;
  readonly statistics: number;
}

/** Daily counts are deleted together with their last day. */
const WHOLE_DAYS_MS = 2 * 86_400_000;

/** Later receipts find no message. */
const TRACE_MS = 3 * 86_400_000;

export interface Past {
  readonly table: string;
  /** The column that names a row. */
  readonly key: string;
  readonly time: string;
  /** Rows of this time or earlier have expired. Unix ms. */
  readonly until: number;
}

export async function deletePast(records: Records, { table, key, time, until }: Past): Promise<void> {
  const sql = `DELETE FROM ${table} WHERE ${key} IN (
    SELECT ${key} FROM ${table} WHERE ${time} <= $1 LIMIT ${BATCH}) AND ${time} <= $1 RETURNING 1 AS gone`;
  while ((await query(records, sql, until)).length >= BATCH);
}

export async function sweepAccounts(
  records: Records,
  { verifications, statistics }: LookupRetention,
  now: number,
): Promise<void> {
  // A key has a name as long as anything shows what it was used for.
  const keysOver = now - Math.max(verifications, statistics) - WHOLE_DAYS_MS;
  await deletePast(records, { table: 'invitation', key: 'id', time: 'expires_at', until: now });
  await deletePast(records, { table: 'guard_rule', key: 'id', time: 'ends_at', until: now });
  const dayOver = Math.floor(now / DAY_MS) - 2;
  await deletePast(records, { table: 'verdict_count', key: 'subject', time: 'day', until: dayOver });
  await deletePast(records, { table: 'trace_link', key: 'name', time: 'noted_at', until: now - TRACE_MS });
  await sweepAuditLogs(records, now - AUDIT_MS);
  await deletePast(records, { table: 'api_key', key: 'id', time: 'revoked_at', until: keysOver });
  await deletePast(records, { table: 'api_key', key: 'id', time: 'expires_at', until: keysOver });
}
