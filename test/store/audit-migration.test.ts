/** Entries that were there before their log became a chain are in it after the migration, in the order of their ids. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import pg from 'pg';
import { verifyAuditLog } from '../../src/accounts/audit-log/verify.ts';
import { entryIdsFrom } from '../../src/accounts/token.ts';
import type { Store } from '../../src/store/port.ts';
import { migrate as migratePostgres } from '../../src/store/postgres/schema/migrate.ts';
import { migrate as migrateSqlite } from '../../src/store/sqlite/schema/migrate.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { startPostgres } from '../postgres.ts';
import { entriesOf } from './contract/records/audit-rig.ts';
import { LAX } from './contract/rig.ts';
import { openNode } from './postgres/rig.ts';

/** Not in order, and of two accounts. */
const TIMES = Array.from({ length: 400 }, (_, i) => (i * 7919) % 4_001);
const ROWS = TIMES.map(
  (at, i) =>
    `('acc_${i % 2}', '${entryIdsFrom(at)}_${i}', ${at}, 'Ada "Ü"', ${i % 3 === 0 ? 'NULL' : "'::1'"}, 'key.changed', 'it''s \\', '${i}', ${1 + (i % 5)})`,
);
const FILL = [
  "INSERT INTO account (id, name, created_at) VALUES ('acc_0', 'a', 0), ('acc_1', 'b', 0), ('acc_2', 'c', 0)",
  `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail, times) VALUES ${ROWS.join()}`,
];
const migrationOf = (folder: string, name: string) =>
  readFileSync(new URL(`../../src/store/${folder}/schema/migrations/${name}`, import.meta.url), 'utf8');

async function assertChained(store: Store): Promise<void> {
  for (const half of [0, 1]) {
    const verdict = await verifyAuditLog(store, `acc_${half}`, Date.now());
    assert.ok(verdict.ok && verdict.facts.last.seq === 200);
    const entries = await entriesOf(store, `acc_${half}`);
    assert.deepEqual(
      entries.map(({ at }) => at),
      TIMES.filter((_, i) => i % 2 === half).sort((one, other) => one - other),
    );
    assert.ok(entries.every(({ detail, times }) => times === 1 + (Number(detail) % 5)));
  }
  const empty = await verifyAuditLog(store, 'acc_2', Date.now());
  assert.ok(empty.ok && empty.facts.entries === 0);
}

test('in SQLite', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-audit-'));
  t.after(() => rm(dataDir, { recursive: true }));
  {
    using db = new DatabaseSync(join(dataDir, 'countersign.db'));
    migrateSqlite(db);
    db.exec(`
      DROP TRIGGER audit_entry_chained; DROP INDEX audit_entry_seq; DROP TABLE audit_head;
      ALTER TABLE audit_entry DROP COLUMN seq; ALTER TABLE audit_entry DROP COLUMN hash`);
    for (const statement of FILL) db.exec(statement);
    db.exec(migrationOf('sqlite', '0018-audit-chain.sql'));
    db.exec(migrationOf('sqlite', '0025-audit-removed.sql'));
  }
  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  t.after(() => store.close());
  await assertChained(store);
});

test('in PostgreSQL', async (t) => {
  const postgres = await startPostgres();
  t.after(() => postgres.dispose());
  const url = await postgres.createDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await migratePostgres((use) => use(client));
    await client.query(`
      DROP FUNCTION chain_audit_entries_of_transaction CASCADE; DROP FUNCTION chain_audit_entries;
      DROP FUNCTION audit_hash; DROP TABLE audit_head;
      ALTER TABLE audit_entry DROP COLUMN seq, DROP COLUMN hash`);
    for (const statement of FILL) await client.query(statement);
    await client.query(migrationOf('postgres', '0019-audit-chain.sql'));
    await client.query(migrationOf('postgres', '0026-audit-removed.sql'));
  } finally {
    await client.end();
  }
  const store = await openNode(url);
  t.after(() => store.close());
  await assertChained(store);
});
