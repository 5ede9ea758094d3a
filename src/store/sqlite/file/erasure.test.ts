/** What is erased is gone from the disk, not only from the rows: a code, and all that was held about a number. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  DAY,
  issueOne,
  LAX,
  newVerification,
  receipt,
  SUBMITTED,
  settlement,
  unique,
} from '../../../../test/store/contract/rig.ts';
import { openSqliteStore } from '../store.ts';

/** Enough that pages fill, split, and take new rows into the room of what was erased. */
const VERIFICATIONS = 500;

test('an erased code is in none of the files once its pages are in the database', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-erasure-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const sealed = Array.from({ length: VERIFICATIONS }, () => newVerification()).map((verification) => ({
    ...verification,
    codeSealed: `sealed ${verification.id}`,
  }));

  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  await Promise.all(sealed.map((verification) => issueOne(store, verification)));
  // A close writes all of the log back, as a checkpoint of a running service does now and then.
  await store.close();
  const codes = sealed.map(({ codeSealed }) => codeSealed);
  assert.equal((await found(dataDir, codes)).length, VERIFICATIONS, 'they were there');

  const again = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  await Promise.all(sealed.map((verification) => again.settle(settlement(verification, SUBMITTED, [{}]))));
  await again.close();
  assert.deepEqual(await found(dataDir, codes), []);
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

/** Those of the texts that are in a file of the folder. */
async function found(folder: string, texts: readonly string[]): Promise<string[]> {
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));
  return texts.filter((text) => files.some((bytes) => bytes.includes(text)));
}
