import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { newVerification, withLimits } from '../../../../test/store/contract/rig.ts';
import { migrate } from '../schema/migrate.ts';
import { TallyBook } from '../statistics/tally-book.ts';
import { createClampFutureTimes } from './clamp-future-times.ts';
import { createPurge } from './purge.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const DAY = 86_400_000;

test('what is dated on a later day is found behind any number that are dated rightly', () => {
  using db = new DatabaseSync(':memory:');
  migrate(db);
  const insert = db.prepare(`
    INSERT INTO verification (id, account_id, key_id, test, channel, country, destination_hash, destination_sealed,
      code_mac, guesses_left, created_at, expires_at)
    VALUES (?, 'acc', 'key', 0, 'sms', 'DE', 'hash', 'sealed', 'mac', 5, ?, ?)`);
  const write = (at: number) => insert.run(newVerification({ createdAt: at }).id, at, at + 1);
  write(NOW + DAY);
  for (let i = 0; i < 20_000; i++) write(NOW - DAY);
  const clampFutureTimes = createClampFutureTimes(db);
  assert.equal(clampFutureTimes(NOW, 15_000), 1);
  assert.equal(db.prepare('SELECT max(created_at) AS newest FROM verification').get()?.newest, NOW);
  assert.equal(clampFutureTimes(NOW, 15_000), 0);
});

test('what a clock dated ahead is not in the way of the messages behind it', () => {
  using db = new DatabaseSync(':memory:');
  migrate(db);
  const insert = db.prepare(
    `INSERT INTO webhook_message (id, webhook_id, type, verification_id, at, due_at) VALUES (?, 'whk', 't', 'ver', ?, NULL)`,
  );
  let count = 0;
  const write = (at: number) => insert.run(`msg_${count++}`, at);
  for (let i = 0; i < 1_200; i++) write(NOW + 300 * DAY);
  write(NOW - 30 * DAY);
  const { limits, retention } = withLimits({});
  const purge = createPurge(db, { ...retention, events: DAY }, limits, new TallyBook(db));
  const ages = () => db.prepare('SELECT min(at) AS oldest, max(at) AS newest FROM webhook_message').get();
  while (purge(NOW));
  while (purge(NOW + 2 * DAY));
  assert.deepEqual({ ...ages() }, { oldest: null, newest: null });
});
