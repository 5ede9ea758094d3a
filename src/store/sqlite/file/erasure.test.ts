/** What is erased is gone from the disk, not only from the rows: a code, and all that was held about a number. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  DAY,
  DELIVERED,
  FAILOVER,
  guessAt,
  issueOne,
  LAX,
  newVerification,
  receipt,
  SUBMITTED,
  settlement,
  unique,
} from '../../../../test/store/contract/rig.ts';
import type { NewVerification } from '../../../core/verification/verification.ts';
import type { Store } from '../../port.ts';
import { openSqliteStore } from '../store.ts';

/** For each way: enough that pages fill, split, and take new rows into the room of what was erased. */
const VERIFICATIONS = 100;

/** What ends the use of a sealed code. */
const WAYS: Readonly<Record<string, (store: Store, v: NewVerification) => Promise<unknown>>> = {
  'the only carrier took the message': (store, v) => store.settle(settlement(v, SUBMITTED, [{}])),
  'it was delivered': (store, v) => store.settle(settlement(v, DELIVERED, [{ outcome: 'delivered' }])),
  'all carriers refused it': (store, v) => store.settle(settlement(v, { kind: 'failed' })),
  'a receipt says that it was delivered': async (store, v) => {
    await store.settle(settlement(v, FAILOVER, [{ reference: v.id }]));
    await store.receive(receipt(v.createdAt + 2_000, { references: [v.id] }));
  },
  'it was confirmed': (store, v) => store.confirm(guessAt(v, 'right')),
  'it was canceled': (store, { id, accountId, createdAt }) =>
    store.cancel({ id, accountId, test: false, now: createdAt + 1_000 }),
  'it expired': (store, v) => store.claim(v.expiresAt, v.expiresAt + 1_000, VERIFICATIONS),
};

test('an erased code is in none of the files once its pages are in the database', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-erasure-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const ways = Object.entries(WAYS);
  const sealed = ways.flatMap(([way, end]) =>
    Array.from({ length: VERIFICATIONS }, () => {
      const verification = newVerification();
      return { way, end, verification: { ...verification, codeSealed: `sealed ${verification.id}` } };
    }),
  );
  /** What is still there: what should have ended it. */
  const left = async () => {
    const texts = await found(
      dataDir,
      sealed.map(({ verification }) => verification.codeSealed),
    );
    return sealed.filter(({ verification }) => texts.includes(verification.codeSealed)).map(({ way }) => way);
  };

  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  await Promise.all(sealed.map(({ verification }) => issueOne(store, verification)));
  // A close writes all of the log back, as a checkpoint of a running service does now and then.
  await store.close();
  assert.equal((await left()).length, sealed.length, 'they were there');

  const again = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  // In the order of the ways: a claim at the end drops whatever has expired, so it comes when the others are done.
  for (const [way] of ways) {
    const own = sealed.filter((each) => each.way === way);
    await Promise.all(own.map(({ end, verification }) => end(again, verification)));
  }
  await again.close();
  assert.deepEqual(await left(), []);
});

test('an erased number is in none of the files once its sends no longer count', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-erasure-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const [destinationHash, recipientTag] = [unique('hash'), unique('tag')];
  const traces = [destinationHash, recipientTag];
  const isTheirs = (i: number) => i % 10 !== 7;
  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  // Most are theirs, so that pages which lose them are joined: what SQLite moves must not stay where it was.
  for (let round = 0; round < VERIFICATIONS / 20; round++) {
    const made = Array.from({ length: 20 }, (_, i) =>
      newVerification({
        ...(isTheirs(i) && { destinationHash, earlierDestinationHashes: [`old ${destinationHash}`] }),
        idempotency: { keyHash: unique('idem'), bodyHash: unique('body') },
      }),
    );
    await Promise.all(made.map((v) => issueOne(store, v)));
    await Promise.all(
      made.map((v, i) => {
        const attempt = {
          reference: unique('ref'),
          recipientTag: isTheirs(i) ? recipientTag : unique('tag'),
        };
        if (isTheirs(i)) {
          const keyHash = v.idempotency?.keyHash ?? '';
          traces.push(v.id, v.destinationSealed, v.codeMac, keyHash, attempt.reference);
        }
        return store.settle(settlement(v, SUBMITTED, [attempt]));
      }),
    );
  }
  await store.receive(receipt(Date.now(), { recipientTags: [recipientTag] }));
  await store.close();
  assert.deepEqual((await found(dataDir, traces)).length, traces.length, 'all of it was there');

  const again = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  const now = Date.now();
  const query = {
    accountId: null,
    filter: { destinationHashes: [destinationHash] },
    before: null,
    limit: VERIFICATIONS,
    now,
  };
  const ids = (await again.searchArchive(query)).verifications.map(({ id }) => id);
  const receiptIds = await again.findEarlyReceipts([recipientTag]);
  await again.transact([{ erase: { ids, destinationHashes: [destinationHash], receiptIds, now } }]);
  await again.close();
  assert.deepEqual(await found(dataDir, traces), [destinationHash], 'the sends still count');

  const later = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  while (await later.purge(now + DAY));
  await later.close();
  assert.deepEqual(await found(dataDir, traces), []);
});

