import { randomUUIDv7 } from 'node:crypto';
import type { ApiKey, KeyStore } from '../../core/api-key.ts';
import type { Database } from './database.ts';

interface KeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly test: boolean;
  readonly prefix: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

const COLUMNS =
  'api_key.id, account_id, api_key.name, test, prefix, api_key.created_at, last_used_at, revoked_at';

// Every change of a key raises the revision in the same statement: whoever sees the new revision sees the key.
const RAISED =
  'raised AS (UPDATE installation SET keys_revision = keys_revision + 1 WHERE EXISTS (SELECT FROM changed))';

export function createKeys(db: Database): KeyStore {
  const ensureAccount = {
    name: 'ensure_account',
    text: 'INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
  };
  const create = {
    name: 'create_key',
    text: `
      WITH changed AS (
        INSERT INTO api_key (id, account_id, name, test, prefix, hash, created_at)
        SELECT $1, account.id, $2, $3, $4, $5, $6 FROM account WHERE account.name = $7
        RETURNING ${COLUMNS}
      ), ${RAISED}
      SELECT * FROM changed`,
  };
  const list = {
    name: 'list_keys',
    text: `
      SELECT ${COLUMNS}, account.name AS account_name
      FROM api_key JOIN account ON account.id = account_id ORDER BY api_key.created_at, api_key.id`,
  };
  const find = { name: 'find_key', text: `SELECT ${COLUMNS} FROM api_key WHERE hash = $1` };
  const revoke = {
    name: 'revoke_key',
    text: `
      WITH changed AS (
        UPDATE api_key SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 OR prefix = $1 RETURNING ${COLUMNS}
      ), ${RAISED}, unused AS (
        DELETE FROM request_log USING changed WHERE key_id = changed.id
      )
      SELECT * FROM changed`,
  };
  const touch = {
    name: 'touch_keys',
    text: `
      UPDATE api_key SET last_used_at = greatest(last_used_at, used.at)
      FROM unnest($1::text[], $2::bigint[]) AS used (id, at) WHERE api_key.id = used.id`,
  };
  const revision = { name: 'keys_revision', text: 'SELECT keys_revision FROM installation' };

  return {
    async createKey(accountName, { id, name, test, prefix, hash, createdAt }): Promise<ApiKey> {
      // An account once made stays, so the key's statement finds it.
      await db.query(ensureAccount, [`acc_${randomUUIDv7().replaceAll('-', '')}`, accountName, createdAt]);
      const [row] = await db.query<KeyRow>(create, [id, name, test, prefix, hash, createdAt, accountName]);
      if (row === undefined) throw new Error('the account vanished while its key was made');
      return apiKey(row);
    },
    async listKeys() {
      const rows = await db.query<KeyRow & { readonly account_name: string }>(list, []);
      return rows.map((row) => ({ ...apiKey(row), accountName: row.account_name }));
    },
    async findKey(hash) {
      const [row] = await db.query<KeyRow>(find, [hash]);
      return row && apiKey(row);
    },
    async revokeKey(idOrPrefix, now) {
      const [row] = await db.query<KeyRow>(revoke, [idOrPrefix, now]);
      return row && apiKey(row);
    },
    async touchKeys(lastUsed) {
      if (lastUsed.size === 0) return;
      const sorted = [...lastUsed].sort(([a], [b]) => (a < b ? -1 : 1));
      await db.query(touch, [sorted.map(([id]) => id), sorted.map(([, at]) => at)]);
    },
    async keysRevision() {
      const [row] = await db.query<{ keys_revision: number }>(revision, []);
      if (row === undefined) throw new Error('the row of the installation is missing');
      return row.keys_revision;
    },
  };
}

function apiKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    test: row.test,
    prefix: row.prefix,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
