import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { makeEmbeddedTables } from '../../../../test/store/version-before/embedded.ts';
import { StoreUnusable } from '../../../core/errors/store-failure.ts';
import type { Progress } from '../../../core/reporting/progress.ts';
import { SCHEMA_OF_0_2 } from '../../shared/schema-files.ts';
import { knownSchema, migrate, requireCurrent } from './migrate.ts';

const versionOf = (db: DatabaseSync) => db.prepare('PRAGMA user_version').get()?.user_version;
const namesOf = (folder: string) => readdirSync(new URL(`./${folder}/`, import.meta.url)).sort();

test('an empty database gets all tables, and the number of the newest upgrade', () => {
  using db = new DatabaseSync(':memory:');
  const reports: Progress[] = [];
  migrate(db, (progress) => reports.push(progress));
  assert.equal(versionOf(db), Number.parseInt(namesOf('upgrades').at(-1) ?? '', 10));
  assert.equal(versionOf(db), knownSchema());
  assert.deepEqual(reports, [{ step: 'migrating the store', done: 0, total: 1 }]);
  assert.equal(db.prepare('SELECT count(*) AS n FROM verification').get()?.n, 0);
});

test('a database of version 0.2.0 gets every upgrade', () => {
  using db = new DatabaseSync(':memory:');
  makeEmbeddedTables(db);
  const reports: Progress[] = [];
  migrate(db, (progress) => reports.push(progress));
  assert.equal(versionOf(db), knownSchema());
  const expected = namesOf('upgrades').map((_, done, { length: total }) => {
    return { step: 'migrating the store', done, total };
  });
  assert.deepEqual(reports, expected);
});

test('a message of the inbox whose code version 0.2.0 erased, at a late receipt of another carrier, holds up no upgrade', () => {
  using db = new DatabaseSync(':memory:');
  makeEmbeddedTables(db);
  const columns = `id, account_id, key_id, test, channel, country, destination_hash, destination_sealed, code_mac, guesses_left,
    created_at, expires_at, state, fence, inbox_at, code_sealed`;
  const rest = "'acc', 'key', 1, 'sms', 'DE', 'hash', '2.sealed', 'mac', 5, 1, 2, 'delivered', 1, 1";
  db.exec(
    `INSERT INTO verification (${columns}) VALUES ('ver_kept', ${rest}, 'code'), ('ver_gone', ${rest}, NULL)`,
  );
  migrate(db);
  const inbox = db.prepare('SELECT verification_id AS id, code_sealed AS code FROM inbox_message').all();
  assert.deepEqual(
    inbox.map((row) => ({ ...row })),
    [{ id: 'ver_kept', code: 'code' }],
  );
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
  db.exec(`PRAGMA user_version = ${knownSchema() + 1}`);
  assert.throws(() => migrate(db), /newer version .*upgrade/);
  assert.equal(db.isTransaction, false);
  assert.equal(versionOf(db), knownSchema() + 1);
});

test('a schema of no release is refused, and nothing is changed', () => {
  using db = new DatabaseSync(':memory:');
  makeEmbeddedTables(db);
  const [first = ''] = namesOf('upgrades');
  const changes = () => db.prepare('SELECT total_changes() AS n').get()?.n;
  for (const schema of [SCHEMA_OF_0_2 + 1, Number.parseInt(first, 10) - 1]) {
    db.exec(`PRAGMA user_version = ${schema}`);
    const before = changes();
    for (const open of [migrate, requireCurrent]) {
      assert.throws(
        () => open(db),
        (error) =>
          error instanceof StoreUnusable &&
          error.message.includes(`schema ${schema}, which only versions between`),
      );
    }
    assert.deepEqual([versionOf(db), changes(), db.isTransaction], [schema, before, false]);
  }
});

test('a schema before that of 0.2.0 goes by 0.2.0, also if nothing was sent', () => {
  using db = new DatabaseSync(':memory:');
  makeEmbeddedTables(db);
  db.exec(`PRAGMA user_version = ${SCHEMA_OF_0_2 - 1}`);
  assert.throws(
    () => migrate(db),
    /version 0\.1 left this store \(schema 9\).* start version 0\.2\.0 on it first/,
  );
  assert.equal(versionOf(db), SCHEMA_OF_0_2 - 1);
});

test('upgrades are numbered without a gap, and there is a file of tables for each that the other store has', () => {
  const numbers = namesOf('upgrades').map((name) => /^(\d{4})-[a-z0-9.-]+\.sql$/.exec(name)?.[1]);
  assert.ok(numbers.length > 0);
  assert.deepEqual(
    numbers,
    numbers.map((_, i) => String(Number(numbers[0]) + i).padStart(4, '0')),
  );
  assert.deepEqual(namesOf('tables'), namesOf('../../postgres/schema/tables'));
});
