/** What a message reserves in addition, because its carriers, their prices or its budgets changed while it waited. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessAt, issueOne, LEASE, newVerification, SECOND, SUBMITTED, tally } from '../../rig.ts';
import { type BudgetRig, NOW, WORST } from './rig.ts';

export function describeMore(rig: BudgetRig): void {
  const { budget, issue, used, settle, claim } = rig;

  test('a carrier that a reservation does not know is reserved, and counted as paid', async () => {
    const [day, hour] = [budget({ money: 10 * WORST }), budget({ per: 'hour', messages: 10 })];
    const v = await issue([day, hour]);
    const more = { charges: [day, hour], prices: { later: 300_000 } };
    assert.equal(await rig.store.reserveMore({ id: v.id, fence: 0, more }), 'reserved');
    assert.deepEqual(await used(day), [WORST + 300_000, 1]);
    assert.deepEqual(await used(hour), [WORST + 300_000, 1]);
    assert.equal(await rig.store.reserveMore({ id: v.id, fence: 0, more }), 'reserved');
    assert.deepEqual(await used(day), [WORST + 300_000, 1], 'once');
    await settle(v, SUBMITTED, { charged: ['later'] });
    assert.deepEqual(await used(day), [300_000, 1]);
    assert.deepEqual(await used(hour), [300_000, 1]);
  });

  test('of a price that rose the difference is reserved, and one that fell gives nothing back yet', async () => {
    const day = budget({ money: 10 * WORST });
    const v = await issue([day]);
    const ask = (smsc: number) =>
      rig.store.reserveMore({ id: v.id, fence: 0, more: { charges: [day], prices: { smsc } } });
    await ask(80_000);
    assert.deepEqual(await used(day), [WORST + 30_000, 1]);
    await ask(10_000);
    assert.deepEqual(await used(day), [WORST + 30_000, 1]);
    await settle(v, SUBMITTED, { charged: ['smsc'] });
    assert.deepEqual(await used(day), [80_000, 1]);
  });

  test('without room nothing is reserved, in no budget; the limits are those of now', async () => {
    const day = budget({ money: 10 * WORST });
    const month = budget({ per: 'month', money: WORST });
    const v = await issue([day, month]);
    const ask = (limit: number) =>
      rig.store.reserveMore({
        ...{ id: v.id, fence: 0 },
        more: { charges: [{ ...month, money: limit }], prices: { later: 1 } },
      });
    assert.deepEqual(await ask(WORST), { full: 0 });
    const both = [
      { ...day, money: WORST },
      { ...month, money: WORST },
    ];
    for (const charges of [both, both.toReversed()]) {
      const more = { charges, prices: { later: 1 } };
      const named = await rig.store.reserveMore({ id: v.id, fence: 0, more });
      assert.deepEqual(
        named,
        { full: charges.findIndex(({ per }) => per === 'month') },
        'that frees up last',
      );
    }
    assert.deepEqual(
      [await used(day), await used(month)],
      [
        [WORST, 1],
        [WORST, 1],
      ],
    );
    assert.equal(await ask(WORST + 1), 'reserved');
    assert.deepEqual(
      [await used(day), await used(month)],
      [
        [WORST + 1, 1],
        [WORST + 1, 1],
      ],
    );
  });

  test('a budget that is new to a message counts it with all that it holds, and gets back what it did not cost', async () => {
    const [day, added] = [budget({ money: 10 * WORST }), budget({ money: 2 * WORST, messages: 2 })];
    const join = async () => {
      const v = await issue([day]);
      const more = { charges: [day, added], prices: { smsc: 50_000 } };
      return { v, outcome: await rig.store.reserveMore({ id: v.id, fence: 0, more }) };
    };
    const { v } = await join();
    assert.deepEqual(await used(added), [WORST, 1]);
    await join();
    assert.deepEqual((await join()).outcome, { full: 1 });
    await settle(v, SUBMITTED, { charged: ['other'] });
    assert.deepEqual(await used(added), [WORST + 70_000, 2]);
    assert.deepEqual(await used(day), [2 * WORST + 70_000, 3]);
  });

  test('a message that no budget applied to reserves all of it, and gives it back like any other', async () => {
    const day = budget({ money: 100_000 });
    const accept = () => issueOne(rig.store, { createdAt: NOW });
    const reserve = ({ id }: { readonly id: string }, fence = 0) =>
      rig.store.reserveMore({ id, fence, more: { charges: [day], prices: { smsc: 50_000 } } });
    const [paid, confirmed, refused] = [await accept(), await accept(), await accept()];
    assert.deepEqual([await reserve(paid), await reserve(confirmed)], ['reserved', 'reserved']);
    assert.deepEqual(await reserve(refused), { full: 0 });
    await settle(paid, SUBMITTED, { charged: ['smsc'] });
    await rig.store.confirm(guessAt(confirmed, 'right', NOW + SECOND));
    await settle(confirmed, SUBMITTED, { charged: [] });
    assert.deepEqual(await used(day), [50_000, 1]);
    const fence = await claim(refused, NOW + LEASE);
    assert.equal(await reserve(refused), 'not wanted', 'under the lease before');
    assert.equal(await reserve(refused, fence), 'reserved');
    await settle(refused, { kind: 'failed' }, { charged: ['smsc'], fence: fence ?? -1 });
    assert.deepEqual(await used(day), [100_000, 2]);
  });

  test('a hundred at the last cent: as many as fit', async () => {
    const day = budget({ money: 7 * 50_000 });
    const accepted = await Promise.all(
      Array.from({ length: 100 }, () => issueOne(rig.store, newVerification({ createdAt: NOW }))),
    );
    const more = { charges: [day], prices: { smsc: 50_000 } };
    const outcomes = await Promise.all(
      accepted.map(({ id }, i) =>
        (rig.stores[i % rig.stores.length] ?? rig.store).reserveMore({ id, fence: 0, more }),
      ),
    );
    assert.deepEqual(tally(outcomes.map((kind) => ({ kind: typeof kind === 'string' ? kind : 'no-room' }))), {
      reserved: 7,
      'no-room': 93,
    });
    assert.deepEqual(await used(day), [350_000, 7]);
  });
}
