/** Budgets: what messages may cost is taken before they are accepted, and given back when they cost less. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { query } from '../../../../src/core/sql/records.ts';
import {
  DAY,
  guessAt,
  HOUR,
  issueOne,
  LEASE,
  type OpenStore,
  openFor,
  SUBMITTED,
  settlement,
} from '../rig.ts';
import { describeAgain } from './budgets/again.ts';
import { describeGivingBack } from './budgets/giving-back.ts';
import { describeMore } from './budgets/more.ts';
import { createBudgetRig, NOW, WORST } from './budgets/rig.ts';
import { describeTaking } from './budgets/taking.ts';

export function describeBudgets(open: OpenStore): void {
  suite('budgets', () => {
    const rig = createBudgetRig(open);
    const { budget, asking, used } = rig;
    describeTaking(rig);
    describeGivingBack(rig);
    describeAgain(rig);
    describeMore(rig);

    test('what moves at once is counted exactly', async () => {
      const day = budget({ money: 60 * WORST });
      const hour = budget({ per: 'hour', messages: 500 });
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, async (_, i) => {
          const at = rig.stores[i % rig.stores.length] ?? rig.store;
          const v = asking(i % 2 === 0 ? [day, hour] : [hour, day]);
          const { kind } = await at.issue(v);
          if (kind !== 'issued') return 0;
          const elsewhere = rig.stores[(i + 1) % rig.stores.length] ?? rig.store;
          await Promise.all([
            at.settle({ ...settlement(v, SUBMITTED), charged: ['smsc'] }),
            elsewhere.confirm(guessAt(v, 'right')),
          ]);
          return 1;
        }),
      );
      const issued = outcomes.reduce<number>((sum, one) => sum + one, 0);
      assert.ok(issued >= 60, `${issued}`);
      assert.deepEqual(await used(day), [issued * 50_000, issued]);
      assert.deepEqual(await used(hour), [issued * 50_000, issued]);
    });

    test('what was reserved before a restart is paid, and given back, after it', async (t) => {
      const { store, reopen } = await openFor(t, open);
      const day = budget({ money: 10 * WORST });
      const v = await issueOne(store, asking([day]));
      const unsent = await issueOne(store, asking([day]));
      await store.settle(settlement(unsent, { kind: 'retry', dueAt: NOW + DAY }));
      const again = await reopen();
      assert.equal((await again.confirm(guessAt(unsent, 'right'))).kind, 'confirmed');
      const usedOf = async () =>
        (await again.budgetUse(NOW, [])).map(({ money, messages }) => [money, messages]);
      assert.deepEqual(await usedOf(), [[WORST, 1]]);
      const now = NOW + LEASE;
      const [claimed] = await again.claim(now, now + LEASE, 10);
      assert.deepEqual([claimed?.id, claimed?.reservation], [v.id, { charges: [day], prices: {} }]);
      const more = { charges: [day], prices: { smsc: 50_000 } };
      assert.equal(await again.reserveMore({ id: v.id, fence: claimed?.fence ?? -1, more }), 'reserved');
      await again.settle({ ...settlement(v, SUBMITTED, [], claimed?.fence), charged: ['smsc'] });
      assert.deepEqual(await usedOf(), [[WORST + 50_000, 1]], 'the round before may have cost everything');
    });

    test('a clock that was ahead: what counts in a future period counts in this one', async (t) => {
      const { store } = await openFor(t, open);
      const [ahead, now] = [NOW + 40 * DAY, NOW];
      const charges = (at: number) =>
        (['hour', 'day', 'month'] as const).map((per) => budget({ kind: per, per, messages: 2 }, at));
      await issueOne(store, asking(charges(ahead), { createdAt: ahead }));
      await issueOne(store, asking(charges(now), { createdAt: now }));
      await store.clampFutureTimes(now, LEASE);
      const refused = await store.issue(asking(charges(now)));
      assert.deepEqual(refused, { kind: 'exhausted', charge: 2, retryAfterMs: Date.UTC(2026, 11) - NOW });
      for (const { messages } of await store.budgetUse(now, [])) assert.equal(messages, 2);
      assert.deepEqual(await store.budgetUse(ahead, []), []);
    });

    test('a last attempt is settled for an hour after its code has expired; then nothing is kept of it', async (t) => {
      const { store } = await openFor(t, open);
      const day = budget({ money: 10 * WORST });
      const [late, lost] = [await issueOne(store, asking([day])), await issueOne(store, asking([day]))];
      const end = late.expiresAt + HOUR;
      while (await store.purge(end - 1));
      await store.settle({ ...settlement(late, SUBMITTED), charged: ['smsc'] });
      const counted = async () =>
        (await store.budgetUse(NOW, [])).map(({ money, messages }) => [money, messages]);
      assert.deepEqual(await counted(), [[50_000 + WORST, 2]]);
      const kept = () => query(store, 'SELECT verification_id FROM reservation');
      assert.equal((await kept()).length, 1, lost.id);
      while (await store.purge(end));
      assert.deepEqual(await kept(), []);
    });

    test('periods that are over are purged', async (t) => {
      const { store } = await openFor(t, open);
      const hour = budget({ per: 'hour', messages: 10 });
      const month = budget({ per: 'month', messages: 10 });
      await issueOne(store, asking([hour, month]));
      const all = async () => [
        ...(await store.budgetUse(NOW, [])).map(({ per }) => per),
        ...(await store.budgetUse(NOW, [])).map(({ money }) => money),
      ];
      while (await store.purge(hour.endsAt + DAY - 1));
      assert.equal((await all()).length, 4);
      while (await store.purge(hour.endsAt + DAY));
      assert.deepEqual(await all(), ['month', WORST], 'what a crash left open stays counted');
    });
  });
}
