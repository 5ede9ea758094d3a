import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Progress } from '../../../core/progress.ts';
import { defineAuditHash } from './audit-hash.ts';
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

test('codes of an account that checks by number are still found by it after an upgrade', () => {
  using db = new DatabaseSync(':memory:');
  defineAuditHash(db);
  const sql = (name: string) => readFileSync(new URL(`./migrations/${name}`, import.meta.url), 'utf8');
  const own = MIGRATIONS.find((name) => name.endsWith('-ended.sql')) ?? '';
  for (const name of MIGRATIONS.sort().slice(0, MIGRATIONS.indexOf(own))) db.exec(sql(name));
  for (const [account, settings] of [
    ['checks', '{"twilio":true}'],
    ['other', '{"twilio":null}'],
  ] as const) {
    db.prepare('INSERT INTO account (id, name, created_at) VALUES (?, ?, 0)').run(account, account);
    db.prepare('INSERT INTO account_setting (account_id, settings) VALUES (?, ?)').run(account, settings);
    for (const age of [60_000, 7_200_000]) {
      db.prepare(`INSERT INTO verification (id, account_id, key_id, test, channel, country, destination_hash,
        destination_sealed, code_mac, guesses_left, created_at, expires_at)
        VALUES (?, ?, 'key', 0, 'sms', 'DE', 'hash', 'sealed', 'mac', 5, ?, 0)`).run(
        `${account} ${age}`,
        account,
        Date.now() - age,
      );
    }
  }
  db.exec(sql(own));
  assert.deepEqual(
    db
      .prepare('SELECT id FROM verification WHERE by_number')
      .all()
      .map(({ id }) => id),
    ['checks 60000'],
  );
});

test('migrations are numbered without a gap', () => {
  for (const [i, name] of MIGRATIONS.sort().entries()) {
    assert.match(name, new RegExp(`^${String(i + 1).padStart(4, '0')}-[a-z0-9-]+\\.sql$`));
  }
});
