import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Progress } from '../../../core/progress.ts';
import { migrate } from './migrate.ts';

const MIGRATIONS = readdirSync(new URL('./migrations/', import.meta.url));
const versionOf = (db: DatabaseSync) => db.prepare('PRAGMA user_version').get()?.user_version;

test('an empty database gets every migration', () => {
  using db = new DatabaseSync(':memory:');
  const reports: Progress[] = [];
  migrate(db, (progress) => reports.push(progress));
  assert.equal(versionOf(db), MIGRATIONS.length);
  const expected = MIGRATIONS.map((_, done) => {
    return { step: 'migrating the store', done, total: MIGRATIONS.length };
  });
  assert.deepEqual(reports, expected);
  assert.equal(db.prepare('SELECT count(*) AS n FROM verification').get()?.n, 0);
});

test('a database that is up to date is left as it is', () => {
  using db = new DatabaseSync(':memory:');
  migrate(db);
  db.exec("INSERT INTO account (id, name, created_at) VALUES ('acc_1', 'Acme', 0)");
  migrate(db, () => assert.fail('there is nothing to report'));
  assert.equal(db.prepare('SELECT count(*) AS n FROM account').get()?.n, 1);
});

test('where there is nothing to migrate nothing is written, so no start waits for the disk', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-migrate-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'countersign.db');
  using db = new DatabaseSync(file);
  migrate(db);
  using other = new DatabaseSync(file);
  const writes = () => other.prepare('PRAGMA data_version').get()?.data_version;
  const before = writes();
  migrate(db);
  assert.equal(writes(), before);
  db.exec('PRAGMA user_version = 0');
  assert.notEqual(writes(), before);
});

test('a newer schema is refused, and no transaction stays open', () => {
  using db = new DatabaseSync(':memory:');
  db.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
  assert.throws(() => migrate(db), /newer version .*upgrade/);
  assert.equal(db.isTransaction, false);
  assert.equal(versionOf(db), MIGRATIONS.length + 1);
});

test('migrations are numbered without a gap', () => {
  for (const [i, name] of MIGRATIONS.sort().entries()) {
    assert.match(name, new RegExp(`^${String(i + 1).padStart(4, '0')}-[a-z0-9-]+\\.sql$`));
  }
});
