/** An erased code is gone from the disk, not only from the rows. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  DELIVERED,
  FAILOVER,
  guessAt,
  issueOne,
  LAX,
  newVerification,
  receipt,
  SUBMITTED,
  settlement,
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
  /** What is still there, and what should have ended it. */
  const found = async () => {
    const files = await Promise.all((await readdir(dataDir)).map((name) => readFile(join(dataDir, name))));
    return sealed
      .filter(({ verification: { codeSealed } }) => files.some((bytes) => bytes.includes(codeSealed)))
      .map(({ way }) => way);
  };

  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  await Promise.all(sealed.map(({ verification }) => issueOne(store, verification)));
  // A close writes all of the log back, as a checkpoint of a running service does now and then.
  await store.close();
  assert.equal((await found()).length, sealed.length, 'they were there');

  const again = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  // In the order of the ways: a claim at the end drops whatever has expired, so it comes when the others are done.
  for (const [way] of ways) {
    const own = sealed.filter((each) => each.way === way);
    await Promise.all(own.map(({ end, verification }) => end(again, verification)));
  }
  await again.close();
  assert.deepEqual(await found(), []);
});
