/** However long an installation has been in use, its start, its traffic and its upkeep read only what they need. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { findMessengerUser, noteMessengerUser } from '../../src/accounts/blocking/messenger-users.ts';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { Keyring } from '../../src/core/secrets/keyring.ts';
import type { Records } from '../../src/core/sql/records.ts';
import { createCarrierStates } from '../../src/store/sqlite/messages/carrier-states.ts';
import { createSenders } from '../../src/store/sqlite/messages/senders.ts';
import { migrate } from '../../src/store/sqlite/schema/migrate.ts';
import { TallyBook } from '../../src/store/sqlite/statistics/tally-book.ts';
import { createOperations } from '../../src/store/sqlite/thread/operations.ts';
import { createArchive } from '../../src/store/sqlite/verifications/archive.ts';
import { createHistory } from '../../src/store/sqlite/verifications/history.ts';
import { withLimits } from './contract/rig.ts';
import { scansOf } from './scans.ts';

/** What may: it stops after a row or a few, or what came in ten minutes, or runs only after a clock was ahead, or the table forgets all within a day. */
const MAY = [
  /^SELECT max\(created_at \/ \d+\) AS day FROM verification$/,
  /^SELECT (rowid AS place, )?(created_at AS )?at FROM \w+ ORDER BY (rowid|seq) DESC$/,
  /^UPDATE webhook_message SET at = :now WHERE at > :now$/,
  /^UPDATE inbox_message SET received_at = :now WHERE received_at > :now$/,
  /^\s*WITH RECURSIVE account \(id\) AS \(\s*SELECT min\(account_id\) FROM inbox_message\b/,
  /\b(UPDATE|FROM) (idempotency|early_receipt)\b/,
];

test('no statement of the embedded store reads a table that grows from end to end', (t) => {
  using db = new DatabaseSync(':memory:');
  migrate(db);
  const prepare = t.mock.method(db, 'prepare');
  createOperations(db, withLimits({}), new TallyBook(db), { clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM });
  for (const create of [createCarrierStates, createSenders, createArchive, createHistory])
    create(db, 30 * 86_400_000);
  const statements = new Set(prepare.mock.calls.map(({ arguments: [sql] }) => sql));
  prepare.mock.restore();
  assert.ok(statements.size > 100, `${statements.size} statements`);
  const judged = [...statements].filter((sql) => !MAY.some((pattern) => pattern.test(sql)));
  const faults = judged.flatMap((sql) => scansOf(db, sql).map((scan) => `${scan}: ${sql}`));
  assert.deepEqual(faults, []);
});

test('nor does what is noted with each receipt that names a messenger’s user', async () => {
  using db = new DatabaseSync(':memory:');
  migrate(db);
  const statements: string[] = [];
  const records: Records = {
    random: SYSTEM_RANDOM,
    keysRevision: async () => 0,
    async transact(steps) {
      statements.push(...steps.flatMap((step) => ('sql' in step ? [step.sql] : [])));
      return { done: true, rows: steps.map(() => []) };
    },
  };
  const deps = { records, keyring: new Keyring('a secret of a test, long enough for all') };
  const user = 'whatsapp:GB.1';
  await noteMessengerUser(
    deps,
    { carrier: 'meta', references: ['r'], status: 'delivered', user },
    1_700_000_000_000,
  );
  await findMessengerUser(deps, user);
  assert.equal(statements.length, 2);
  assert.deepEqual(
    statements.flatMap((sql) => scansOf(db, sql).map((scan) => `${scan}: ${sql}`)),
    [],
  );
});
