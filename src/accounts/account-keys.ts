/** API keys, as the members of their account use them. */

import { type Actor, COMMAND_LINE } from '../core/accounts/actor.ts';
import type { ApiKey, KeyMaterial, KeyRestrictions, NewApiKey } from '../core/accounts/api-key.ts';
import type { MemberRole } from '../core/accounts/role.ts';
import { predecessorsOfNext } from '../core/accounts/succession.ts';
import { MINUTE_MS } from '../core/seams/spans.ts';
import { query, type Records, type RecordsAnswer, type Step } from '../core/sql/records.ts';
import { auditKeyStep } from './audit.ts';
import { apiKey, COLUMNS } from './key-row.ts';

/** Absent fields stay as they are. */
export interface KeyEdit {
  readonly name?: string | undefined;
  readonly expiresAt?: number | null | undefined;
  readonly restrictions?: KeyRestrictions | undefined;
  readonly customCodes?: boolean | undefined;
}

/** Keys of an account that are neither revoked nor expired. */
export const MAX_KEYS_IN_USE = 500;

export type KeyOutcome =
  | { readonly kind: 'done'; readonly key: ApiKey }
  /** The account has no such key. */
  | { readonly kind: 'unknown' }
  /** The key is revoked, expired or, if that matters, already replaced. */
  | { readonly kind: 'over' }
  /** The account has the maximum of keys in use. */
  | { readonly kind: 'too-many' }
  /** A key that may bring codes would be made, handed out or widened, which is for owners. */
  | { readonly kind: 'owners' };

/**
 * What the members of an account do with its keys. A change and its audit entry are written together or not at all.
 */
export interface AccountKeys {
  /** Newest first. */
  list(accountId: string): Promise<ApiKey[]>;
  find(accountId: string, id: string): Promise<ApiKey | undefined>;
  add(
    accountId: string,
    key: NewApiKey & Pick<ApiKey, 'expiresAt' | 'restrictions'>,
    by: Actor,
  ): Promise<Extract<KeyOutcome, { readonly kind: 'done' | 'too-many' | 'owners' }>>;
  /**
   * Changes a valid key. A key that was replaced keeps an expiry. Of a key that may bring codes, others than owners change only the
   * name, bring its end forward, and take the permission away.
   */
  change(accountId: string, id: string, change: KeyEdit, by: Actor, now: number): Promise<KeyOutcome>;
  /**
   * Makes a key with the same name, kind, restrictions and lifetime, and returns it. The old one works for `overlapMs` more,
   * but not beyond its own expiry. Of simultaneous rotations only one is done.
   */
  rotate(
    accountId: string,
    id: string,
    successor: KeyMaterial,
    overlapMs: number,
    by: Actor,
    now: number,
  ): Promise<KeyOutcome>;
  /** Also revokes an expired key, or one in its overlap. A second time changes nothing and is not recorded. */
  revoke(accountId: string, id: string, by: Actor, now: number): Promise<KeyOutcome>;
}

/** The key `$1` of the account `$2`, if it is valid at `$3`. */
const GOOD = 'id = $1 AND account_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)';

/**
 * The second step refuses if the account has the maximum of keys in use. The first puts concurrent requests in order, so
 * that each sees the key of the one before.
 */
const makeRoom = (accountId: string, now: number): readonly [Step, Step] => [
  { sql: 'UPDATE account SET name = name WHERE id = $1 RETURNING id', args: [accountId], guard: true },
  {
    sql: `SELECT 1 AS room WHERE ${MAX_KEYS_IN_USE} > (
      SELECT count(*) FROM api_key
        WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2))`,
    args: [accountId, now],
    guard: true,
  },
];
/** The index of the step that finds no room. */
const NO_ROOM = 1;

/** Later than every expiry. */
const NEVER = 8.64e15;

