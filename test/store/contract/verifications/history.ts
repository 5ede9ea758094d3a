/** What was sent, oldest first, as a guard would have seen it. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { HistoryQuery, PastVerification } from '../../../../src/core/verification/reading/history.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  DELIVERED,
  FAILOVER,
  guessAt,
  issueOne,
  LAX,
  MINUTE,
  type OpenedStore,
  type OpenStore,
  SECOND,
  settlement,
  unique,
} from '../rig.ts';

export function describeHistory(open: OpenStore): void {
  suite('history', () => {
    let opened: OpenedStore;
    let store: Store;
    // Partitions are made around today, and a test near midnight must not need yesterday's.
    const noon = Date.now() - (Date.now() % DAY) + DAY / 2;
    const [acme, other] = [unique('acc'), unique('acc')];
    const ids: string[] = [];

    before(async () => {
      opened = await open(LAX);
      store = opened.store;
      // Written newest first, so that their order is not that of the rows.
      for (let i = 9; i >= 0; i--) {
        const made = await issueOne(store, {
          createdAt: noon + i * MINUTE,
          accountId: i % 2 === 0 ? acme : other,
          keyId: `key_${i}`,
          country: 'MA',
          clientNetwork: i === 4 ? 'network' : null,
          test: i === 3,
        });
        ids.unshift(made.id);
        if (i !== 4) continue;
        const failed = { carrier: 'first', outcome: 'temporary', cost: 0 } as const;
        await store.settle(settlement(made, FAILOVER, [failed, { cost: 70_000 }]));
        await store.settle(settlement(made, DELIVERED, [{ cost: 40_000, carrier: 'second' }], 1));
        await store.confirm(guessAt(made, 'wrong'));
        await store.confirm(guessAt(made, 'right', made.createdAt + 9 * SECOND));
      }
    });
    after(() => opened.dispose());

    async function read(query: Partial<HistoryQuery> = {}) {
      const found: PastVerification[] = [];
      const sizes: number[] = [];
      for (let next: string | null | undefined; next !== null; ) {
        const all = { accountId: null, from: noon, to: noon + 10 * MINUTE, now: noon, limit: 100, ...query };
        const page = await store.readHistory({ ...all, after: next ?? null });
        found.push(...page.verifications);
        sizes.push(page.verifications.length);
        next = page.next;
      }
      return { found, sizes, ids: found.map(({ id }) => id) };
    }

    test('oldest first, live ones only, with what became of each', async () => {
      const { found, ids: read_ } = await read();
      assert.deepEqual(
        read_,
        ids.filter((_, i) => i !== 3),
      );
      assert.deepEqual(
        found.map(({ createdAt }) => createdAt),
        [0, 1, 2, 4, 5, 6, 7, 8, 9].map((i) => noon + i * MINUTE),
      );
      const confirmed = found.find(({ id }) => id === ids[4]);
      assert.deepEqual(confirmed, {
        ...{ id: ids[4], accountId: acme, keyId: 'key_4', channel: 'sms', country: 'MA' },
        destinationSealed: `destination of ${ids[4]}`,
        clientNetwork: 'network',
        guessesLeft: 3,
        createdAt: noon + 4 * MINUTE,
        confirmedAt: noon + 4 * MINUTE + 9 * SECOND,
        cost: 110_000,
      });
      const { confirmedAt, cost, clientNetwork, guessesLeft } = found[0] ?? {};
      assert.deepEqual([confirmedAt, cost, clientNetwork, guessesLeft], [null, 0, null, 5]);
    });

    test('pages are bounded by the rows looked at, and leave out and repeat nothing', async () => {
      const whole = await read();
      const pages = await read({ limit: 3 });
      assert.deepEqual(pages.ids, whole.ids);
      assert.deepEqual(pages.sizes, [3, 2, 3, 1]);
      assert.deepEqual((await read({ limit: 1 })).ids, whole.ids);
    });

    test('of one account, and of a span of time', async () => {
      const mine = await read({ accountId: acme, limit: 4 });
      assert.deepEqual(
        mine.ids,
        [0, 2, 4, 6, 8].map((i) => ids[i]),
      );
      const span = await read({ from: noon + 2 * MINUTE, to: noon + 6 * MINUTE });
      assert.deepEqual(
        span.ids,
        [2, 4, 5].map((i) => ids[i]),
      );
    });
  });
}
