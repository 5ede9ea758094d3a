import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { makeStoreFile } from './new-store.ts';

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-new-store-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const fill = (db: DatabaseSync) => db.exec('CREATE TABLE made (a)');

test('a new store gets its name when it is filled, and only its owner reads it', (t) => {
  const folder = createFolder(t);
  const file = join(folder, 'countersign.db');
  makeStoreFile(file, {
    exclusive: true,
    fill: (db) => {
      assert.ok(!existsSync(file));
      fill(db);
    },
  });
  assert.deepEqual(readdirSync(folder), ['countersign.db']);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  using db = new DatabaseSync(file, { readOnly: true });
  assert.equal(db.prepare('SELECT count(*) AS n FROM made').get()?.n, 0);
});

test('one that could not be filled leaves nothing', (t) => {
  const folder = createFolder(t);
  const broken = () => {
    throw new Error('the disk is full');
  };
  const make = () => makeStoreFile(join(folder, 'countersign.db'), { exclusive: false, fill: broken });
  assert.throws(make, /the disk is full/);
  assert.deepEqual(readdirSync(folder), []);
});

test('what a killed owner left unfinished is not continued', (t) => {
  const folder = createFolder(t);
  writeFileSync(join(folder, 'countersign.db.new'), 'half of it');
  makeStoreFile(join(folder, 'countersign.db'), { exclusive: true, fill });
  assert.deepEqual(readdirSync(folder), ['countersign.db']);
});

test('two that make one at once use the same: the first', (t) => {
  const folder = createFolder(t);
  const file = join(folder, 'countersign.db');
  makeStoreFile(file, {
    exclusive: false,
    fill: (db) => {
      fill(db);
      makeStoreFile(file, { exclusive: true, fill: (first) => first.exec('CREATE TABLE first (a)') });
    },
  });
  using db = new DatabaseSync(file, { readOnly: true });
  assert.deepEqual(
    db
      .prepare('SELECT name FROM sqlite_schema')
      .all()
      .map(({ name }) => name),
    ['first'],
  );
  assert.deepEqual(readdirSync(folder), ['countersign.db']);
});
