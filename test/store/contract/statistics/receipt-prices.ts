/** Prices that receipts name take the place of the configured ones: in the attempt and in what is counted, and once. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  FAILOVER,
  issueOne,
  LAX,
  newVerification,
  type OpenedStore,
  type OpenStore,
  receipt,
  SECOND,
  SUBMITTED,
  seenByPeople,
  settlement,
  unique,
} from '../rig.ts';
import { countsByCarrier, countsOf } from './counting.ts';

const RACES = 300;
const RUNS = 25;

/** What becomes of a message in the test with the model. */
const told = fc.record({
  price: fc.option(fc.integer({ min: 0, max: 90_000 })),
  currency: fc.constantFrom(null, null, 'USD'),
  status: fc.constantFrom('delivered' as const, 'undelivered' as const),
});
const sent = fc.record({
  carrier: fc.constantFrom('a', 'b'),
  cost: fc.constantFrom(0, 7_500, 80_000),
  receipts: fc.array(told, { maxLength: 3 }),
  /** Whether the first receipt comes before the answer is written. */
  early: fc.boolean(),
  brought: fc.boolean(),
});

type Sent = typeof sent extends fc.Arbitrary<infer T> ? T : never;

export function describeReceiptPrices(open: OpenStore): void {
  suite('prices of receipts', () => {
    let opened: OpenedStore;
    let stores: Store[];

    before(async () => {
      opened = await open(LAX);
      const second = await opened.second?.();
      stores = second === undefined ? [opened.store] : [opened.store, second];
    });
    after(() => opened.dispose());

    const storeOf = (i: number) => stores[i % stores.length] ?? opened.store;
    const attemptsOf = async ({ accountId, id, createdAt }: NewVerification) =>
      (await opened.store.findArchived(seenByPeople(accountId), id, createdAt))?.attempts ?? [];

    test('the price, its currency and the network are kept with the attempt', async () => {
      const v = await issueOne(opened.store);
      const [first, second] = [unique('ref'), unique('ref')];
      await opened.store.settle(settlement(v, FAILOVER, [{ carrier: 'a', reference: first, cost: 7_500 }]));
      await opened.store.settle(settlement(v, FAILOVER, [{ carrier: 'b', reference: second, cost: 9 }], 1));
      const at = v.createdAt + 3 * SECOND;
      const inEuros = { price: 33_300, currency: null, network: '26201' };
      const inDollars = { price: 5_810, currency: 'USD', network: null };
      await opened.store.receive(receipt(at, { carrier: 'a', references: [first], ...inEuros }));
      await opened.store.receive(receipt(at, { carrier: 'b', references: [second], ...inDollars }));
      const facts = { status: 'delivered', reason: null, at };
      assert.deepEqual(
        (await attemptsOf(v)).map(({ cost, receipt }) => ({ cost, receipt })),
        [
          { cost: 33_300, receipt: { ...facts, ...inEuros } },
          { cost: 9, receipt: { ...facts, ...inDollars } },
        ],
      );
      const { accountId, createdAt: from } = v;
      const page = { accountId, from, to: from + 1, now: from, after: null, limit: 10 };
      const { verifications } = await opened.store.readHistory(page);
      assert.deepEqual(
        verifications.map(({ cost }) => cost),
        [33_309],
      );
    });

    test('the price of a message that went on is counted by the channel that it went by, early or late', async () => {
      for (const early of [true, false]) {
        const v = await issueOne(opened.store, { accountId: unique('acc') });
        const reference = unique('ref');
        const tell = () =>
          opened.store.receive(receipt(v.createdAt + 2 * SECOND, { references: [reference], price: 33_300 }));
        if (early) await tell();
        const call = { channel: 'voice', reference, cost: 7_500 } as const;
        await opened.store.settle(settlement(v, SUBMITTED, [call]));
        if (!early) await tell();
        const { accountId } = v;
        const costs = await Promise.all(
          (['sms', 'voice'] as const).map(
            async (channel) => (await countsOf(opened.store, { accountId, channel })).cost ?? 0,
          ),
        );
        assert.deepEqual(costs, [0, 33_300]);
      }
    });

    test('what is counted is what a naive account book has', async () => {
      const run = async (all: readonly Sent[]) => {
        const accountId = unique('acc');
        const expected: Record<string, number> = {};
        for (const [i, { carrier, cost, receipts, early, brought }] of all.entries()) {
          const v = newVerification({ accountId, ...(brought && { brought }) });
          const reference = unique('ref');
          const tell = (index: number, store: Store) => {
            const said = receipts[index];
            const at = v.createdAt + (2 + index) * SECOND;
            return said && store.receive(receipt(at, { carrier, references: [reference], ...said }));
          };
          await storeOf(i).issue(v);
          if (early) await tell(0, storeOf(i));
          await storeOf(i + 1).settle(settlement(v, SUBMITTED, [{ carrier, reference, cost }]));
          for (const index of receipts.keys()) if (index > 0 || !early) await tell(index, storeOf(i + index));
          if (i % 5 === 0) await opened.store.purge(v.createdAt);
          const [decisive] = receipts;
          const named = decisive?.currency === null ? decisive.price : null;
          expected[carrier] = (expected[carrier] ?? 0) + (named ?? cost);
          assert.equal((await attemptsOf(v))[0]?.cost, named ?? cost);
        }
        const counted = await countsByCarrier(opened.store, { accountId });
        for (const carrier of ['a', 'b']) {
          assert.equal(counted[carrier]?.cost ?? 0, expected[carrier] ?? 0, carrier);
        }
      };
      await fc.assert(fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 8 }), run), {
        numRuns: RUNS,
      });
    });

    test('of several receipts at once, one names the price', async () => {
      const accountId = unique('acc');
      const made = await Promise.all(
        Array.from({ length: RACES }, async (_, i) => {
          const v = newVerification({ accountId });
          const reference = unique('ref');
          await storeOf(i).issue(v);
          const settle = () => storeOf(i).settle(settlement(v, FAILOVER, [{ reference, cost: 1_000_000 }]));
          const tell = (price: number) =>
            storeOf(i + price).receive(receipt(v.createdAt + 2 * SECOND, { references: [reference], price }));
          // Some come before the answer is written, some meanwhile, and some after it.
          await Promise.all(
            i % 2 === 0 ? [tell(1), settle(), tell(2), tell(3)] : [settle(), tell(1), tell(2)],
          );
          return v;
        }),
      );
      const costs = await Promise.all(made.map(async (v) => (await attemptsOf(v))[0]?.cost ?? -1));
      assert.deepEqual(
        costs.filter((cost) => ![1, 2, 3].includes(cost)),
        [],
      );
      const { cost = 0 } = await countsOf(opened.store, { accountId });
      assert.equal(
        cost,
        costs.reduce((sum, each) => sum + each, 0),
      );
    });
  });
}
