/** Places of a day are given out only once, whichever node asks. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DAY, type OpenStore, openFor } from '../rig.ts';

const TODAY = 20_778;

export function describeQuotas(open: OpenStore): void {
  suite('quotas', () => {
    test('are given out until they are used up, the last one in part', async (t) => {
      const { store } = await openFor(t, open);
      const take = (count: number) => store.takeQuota('smsc', TODAY, 10, count);
      assert.deepEqual([await take(4), await take(4), await take(4), await take(4)], [4, 4, 2, 0]);
    });

    test('the first to ask gets no more than there is', async (t) => {
      const { store } = await openFor(t, open);
      assert.equal(await store.takeQuota('smsc', TODAY, 10, 25), 10);
      assert.equal(await store.takeQuota('none', TODAY, 0, 1), 0);
    });

    test('each name and each day has its own', async (t) => {
      const { store } = await openFor(t, open);
      for (const name of ['a', 'b']) {
        for (const day of [TODAY, TODAY + 1]) assert.equal(await store.takeQuota(name, day, 3, 3), 3);
      }
      assert.equal(await store.takeQuota('a', TODAY, 3, 1), 0);
      await store.returnQuota('a', TODAY, 2);
      const left = (name: string, day: number) => store.takeQuota(name, day, 3, 3);
      assert.deepEqual(
        [await left('b', TODAY), await left('a', TODAY + 1), await left('a', TODAY)],
        [0, 0, 2],
      );
    });

    test('what is given back can be taken again, and nothing more', async (t) => {
      const { store } = await openFor(t, open);
      await store.takeQuota('smsc', TODAY, 10, 10);
      await store.returnQuota('smsc', TODAY, 3);
      assert.equal(await store.takeQuota('smsc', TODAY, 10, 5), 3);
      await store.returnQuota('smsc', TODAY, 50);
      assert.equal(await store.takeQuota('smsc', TODAY, 10, 50), 10);
      await store.returnQuota('unknown', TODAY, 5);
      assert.equal(await store.takeQuota('unknown', TODAY, 2, 9), 2);
    });

    test('a quota that was lowered gives nothing, one that was raised gives the rest', async (t) => {
      const { store } = await openFor(t, open);
      await store.takeQuota('smsc', TODAY, 10, 8);
      assert.equal(await store.takeQuota('smsc', TODAY, 5, 1), 0);
      assert.equal(await store.takeQuota('smsc', TODAY, 12, 9), 4);
    });

    test('500 at once get all that there is, and no more', async (t) => {
      const opened = await openFor(t, open);
      const second = await opened.second?.();
      const stores = second === undefined ? [opened.store] : [opened.store, second];
      const takes = Array.from({ length: 500 }, (_, i) =>
        (stores[i % stores.length] ?? opened.store).takeQuota('smsc', TODAY, 700, 1 + (i % 3)),
      );
      const got = await Promise.all(takes);
      assert.equal(
        got.reduce((sum, each) => sum + each, 0),
        700,
      );
    });

    test('survive a restart and the next day; older days are deleted', async (t) => {
      const opened = await openFor(t, open);
      const noon = TODAY * DAY + DAY / 2;
      await opened.store.takeQuota('smsc', TODAY, 10, 10);
      const store = await opened.reopen();
      await store.purge(noon);
      assert.equal(await store.takeQuota('smsc', TODAY, 10, 1), 0);
      await store.purge(noon + DAY);
      assert.equal(await store.takeQuota('smsc', TODAY, 10, 1), 0);
      await store.purge(noon + 2 * DAY);
      assert.equal(await store.takeQuota('smsc', TODAY, 10, 1), 1);
    });
  });
}
