/** Entries that were there before their log became a chain are in it after the upgrade, in the order of their ids. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { verifyAuditLog } from '../../src/accounts/audit-log/verify.ts';
import { entryIdsFrom } from '../../src/accounts/token.ts';
import type { Store } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { startPostgres } from '../postgres.ts';
import { entriesOf } from './contract/records/audit-rig.ts';
import { LAX } from './contract/rig.ts';
import { makeTablesBefore } from './postgres/before.ts';
import { lookAt, openNode } from './postgres/rig.ts';
import { makeEmbeddedTables } from './version-before/embedded.ts';

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
    makeEmbeddedTables(db);
    for (const statement of FILL) db.exec(statement);
  }
  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  t.after(() => store.close());
  await assertChained(store);
});

test('in PostgreSQL', async (t) => {
  const postgres = await startPostgres();
  t.after(() => postgres.dispose());
  const url = await postgres.createDatabase();
  await makeTablesBefore(url);
  for (const statement of FILL) await lookAt(url, statement);
  const store = await openNode(url);
  t.after(() => store.close());
  await assertChained(store);
});
