/** Who did what in an account, when and from where. */
import type { Actor } from '../core/accounts/actor.ts';
import type { AuditAction } from '../core/accounts/audit-action.ts';
import { query, type Records, type Row, type Statement, type Step } from '../core/sql/records.ts';
import { type AuditFilter, matches } from './audit-log/filter.ts';
import { entryIdsFrom, mintEntryId } from './token.ts';

export const AUDIT_MS = 2 * 365 * 86_400_000;
const PAGE = 50;
/** Each read is short, so that requests never wait for a search. */
const SLICE = 1_000;
/** What one page searches at most. */
const MOST_LOOKED_AT = 20 * SLICE;
/** Greater than every id. */
const PAST_ALL = '~';

/** Has names and addresses of people and keys, never those of recipients of codes, and never a secret. */
export interface AuditEntry {
  readonly accountId: string;
  readonly by: Actor;
  readonly action: AuditAction;
  readonly subject: string;
  readonly detail: string;
  /** Unix ms. */
  readonly at: number;
}

/** Belongs in the transaction of the change, after its guards, so that nothing is done without a record. */
export function auditStep(
  { random }: Pick<Records, 'random'>,
  { accountId, by, action, subject, detail, at }: AuditEntry,
): Statement {
  return {
    sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    args: [accountId, mintEntryId(at, random), at, by.name, by.address, action, subject, detail],
  };
}

/** Changes to a person's sign-in concern every account that they are a member of. */
export function auditPersonStep(
  { random }: Pick<Records, 'random'>,
  {
    personId,
    who = null,
    address,
    action,
    detail = '',
    at,
  }: Pick<AuditEntry, 'action' | 'at'> & {
    readonly personId: string;
    readonly address: string | null;
    /** If it was not the person. */
    readonly who?: string | null;
    readonly detail?: string;
  },
): Step {
  return {
    sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
      SELECT account_id, $2, CAST($3 AS BIGINT), coalesce(CAST($7 AS TEXT), name || ' (' || email || ')'), $4, $5, email, $6
      FROM member JOIN person ON person.id = person_id WHERE person_id = $1`,
    args: [personId, mintEntryId(at, random), at, address, action, detail, who],
  };
}

/** A change of a key, by id or prefix, with the key's name at this step. Writes nothing if there is no such key. */
export function auditKeyStep(
  { random }: Pick<Records, 'random'>,
  {
    key,
    by,
    action,
    detail = '',
    at,
  }: Pick<AuditEntry, 'by' | 'action' | 'at'> & {
    readonly key: string;
    readonly detail?: string | undefined;
  },
): Step {
  return {
    sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
      SELECT account_id, $2, CAST($3 AS BIGINT), $4, $5, $6, name || ' (' || prefix || ')', $7
      FROM api_key WHERE id = $1 OR prefix = $1`,
    args: [key, mintEntryId(at, random), at, by.name, by.address, action, detail],
  };
}

/** What a key did, by its name at this step. */
export function auditOfKeyStep(
  { random }: Pick<Records, 'random'>,
  { accountId, keyId, action, subject, detail, at }: Omit<AuditEntry, 'by'> & { readonly keyId: string },
): Step {
  return {
    sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
      SELECT account_id, $3, CAST($4 AS BIGINT), name || ' (' || prefix || ')', NULL, $5, $6, $7
      FROM api_key WHERE id = $1 AND account_id = $2`,
    args: [keyId, accountId, mintEntryId(at, random), at, action, subject, detail],
  };
}

export interface AuditPage {
  readonly entries: readonly {
    readonly id: string;
    /** Its number in the account's log. */
    readonly seq: number;
    /** Unix ms. */
    readonly at: number;
    readonly who: string;
    readonly address: string | null;
    readonly action: string;
    readonly subject: string;
    readonly detail: string;
  }[];
  /** The cursor of the next page. */
  readonly next: string | null;
  /** With a next page: all entries since then were looked at. Unix ms. */
  readonly searchedTo: number | null;
}

/** Newest first; `before` is `next` of the previous page. A page may have fewer entries than fit if few match. */
export async function readAuditLog(
  records: Records,
  accountId: string,
  before: string = PAST_ALL,
  { from, to, ...filter }: AuditFilter = {},
): Promise<AuditPage> {
  const since = from === undefined ? '' : entryIdsFrom(from);
  let until = to === undefined || before < entryIdsFrom(to) ? before : entryIdsFrom(to);
  // Without a filter the first read has the whole page.
  const size = Object.keys(filter).length === 0 ? PAGE + 1 : SLICE;
  const found: AuditPage['entries'][number][] = [];
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += size) {
    const rows = await query(
      records,
      `SELECT id, seq, at, who, address, action, subject, detail, times FROM audit_entry
        WHERE account_id = $1 AND id >= $2 AND id < $3 ORDER BY id DESC LIMIT ${size}`,
      ...[accountId, since, until],
    );
    for (const row of rows) {
      const entry = entryOf(row);
      if (!matches(entry, filter)) continue;
      const last = found.at(-1);
      if (found.length === PAGE && last !== undefined) {
        return { entries: found, next: last.id, searchedTo: last.at };
      }
      found.push(entry);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) break;
    until = String(last.id);
    if (looked + size >= MOST_LOOKED_AT) return { entries: found, next: until, searchedTo: Number(last.at) };
  }
  return { entries: found, next: null, searchedTo: null };
}

const entryOf = (row: Row): AuditPage['entries'][number] => ({
  id: String(row.id),
  seq: Number(row.seq),
  at: Number(row.at),
  who: String(row.who),
  address: row.address as string | null,
  action: String(row.action),
  subject: String(row.subject),
  detail: Number(row.times) > 1 ? `${row.times} times within an hour` : String(row.detail),
});
