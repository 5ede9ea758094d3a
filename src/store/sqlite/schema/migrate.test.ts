import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
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
