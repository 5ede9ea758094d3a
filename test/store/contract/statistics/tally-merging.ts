/** Counts are kept in larger buckets as they grow old, and add up to the same until they are deleted. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  guessAt,
  HOUR,
  issueOne,
  LAX,
  MINUTE,
  type OpenStore,
  openFor,
  SUBMITTED,
  settlement,
  someAtATime,
  unique,
} from '../rig.ts';
import { binsOf, countsOf, EVER } from './counting.ts';

/** The start of a day, so that hours and days differ from the buckets they are merged from. */
const NOW = Date.UTC(2026, 10, 20);

async function purgeAll(store: Store, now: number): Promise<void> {
  while (await store.purge(now));
}

/** Ages of buckets, with what they hold. */
async function stepsOf(store: Store): Promise<[number, number][]> {
  const tallies = await store.tally({ ...EVER, by: ['time'], step: 10_000 });
  return tallies.map(({ time, requested }) => [NOW - Number(time), requested]);
}

export function describeTallyMerging(open: OpenStore): void {
  suite('merging of tallies', () => {
    test('ten seconds become hours after two hours, and days after 60 days', async (t) => {
      const { store } = await openFor(t, open);
      const ages = [
        MINUTE,
        HOUR,
        2 * HOUR - MINUTE,
        2 * HOUR + MINUTE,
        3 * HOUR - MINUTE,
        50 * HOUR - MINUTE,
      ];
      const old = [60 * DAY - MINUTE, 60 * DAY + MINUTE, 61 * DAY - HOUR, 400 * DAY];
      for (const age of [...ages, ...old]) await issueOne(store, { createdAt: NOW - age });
      await purgeAll(store, NOW);
      assert.deepEqual(await stepsOf(store), [
        [400 * DAY, 1],
        [61 * DAY, 2],
        [60 * DAY, 1],
        [50 * HOUR, 1],
        [3 * HOUR, 2],
        [2 * HOUR - MINUTE, 1],
        [HOUR, 1],
        [MINUTE, 1],
      ]);
    });

    test('merged counts add up to the same as before, in every group', async (t) => {
      const { store } = await openFor(t, open, {
        ...LAX,
        retention: { ...LAX.retention, verifications: 365 * DAY },
      });
      const [even, odd] = [unique('acc'), unique('acc')];
      const flow = async (i: number) => {
        const createdAt = NOW - i * 7 * MINUTE - (i % 3) * 70 * DAY;
        const accountId = i % 2 === 0 ? even : odd;
        const v = await issueOne(store, { accountId, country: `C${i % 7}`, createdAt });
        await store.settle(settlement(v, SUBMITTED, [{ carrier: `c${i % 3}`, cost: i }]));
        if (i % 5 > 0) await store.confirm(guessAt(v, 'right', createdAt + (i % 5) * 7_000));
      };
      await someAtATime(
        Array.from({ length: 700 }, (_, i) => i),
        flow,
      );
      const ask = async () => ({
        counts: await store.tally({ ...EVER, by: ['channel', 'country', 'carrier', 'key'] }),
        latencies: await store.latencies({ ...EVER, by: ['country', 'carrier'] }),
        days: await store.tally({ ...EVER, by: ['time', 'carrier'], step: DAY }),
        account: await countsOf(store, { accountId: even }),
      });
      const before = await ask();
      assert.equal(await store.purge(NOW), true, 'a batch is small');
      assert.deepEqual(await ask(), before, 'also halfway');
      await purgeAll(store, NOW);
      assert.deepEqual(await ask(), before);
      await purgeAll(store, NOW + 100 * DAY);
      assert.deepEqual(await ask(), before);
    });

    test('a late event is merged too', async (t) => {
      const { store } = await openFor(t, open);
      const createdAt = NOW - 5 * HOUR + MINUTE;
      const v = await issueOne(store, { createdAt, expiresAt: NOW });
      await purgeAll(store, NOW);
      await store.settle(settlement(v, SUBMITTED, [{ endedAt: createdAt + 40 }]));
      await store.confirm(guessAt(v, 'right', createdAt + 4 * HOUR));
      await purgeAll(store, NOW);
      const [hour, ...others] = await store.tally({ ...EVER, by: ['time'], step: 10_000 });
      assert.deepEqual(others, []);
      assert.equal(hour?.time, NOW - 5 * HOUR);
      assert.deepEqual([hour?.requested, hour?.submitted, hour?.confirmed], [1, 1, 1]);
      assert.deepEqual(await binsOf(store), { submitted: { 0: 1 }, confirmed: { 14: 1 } });
    });

    test('counts are deleted when their retention is over, and not before', async (t) => {
      const { store } = await openFor(t, open, {
        ...LAX,
        retention: { ...LAX.retention, statistics: 100 * DAY },
      });
      for (const age of [99 * DAY, 101 * DAY, 500 * DAY]) {
        const v = await issueOne(store, { createdAt: NOW - age });
        await store.settle(settlement(v, SUBMITTED, [{}]));
      }
      await purgeAll(store, NOW);
      assert.deepEqual(await countsOf(store), { requested: 1, submitted: 1 });
      assert.deepEqual(await binsOf(store), { submitted: { 5: 1 } });
      await purgeAll(store, NOW + 2 * DAY);
      assert.deepEqual(await countsOf(store), {});
      assert.deepEqual(await binsOf(store), {});
    });
  });
}
