/** The ends of numbers that missed calls come from: of codes that are open at once, no two have the same. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { createEndingStore } from '../../../../src/accounts/used-endings.ts';
import { Keyring } from '../../../../src/core/secrets/keyring.ts';
import { query } from '../../../../src/core/sql/records.ts';
import { formatDuration } from '../../../../src/core/verification/limits.ts';
import type { Store } from '../../../../src/store/port.ts';
import { DAY, HOUR, LAX, LEASE, MINUTE, type OpenedStore, type OpenStore } from '../rig.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const UNTIL = NOW + 10 * MINUTE;
const [SECRET, NEXT_SECRET] = [
  'the secret of these tests, long enough',
  'the secret after it, as long as that one',
];

export function describeUsedEndings(open: OpenStore): void {
  suite('the ends of numbers of missed calls', () => {
    let opened: OpenedStore;
    let store: Store;
    /** All that use the data at once. */
    let stores: readonly Store[];

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
      const second = await opened.second?.();
      stores = second === undefined ? [store] : [store, second];
    });
    afterEach(() => opened.dispose());

    const endings = (at = store, keyring = new Keyring(SECRET)) => createEndingStore(at, keyring);
    const TAKING = { accountId: 'acc_1', now: NOW, until: UNTIL, most: 5_000, mostOfAccount: 5_000 };
    const take = (ending: string, now = NOW, until = UNTIL, wanted: Partial<typeof TAKING> = {}) =>
      endings().take(ending, { ...TAKING, now, until, ...wanted });

    test('one is free again once its code has expired, and not before', async () => {
      assert.deepEqual([await take('0417'), await take('0417'), await take('0418')], [true, false, true]);
      assert.equal(await take('0417', UNTIL - 1, UNTIL + MINUTE), false);
      assert.equal(await take('0417', UNTIL, UNTIL + MINUTE), true);
      assert.equal(await take('0417', UNTIL, UNTIL + MINUTE), false);
    });

    test('of any number of takers at once, on all nodes, one gets it', async () => {
      for (const ending of ['0001', '0002', '0003']) {
        const taken = await Promise.all(
          Array.from({ length: 100 }, (_, i) => endings(stores[i % stores.length]).take(ending, TAKING)),
        );
        assert.equal(taken.filter(Boolean).length, 1);
      }
    });

    test('one that is given back is free, but not by who had it before', async () => {
      await take('0417');
      await endings().giveBack('0417', UNTIL);
      assert.equal(await take('0417', NOW, UNTIL + 1), true);
      await endings().giveBack('0417', UNTIL);
      assert.equal(await take('0417'), false);
    });

    test('no more are taken than may be, and those that are over count no more', async () => {
      assert.deepEqual(
        [
          await take('0001', NOW, UNTIL, { most: 2 }),
          await take('0002', NOW, UNTIL, { most: 2 }),
          await take('0003', NOW, UNTIL, { most: 2 }),
        ],
        [true, true, false],
      );
      assert.equal(await take('0003', UNTIL, UNTIL + MINUTE, { most: 2 }), true);
    });

    test('no account takes more than it may, and the others take the rest', async () => {
      const of = (ending: string, accountId: string, now = NOW, until = UNTIL) =>
        take(ending, now, until, { accountId, most: 3, mostOfAccount: 2 });
      assert.deepEqual(
        [await of('0001', 'acc_1'), await of('0002', 'acc_1'), await of('0003', 'acc_1')],
        [true, true, false],
      );
      assert.deepEqual([await of('0003', 'acc_2'), await of('0004', 'acc_2')], [true, false]);
      await endings().giveBack('0002', UNTIL);
      assert.equal(await of('0002', 'acc_1'), true);
      // What was another's, and is over, is of who took it last.
      const later = UNTIL + MINUTE;
      assert.deepEqual(
        [
          await of('0003', 'acc_1', UNTIL, later),
          await of('0004', 'acc_1', UNTIL, later),
          await of('0005', 'acc_1', UNTIL, later),
          await of('0005', 'acc_2', UNTIL, later),
        ],
        [true, true, false, true],
      );
    });

    test('one that was taken under the secret before is still taken', async () => {
      await take('0417');
      const rotated = endings(store, new Keyring(NEXT_SECRET, SECRET));
      assert.equal(await rotated.take('0417', TAKING), false);
      assert.equal(await rotated.take('0417', { ...TAKING, now: UNTIL, until: UNTIL + MINUTE }), true);
    });

    for (const ahead of [HOUR, 400 * DAY]) {
      test(`by a clock that was ahead by ${formatDuration(ahead)}: one is taken as long as its code is valid, and no longer`, async () => {
        await take('0417', NOW + ahead, UNTIL + ahead);
        assert.equal(await take('0417'), false, 'before anybody has corrected it');
        await store.clampFutureTimes(NOW, LEASE);
        assert.equal(await take('0417', UNTIL - 1, UNTIL + MINUTE), false);
        assert.equal(await take('0418', NOW, UNTIL, { most: 1 }), false, 'it counts');
        assert.equal(
          await take('0418', NOW, UNTIL, { mostOfAccount: 1 }),
          false,
          'it counts for its account',
        );
        assert.equal(await take('0417', UNTIL + MINUTE, UNTIL + 2 * MINUTE), true);
      });
    }

    test('a correction of times leaves alone what was taken rightly', async () => {
      await take('0417');
      assert.equal(await store.clampFutureTimes(NOW, LEASE), 0);
      await endings().giveBack('0417', UNTIL);
      assert.equal(await take('0417'), true);
    });

    test('the store never has the digits, and forgets what is over', async () => {
      await take('0417');
      const [row] = await query(store, 'SELECT hash, ends_at FROM used_ending');
      assert.equal(row?.hash, new Keyring(SECRET).endingHash('0417').current);
      assert.doesNotMatch(String(row?.hash), /0417/);
      // By a clock that is ahead, it may not be over yet.
      await store.purge(UNTIL + DAY - 1);
      assert.equal((await query(store, 'SELECT hash FROM used_ending')).length, 1);
      await store.purge(UNTIL + DAY);
      assert.deepEqual(await query(store, 'SELECT hash FROM used_ending'), []);
    });
  });
}
