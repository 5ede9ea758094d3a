/** API keys, as the members of their account know them. */
import { type AccountKeys, type ApiKey, type KeyOutcome, MAX_KEYS_IN_USE } from '../../core/api-key.ts';
import { query, type Records, type RecordsAnswer, type Step } from '../../core/records.ts';
import { apiKey, COLUMNS } from './key-row.ts';

/** The key `$1` of the account `$2`, if it is good at `$3`. */
const GOOD = 'id = $1 AND account_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)';

/**
 * Refused, by the second, when an account has as many keys in use as it may. Those that ask at once do so one after the
 * other, each seeing what the one before has made.
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
/** The place of the step that finds no room, where these come first. */
const NO_ROOM = 1;

export function createAccountKeys(records: Records): AccountKeys {
  async function find(accountId: string, id: string): Promise<ApiKey | undefined> {
    const sql = `SELECT ${COLUMNS} FROM api_key WHERE account_id = $1 AND id = $2`;
    const [row] = await query(records, sql, accountId, id);
    return row && apiKey(row);
  }

  /** A change that its guard refused is not done later either: keys never become good again. */
  async function outcomeOf(
    answer: RecordsAnswer,
    step: number,
    accountId: string,
    id: string,
  ): Promise<KeyOutcome> {
    const row = answer.done ? answer.rows[step]?.[0] : undefined;
    if (row !== undefined) return { kind: 'done', key: apiKey(row) };
    return { kind: (await find(accountId, id)) === undefined ? 'unknown' : 'over' };
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

    async add(accountId, key, record) {
      const insert: Step = {
        sql: `INSERT INTO api_key
            (id, account_id, name, test, prefix, hash, created_at, created_by, expires_at, restrictions)
          SELECT $1, account.id, $2, $3 = 1, $4, $5, $6, $7, $8, $9 FROM account WHERE account.id = $10
          RETURNING ${COLUMNS}`,
        args: [
          key.id,
          key.name,
          Number(key.test),
          key.prefix,
          key.hash,
          key.createdAt,
          key.createdBy,
          key.expiresAt,
          JSON.stringify(key.restrictions),
          accountId,
        ],
        guard: true,
      };
      const answer = await records.transact([...makeRoom(accountId, key.createdAt), insert, record], true);
      if (!answer.done && answer.refusedBy === NO_ROOM) return { kind: 'too-many' };
      const row = answer.done ? answer.rows[2]?.[0] : undefined;
      if (row === undefined) throw new Error('a key was made for an account that is none');
      return { kind: 'done', key: apiKey(row) };
    },

    async change(accountId, id, { name, expiresAt, restrictions }, now, record) {
      const change: Step = {
        sql: `UPDATE api_key SET
            name = coalesce($4, name),
            restrictions = coalesce($5, restrictions),
            expires_at = CASE WHEN $6 = 1 THEN CAST($7 AS bigint) ELSE expires_at END
          WHERE ${GOOD} AND (replaced_by IS NULL OR $6 = 0 OR CAST($7 AS bigint) IS NOT NULL)
          RETURNING ${COLUMNS}`,
        args: [
          id,
          accountId,
          now,
          name ?? null,
          restrictions === undefined ? null : JSON.stringify(restrictions),
          expiresAt === undefined ? 0 : 1,
          expiresAt ?? null,
        ],
        guard: true,
      };
      return outcomeOf(await records.transact([change, record], true), 0, accountId, id);
    },

    async rotate(accountId, id, successor, overlapMs, now, record) {
      // The first step locks the key and lets one rotation through; only then is it copied, so that the copy is of what
      // the last change left, and only then is its end moved, of which the copy still needs the old one.
      const replace: Step = {
        sql: `UPDATE api_key SET replaced_by = $4 WHERE ${GOOD} AND replaced_by IS NULL RETURNING id`,
        args: [id, accountId, now, successor.id],
        guard: true,
      };
      const copy: Step = {
        sql: `INSERT INTO api_key
            (id, account_id, name, test, prefix, hash, created_at, created_by, expires_at, restrictions)
          SELECT $2, account_id, name, test, $3, $4, CAST($5 AS bigint), $6,
            CAST($5 AS bigint) + (expires_at - created_at), restrictions
          FROM api_key WHERE id = $1
          RETURNING ${COLUMNS}`,
        args: [id, successor.id, successor.prefix, successor.hash, now, successor.createdBy],
        guard: true,
      };
      const end: Step = {
        sql: 'UPDATE api_key SET expires_at = $2 WHERE id = $1 AND (expires_at IS NULL OR expires_at > $2)',
        args: [id, now + overlapMs],
      };
      const steps = [...makeRoom(accountId, now), replace, copy, end, record];
      const answer = await records.transact(steps, true);
      if (!answer.done && answer.refusedBy === NO_ROOM) return { kind: 'too-many' };
      return outcomeOf(answer, 3, accountId, id);
    },

    async revoke(accountId, id, now, record) {
      const revoke: Step = {
        sql: `UPDATE api_key SET revoked_at = $3 WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL
          RETURNING ${COLUMNS}`,
        args: [id, accountId, now],
        guard: true,
      };
      const answer = await records.transact([revoke, record], true);
      if (answer.done) return outcomeOf(answer, 0, accountId, id);
      const key = await find(accountId, id);
      return key === undefined ? { kind: 'unknown' } : { kind: 'done', key };
    },
  };
}
