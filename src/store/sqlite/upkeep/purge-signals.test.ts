import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { DAY, newVerification } from '../../../../test/store/contract/rig.ts';
import { migrate } from '../schema/migrate.ts';
import { createSignalsPurge } from './purge-signals.ts';

const NOW = Date.UTC(2026, 10, 22, 12);

function opened() {
  const db = new DatabaseSync(':memory:');
  migrate(db);
  const insert = db.prepare(`
    INSERT INTO verification (id, account_id, key_id, test, channel, country, destination_hash, destination_sealed,
      code_mac, guesses_left, created_at, expires_at, client_network, signals)
    VALUES (?, 'acc', 'key', 0, 'sms', 'DE', 'hash', 'sealed', 'mac', 5, ?, ?, 'net', '{}')`);
  const write = (count: number, at: number) => {
    for (let i = 0; i < count; i++) insert.run(newVerification({ createdAt: at }).id, at, at + 1);
  };
  const purge = createSignalsPurge(db, 7 * DAY);
  const purgeAll = (now: number) => {
    while (purge(now));
  };
  const left = () => Number(db.prepare('SELECT count(signals) AS signals FROM verification').get()?.signals);
  return { db, write, purgeAll, left };
}

test('what requests said of devices is forgotten after its time, and not before', () => {
  const { db, write, purgeAll, left } = opened();
  using _ = db;
  write(3_000, NOW);
  write(5, NOW + DAY);
  purgeAll(NOW + 7 * DAY - 1);
  assert.equal(left(), 3_005);
  purgeAll(NOW + 7 * DAY);
  assert.equal(left(), 5);
});

test('also after the store was empty once, so that rows have the places of others before them', () => {
  const { db, write, purgeAll, left } = opened();
  using _ = db;
  write(50, NOW);
  purgeAll(NOW + 7 * DAY);
  db.exec('DELETE FROM verification');
  write(50, NOW + 31 * DAY);
  purgeAll(NOW + 38 * DAY);
  assert.equal(left(), 0);
});

test('also after the newest were erased, and more came since', () => {
  const { db, write, purgeAll, left } = opened();
  using _ = db;
  write(50, NOW);
  purgeAll(NOW + 7 * DAY);
  db.exec('DELETE FROM verification WHERE rowid > 20');
  write(50, NOW + 8 * DAY);
  purgeAll(NOW + 15 * DAY);
  assert.equal(left(), 0);
});
