/** An erased code is gone from the disk, not only from the rows. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  issueOne,
  LAX,
  newVerification,
  SUBMITTED,
  settlement,
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
  assert.equal((await found(dataDir, sealed)).length, VERIFICATIONS, 'they were there');

  const again = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  await Promise.all(sealed.map((verification) => again.settle(settlement(verification, SUBMITTED, [{}]))));
  await again.close();
  assert.deepEqual(await found(dataDir, sealed), []);
});

async function found(folder: string, sealed: readonly { readonly codeSealed: string }[]): Promise<string[]> {
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));
  return sealed
    .map(({ codeSealed }) => codeSealed)
    .filter((code) => files.some((bytes) => bytes.includes(code)));
}
