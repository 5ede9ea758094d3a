import { randomUUIDv7 } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { ApiKey, NewApiKey } from '../../core/api-key.ts';

export function keyOperations(db: DatabaseSync) {
  const columns =
    'api_key.id, account_id, api_key.name, test, prefix, api_key.created_at, last_used_at, revoked_at';
  const ensureAccount = db.prepare(
    'INSERT INTO account (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const insert = db.prepare(`
    INSERT INTO api_key (id, account_id, name, test, prefix, hash, created_at)
    SELECT :id, account.id, :name, :test, :prefix, :hash, :createdAt FROM account WHERE account.name = :accountName
    RETURNING ${columns}`);
  const list = db.prepare(`
    SELECT ${columns}, account.name AS account_name
    FROM api_key JOIN account ON account.id = account_id ORDER BY api_key.created_at, api_key.id`);
  const findByHash = db.prepare(`SELECT ${columns} FROM api_key WHERE hash = ?`);
  const revoke = db.prepare(`
    UPDATE api_key SET revoked_at = coalesce(revoked_at, :now) WHERE id = :key OR prefix = :key RETURNING ${columns}`);
  const dropPlaces = db.prepare('DELETE FROM request_place WHERE key_id = ?');
  const dropRings = db.prepare('DELETE FROM request_ring WHERE key_id = ?');
  const touch = db.prepare(
    'UPDATE api_key SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );
  const dataVersion = db.prepare('PRAGMA data_version');

  return {
    createKey(accountName: string, key: NewApiKey): ApiKey {
      ensureAccount.run(`acc_${randomUUIDv7().replaceAll('-', '')}`, accountName, key.createdAt);
      const { id, name, prefix, hash, createdAt } = key;
      const row = insert.get({ id, name, test: Number(key.test), prefix, hash, createdAt, accountName });
      if (row === undefined) throw new Error('the account vanished while its key was made');
      return apiKey(row);
    },
    listKeys: () => list.all().map((row) => ({ ...apiKey(row), accountName: String(row.account_name) })),
    findKey(hash: string): ApiKey | undefined {
      const row = findByHash.get(hash);
      return row && apiKey(row);
    },
    revokeKey(key: string, now: number): ApiKey | undefined {
      const row = revoke.get({ key, now });
      if (row === undefined) return undefined;
      const revoked = apiKey(row);
      dropPlaces.run(revoked.id);
      dropRings.run(revoked.id);
      return revoked;
    },
    touchKeys(lastUsed: readonly (readonly [string, number])[]): void {
      for (const [id, at] of lastUsed) touch.run(at, id);
    },
    /** Moves when another connection has committed; our own commits do not move it. */
    keysRevision: (): number => Number(dataVersion.get()?.data_version),
  };
}

function apiKey(row: Record<string, SQLOutputValue>): ApiKey {
  return {
    id: String(row.id),
    accountId: String(row.account_id),
    name: String(row.name),
    test: row.test === 1,
    prefix: String(row.prefix),
    createdAt: Number(row.created_at),
    lastUsedAt: row.last_used_at as number | null,
    revokedAt: row.revoked_at as number | null,
  };
}