/** `role` is the one that the transactions of `records` check. */
export function createAccountKeys(records: Records, role: MemberRole): AccountKeys {
  const mayGiveCodes = role === 'owner';

  async function find(accountId: string, id: string): Promise<ApiKey | undefined> {
    const sql = `SELECT ${COLUMNS} FROM api_key WHERE account_id = $1 AND id = $2`;
    const [row] = await query(records, sql, accountId, id);
    return row && apiKey(row);
  }

  /** A refused change stays refused: keys never become valid again. */
  async function outcomeOf(
    answer: RecordsAnswer,
    step: number,
    accountId: string,
    id: string,
    now: number,
    wantsCodes = false,
  ): Promise<KeyOutcome> {
    const row = answer.done ? answer.rows[step]?.[0] : undefined;
    if (row !== undefined) return { kind: 'done', key: apiKey(row) };
    const key = await find(accountId, id);
    if (key === undefined) return { kind: 'unknown' };
    const isOver = key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now);
    const isForOwners = !mayGiveCodes && (key.customCodes || wantsCodes);
    return { kind: isForOwners && !isOver ? 'owners' : 'over' };
  }

  return {
    find,

    async list(accountId) {
      const rows = await query(
        records,
        `SELECT ${COLUMNS} FROM api_key WHERE account_id = $1 ORDER BY created_at DESC, id DESC`,
        accountId,
      );
      return rows.map(apiKey);
    },

    async add(accountId, key, by) {
      if (key.customCodes && !mayGiveCodes) return { kind: 'owners' };
      const insert: Step = {
        sql: `INSERT INTO api_key
            (id, account_id, name, test, prefix, hash, created_at, created_by, expires_at, restrictions,
              custom_codes)
          SELECT $1, account.id, $2, $3 = 1, $4, $5, $6, $7, $8, $9, $10 = 1 FROM account WHERE account.id = $11
          RETURNING ${COLUMNS}`,
        args: [
          key.id,
          key.name,
          Number(key.test),
          key.prefix,
          key.hash,
          key.createdAt,
          by === COMMAND_LINE ? null : by.name,
          key.expiresAt,
          JSON.stringify(key.restrictions),
          Number(key.customCodes ?? false),
          accountId,
        ],
        guard: true,
      };
      const { expiresAt, restrictions } = key;
      const detail = describeBounds({ expiresAt, restrictions, customCodes: key.customCodes || undefined });
      const entry = auditKeyStep(records, {
        ...{ key: key.id, by, action: 'key.created', detail, at: key.createdAt },
      });
      const answer = await records.transact([...makeRoom(accountId, key.createdAt), insert, entry], true);
      if (!answer.done && answer.refusedBy === NO_ROOM) return { kind: 'too-many' };
      const row = answer.done ? answer.rows[2]?.[0] : undefined;
      if (row === undefined) throw new Error('a key was made for an unknown account');
      return { kind: 'done', key: apiKey(row) };
    },

    async change(accountId, id, wanted, by, now) {
      const { name, expiresAt, restrictions, customCodes } = wanted;
      const change: Step = {
        sql: `UPDATE api_key SET
            name = coalesce($4, name),
            restrictions = coalesce($5, restrictions),
            expires_at = CASE WHEN $6 = 1 THEN CAST($7 AS bigint) ELSE expires_at END,
            custom_codes = CASE WHEN $8 = 1 THEN $9 = 1 ELSE custom_codes END
          WHERE ${GOOD} AND (replaced_by IS NULL OR $6 = 0 OR CAST($7 AS bigint) IS NOT NULL)
            AND ($10 = 1 OR NOT CASE WHEN $8 = 1 THEN $9 = 1 ELSE custom_codes END OR (custom_codes
              AND restrictions = coalesce($5, restrictions)
              AND ($6 = 0 OR coalesce(CAST($7 AS bigint), ${NEVER}) <= coalesce(expires_at, ${NEVER}))))
          RETURNING ${COLUMNS}`,
        args: [
          id,
          accountId,
          now,
          name ?? null,
          restrictions === undefined ? null : JSON.stringify(restrictions),
          expiresAt === undefined ? 0 : 1,
          expiresAt ?? null,
          customCodes === undefined ? 0 : 1,
          Number(customCodes ?? false),
          Number(mayGiveCodes),
        ],
        guard: true,
      };
      // Before the change, so that the entry has the old name of the key.
      const entry = auditKeyStep(records, {
        key: id,
        by,
        action: 'key.changed',
        detail: describeBounds(wanted),
        at: now,
      });
      return outcomeOf(await records.transact([entry, change], true), 1, accountId, id, now, customCodes);
    },

    async rotate(accountId, id, successor, overlapMs, by, now) {
      // They never change, so they may be read before.
      const old = await find(accountId, id);
      if (old === undefined) return { kind: 'unknown' };
      const predecessors = predecessorsOfNext({ keyId: id, predecessors: old.predecessors });
      // The first step locks the key and lets one rotation through. Then it is copied, so that the copy has the last
      // change, and only then its expiry is moved, because the copy needs the old one.
      const replace: Step = {
        sql: `UPDATE api_key SET replaced_by = $4 WHERE ${GOOD} AND replaced_by IS NULL AND ($5 = 1 OR NOT custom_codes)
          RETURNING id`,
        args: [id, accountId, now, successor.id, Number(mayGiveCodes)],
        guard: true,
      };
      const copy: Step = {
        sql: `INSERT INTO api_key
            (id, account_id, name, test, prefix, hash, created_at, created_by, expires_at, restrictions,
              custom_codes, predecessors)
          SELECT $2, account_id, name, test, $3, $4, CAST($5 AS bigint), $6,
            CAST($5 AS bigint) + (expires_at - created_at), restrictions, custom_codes, $7
          FROM api_key WHERE id = $1
          RETURNING ${COLUMNS}`,
        args: [
          ...[id, successor.id, successor.prefix, successor.hash, now, by.name],
          JSON.stringify(predecessors),
        ],
        guard: true,
      };
      const end: Step = {
        sql: 'UPDATE api_key SET expires_at = $2 WHERE id = $1 AND (expires_at IS NULL OR expires_at > $2)',
        args: [id, now + overlapMs],
      };
      const detail = `replaced by ${successor.prefix}; overlap of ${overlapMs / MINUTE_MS} minutes`;
      const entry = auditKeyStep(records, { key: id, by, action: 'key.rotated', detail, at: now });
      const steps = [...makeRoom(accountId, now), replace, copy, end, entry];
      const answer = await records.transact(steps, true);
      if (!answer.done && answer.refusedBy === NO_ROOM) return { kind: 'too-many' };
      return outcomeOf(answer, 3, accountId, id, now);
    },

    async revoke(accountId, id, by, now) {
      const revoke: Step = {
        sql: `UPDATE api_key SET revoked_at = $3 WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL
          RETURNING ${COLUMNS}`,
        args: [id, accountId, now],
        guard: true,
      };
      const answer = await records.transact(
        [revoke, auditKeyStep(records, { key: id, by, action: 'key.revoked', at: now })],
        true,
      );
      if (answer.done) return outcomeOf(answer, 0, accountId, id, now);
      const key = await find(accountId, id);
      return key === undefined ? { kind: 'unknown' } : { kind: 'done', key };
    },
  };
}

/** What a change sets, for the audit log. */
export function describeBounds({ name, expiresAt, restrictions, customCodes }: KeyEdit): string {
  const lists = restrictions === undefined ? [] : Object.entries(restrictions);
  return [
    ...(name === undefined ? [] : [`name: ${name}`]),
    ...(expiresAt === undefined
      ? []
      : [`expires: ${expiresAt === null ? 'never' : new Date(expiresAt).toISOString()}`]),
    ...lists.map(([list, values]) => `${list}: ${values.join(', ') || 'any'}`),
    ...(customCodes === undefined ? [] : [`custom codes: ${customCodes ? 'allowed' : 'not allowed'}`]),
  ].join('; ');
}
