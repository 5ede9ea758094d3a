import assert from 'node:assert/strict';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, suite, type TestContext, test } from 'node:test';
import {
  DELIVERED,
  guessAt,
  issueOne,
  LAX,
  newVerification,
  settlement,
} from '../../../../test/store/contract/rig.ts';
import { overwrite, overwriteHeader } from '../../../../test/store/damage.ts';
import { StoreDamaged, StoreUnavailable } from '../../../core/errors/store-failure.ts';
import { seenByPeople } from '../../../core/verification/scope.ts';
import type { NewVerification } from '../../../core/verification/verification.ts';
import { openSqliteStore } from '../store.ts';

const MALFORMED = /database disk image is malformed/;

suite('a damaged store', () => {
  let dataDir: string;
  let met: StoreDamaged[];

  beforeEach(async (t) => {
    dataDir = await mkdtemp(join(tmpdir(), 'countersign-damage-'));
    met = [];
    if ('after' in t) t.after(() => rm(dataDir, { recursive: true }));
  });

  const open = () =>
    openSqliteStore({ dataDir, exclusive: true, ...LAX, onDamage: (damage) => met.push(damage) });

  /** A store of two hundred verifications, closed, so that all of it is in the file. */
  async function filled(): Promise<NewVerification> {
    await using parts = new AsyncDisposableStack();
    const store = await open();
    parts.defer(() => store.close());
    const issued = await Promise.all(Array.from({ length: 200 }, () => issueOne(store)));
    // What is still to be sent is read when the store is opened.
    await Promise.all(issued.map((v) => store.settle(settlement(v, DELIVERED))));
    const [first] = issued;
    assert.ok(first);
    return first;
  }

  async function running(t: TestContext) {
    const store = await open();
    t.after(() => store.close());
    return store;
  }

  for (const name of ['verification', 'sqlite_autoindex_verification_1']) {
    test(`in ${name}, with the store open: nothing is done, and it is told`, async (t) => {
      const v = await filled();
      const store = await running(t);
      overwrite(dataDir, name);
      for (const call of [() => store.issue(newVerification()), () => store.confirm(guessAt(v, 'right'))]) {
        await assert.rejects(call(), (error) => {
          assert.ok(error instanceof StoreDamaged && error instanceof StoreUnavailable);
          assert.match(error.message, MALFORMED);
          assert.ok(error.message.includes(join(dataDir, 'countersign.db')));
          assert.match(error.message, /countersign restore/);
          assert.ok('errcode' in error && typeof error.errcode === 'number');
          assert.equal(error.errcode & 0xff, 11);
          assert.ok('code' in error && error.code === 'ERR_SQLITE_ERROR');
          return true;
        });
      }
      assert.equal(met.length, 2);
    });
  }

  test('a call beside it that meets no damage is done, in the same batch', async (t) => {
    const v = await filled();
    const store = await running(t);
    overwrite(dataDir, 'verification');
    const [broken, whole] = await Promise.allSettled([
      store.confirm(guessAt(v, 'right')),
      store.takeQuota('route', 1, 10, 1),
    ]);
    assert.equal(broken.status, 'rejected');
    assert.deepEqual(whole, { status: 'fulfilled', value: 1 });
  });

  test('met by the thread that reads is told as well', async (t) => {
    const v = await filled();
    const store = await running(t);
    overwrite(dataDir, 'verification');
    await assert.rejects(store.findArchived(seenByPeople(v.accountId), v.id, Date.now()), StoreDamaged);
    assert.equal(met.length, 1);
  });

  test('a thread that reads and cannot start is no damage, and starts at the next question', async (t) => {
    const v = await filled();
    const store = await running(t);
    const file = join(dataDir, 'countersign.db');
    await rename(file, `${file}.away`);
    const ask = () => store.findArchived(seenByPeople(v.accountId), v.id, Date.now());
    await assert.rejects(
      ask(),
      (error) => error instanceof StoreUnavailable && !(error instanceof StoreDamaged),
    );
    await rename(`${file}.away`, file);
    assert.equal((await ask())?.verification.id, v.id);
    assert.deepEqual(met, []);
  });

  test('in its header is not opened, and its folder is not locked', async () => {
    await filled();
    overwriteHeader(dataDir);
    for (const _ of [1, 2]) {
      await assert.rejects(
        open(),
        (error) => error instanceof StoreDamaged && error.message.includes('file is not a database'),
      );
    }
  });
});