test('of an erased send only its hashes and its time are left, whatever had become of it', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-erasure-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  const destinationHash = unique('hash');
  const said = {
    clientNetwork: 'network',
    detailsSealed: 'details',
    brought: true,
    signals: '{}',
    byNumber: true,
  };
  const issue = () => issueOne(store, { destinationHash, earlierDestinationHashes: ['old'], ...said });
  const leased = await issue();
  await store.claim(leased.leaseUntil, leased.leaseUntil + 1_000, 1);
  const [retried, inbox, confirmed] = [await issue(), await issue(), await issue()];
  const [waiting, canceled] = [await issue(), await issue()];
  await store.settle(settlement(retried, { kind: 'retry', dueAt: retried.expiresAt, leg: 1 }));
  await store.settle(
    settlement(waiting, { kind: 'submitted', failover: true, fallbackAt: waiting.expiresAt }),
  );
  await store.settle(settlement(inbox, { kind: 'delivered', inbox: true }, [{ outcome: 'delivered' }]));
  await store.confirm(guessAt(confirmed, 'right'));
  await store.confirm(guessAt(leased, 'wrong'));
  await store.cancel({ ...canceled, now: canceled.createdAt + 1_000 });
  // Of this no send counts.
  const tried = await issueOne(store, { destinationHash, test: true });
  const ids = [leased, retried, inbox, confirmed, waiting, canceled, tried].map(({ id }) => id);
  const columns = `destination_hash, previous_destination_hash, account_id, key_id, channel, country, destination_sealed,
    code_mac, guesses_left, confirmed_at, expires_at - created_at, client_network, details_sealed, brought, signals, ended_at,
    by_number, verdict, verdict_at, verdict_weight`;
  const all = { sql: "SELECT name FROM pragma_table_info('verification')", args: [] };
  const look = {
    sql: `SELECT count(*) AS sends, ${columns} FROM verification GROUP BY ${columns}`,
    args: [],
  };
  const erase = { ids, destinationHashes: [destinationHash], receiptIds: [], now: Date.now() };
  const belongings = {
    sql: `SELECT verification_id FROM delivery UNION ALL SELECT verification_id FROM attempt
      UNION ALL SELECT verification_id FROM inbox_message`,
    args: [],
  };
  const answer = await store.transact([{ erase }, look, all, belongings]);
  while (await store.purge(Date.now() + 2 * DAY));
  const guesses = { sql: 'SELECT 1 FROM failed_guess', args: [] };
  const later = await store.transact([guesses, look]);
  await store.close();
  assert.ok(answer.done);
  assert.deepEqual(
    answer.rows[1]?.map((row) => Object.values(row)),
    [
      [
        ...[6, destinationHash, 'old', ...['', '', '', '', '', '']],
        ...[0, null, 0, null, null, 0, null, null, 0, null, null, null],
      ],
    ],
  );
  const unseen = answer.rows[2]
    ?.map(({ name }) => String(name))
    .filter((name) => !columns.split(/[^a-z_]+/).includes(name));
  assert.deepEqual(unseen, ['id', 'test'], 'a new column is erased too');
  assert.deepEqual(answer.rows[3], []);
  assert.deepEqual(later, { done: true, rows: [[], []] });
});

/** Those of the texts that are in a file of the folder. */
async function found(folder: string, texts: readonly string[]): Promise<string[]> {
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));
  return texts.filter((text) => files.some((bytes) => bytes.includes(text)));
}
