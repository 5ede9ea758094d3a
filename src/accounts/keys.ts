/** API keys, as the authenticator and the command line use them. */
import type { Actor } from '../core/accounts/actor.ts';
import type { ApiKey, KeyStore, KeyUse, NewApiKey } from '../core/accounts/api-key.ts';
import { query, type Records, type Step } from '../core/sql/records.ts';
import { auditKeyStep } from './audit.ts';
import { apiKey, COLUMNS } from './key-row.ts';
import { mintId } from './token.ts';

/** Rows in one transaction, which delays the writes of requests. */
const TOUCHED_AT_ONCE = 100;

export function createKeys(records: Records): KeyStore {
  /** Runs the steps that end in a new key and its audit entry; undefined if a guard refuses. */
  async function create(
    account: Step,
    accountName: string,
    { id, name, test, prefix, hash, createdAt, customCodes = false }: NewApiKey,
    by: Actor,
    why?: string,
  ): Promise<ApiKey | undefined> {
    const key: Step = {
      sql: `INSERT INTO api_key (id, account_id, name, test, prefix, hash, created_at, custom_codes)
        SELECT $1, account.id, $2, $3 = 1, $4, $5, $6, $7 = 1 FROM account WHERE account.name = $8 RETURNING ${COLUMNS}`,
      args: [id, name, Number(test), prefix, hash, createdAt, Number(customCodes), accountName],
      guard: true,
    };
    const detail = customCodes ? [why, 'custom codes: allowed'].filter(Boolean).join('; ') : why;
    const entry = auditKeyStep(records, { key: id, by, action: 'key.created', detail, at: createdAt });
    const answer = await records.transact([account, key, entry], true);
    const row = answer.done ? answer.rows[1]?.[0] : undefined;
    return row && apiKey(row);
  }

  return {
    async createKey(accountName, key, by): Promise<ApiKey> {
      // Accounts are never deleted, so the next step finds it.
      const account: Step = {
        sql: 'INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        args: [mintId('acc', records.random), accountName, key.createdAt],
      };
      const made = await create(account, accountName, key, by);
      if (made === undefined) throw new Error('the account disappeared while its key was made');
      return made;
    },

    createFirstKey(accountName, key, by, why) {
      // A second call at the same moment waits here for the first, and then finds its account.
      const account: Step = {
        sql: `INSERT INTO account (id, name, created_at)
          SELECT $1, $2, CAST($3 AS BIGINT) WHERE NOT EXISTS (SELECT 1 FROM account)
          ON CONFLICT DO NOTHING RETURNING id`,
        args: [mintId('acc', records.random), accountName, key.createdAt],
        guard: true,
      };
      return create(account, accountName, key, by, why);
    },

    async listKeys() {
      const rows = await query(
        records,
        `SELECT ${COLUMNS}, account.name AS account_name
          FROM api_key JOIN account ON account.id = account_id ORDER BY api_key.created_at, api_key.id`,
      );
      return rows.map((row) => ({ ...apiKey(row), accountName: String(row.account_name) }));
    },

    async findKey(hash) {
      const [row] = await query(
        records,
        `SELECT ${COLUMNS}, settings,
          (SELECT string_agg(prefix, ',') FROM blocked_range WHERE blocked_range.account_id = api_key.account_id) AS ranges
          FROM api_key LEFT JOIN account_setting ON account_setting.account_id = api_key.account_id WHERE hash = $1`,
        hash,
      );
      if (row === undefined) return undefined;
      const { settings, ranges } = row;
      return {
        ...apiKey(row),
        settings: settings === null ? null : JSON.parse(String(settings)),
        blockedRanges: ranges === null ? [] : String(ranges).split(','),
      };
    },

    async revokeKey(idOrPrefix, now, by, why) {
      const revoke: Step = {
        sql: `UPDATE api_key SET revoked_at = $2 WHERE (id = $1 OR prefix = $1) AND revoked_at IS NULL RETURNING ${COLUMNS}`,
        args: [idOrPrefix, now],
        guard: true,
      };
      const entry = auditKeyStep(records, {
        ...{ key: idOrPrefix, by, action: 'key.revoked', detail: why, at: now },
      });
      const answer = await records.transact([revoke, entry], true);
      const rows = answer.done
        ? answer.rows[0]
        : await query(records, `SELECT ${COLUMNS} FROM api_key WHERE id = $1 OR prefix = $1`, idOrPrefix);
      const row = rows?.[0];
      return row && apiKey(row);
    },

    async touchKeys(uses) {
      // In a fixed order, so that two nodes never wait for each other.
      const sorted = uses.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      for (let first = 0; first < sorted.length; first += TOUCHED_AT_ONCE) {
        await records.transact(sorted.slice(first, first + TOUCHED_AT_ONCE).map(touch));
      }
    },

    keysRevision: () => records.keysRevision(),
  };
}

function touch({ id, at, from }: KeyUse): Step {
  return {
    sql: `UPDATE api_key SET last_used_at = $2, last_used_from = $3
      WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`,
    args: [id, at, from],
  };
}
