/** What another round of a message takes: what is unclear counts as paid, and the budgets of now say whether it goes on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Charge } from '../../../../../src/core/budgets/budget.ts';
import type { NextStep } from '../../../../../src/core/sending/delivery.ts';
import type { NewVerification } from '../../../../../src/core/verification/verification.ts';
import { LEASE, SECOND, SUBMITTED, settlement, tally } from '../../rig.ts';
import { type BudgetRig, NOW, WORST } from './rig.ts';

const AGAIN: NextStep = { kind: 'retry', dueAt: NOW + SECOND };

export function describeAgain(rig: BudgetRig): void {
  const { budget, issue, used, settle } = rig;

  /** Leases it again, and says what it holds for its next round. */
  async function claimed(v: NewVerification, now = NOW + SECOND) {
    const leased = await rig.store.claim(now, now + LEASE, 1_000);
    const delivery = leased.find(({ id }) => id === v.id);
    assert.ok(delivery, 'the message is handed out, whether there is room or not');
    return { fence: delivery.fence, prices: delivery.reservation?.prices };
  }

  /** Under the limits of now. */
  const ask = ({ id }: NewVerification, fence: number, charges: readonly Charge[], carrier = 'smsc') => {
    const prices = { [carrier]: carrier === 'smsc' ? 50_000 : 70_000 };
    return rig.store.reserveMore({ id, fence, more: { charges, prices } });
  };

  test('a round whose outcome is unclear is paid for, and the next one again, first from what was left', async () => {
    const day = budget({ money: 2 * WORST + 50_000 });
    const v = await issue([day]);
    // Also if its answer was lost, and it is settled again.
    for (let i = 0; i < 2; i++) await settle(v, AGAIN, { charged: ['smsc'] });
    const first = await claimed(v);
    assert.deepEqual(first, { fence: 1, prices: {} });
    assert.deepEqual(await used(day), [WORST, 1], 'nobody has asked a carrier');
    assert.equal(await ask(v, 1, [day]), 'reserved');
    assert.deepEqual(await used(day), [WORST, 1], 'the other carrier’s price was left');
    for (let i = 0; i < 2; i++) assert.equal(await ask(v, 1, [day], 'other'), 'reserved');
    assert.deepEqual(await used(day), [WORST + 50_000, 1]);
    await settle(v, { kind: 'retry', dueAt: NOW + 2 * SECOND }, { charged: ['smsc'], fence: 1 });
    assert.deepEqual(await claimed(v, NOW + 2 * SECOND), { fence: 2, prices: {} });
    assert.equal(await ask(v, 2, [day], 'other'), 'reserved');
    assert.deepEqual(await used(day), [WORST + 50_000, 1]);
    await settle(v, SUBMITTED, { charged: ['other'], fence: 2 });
    assert.deepEqual(await used(day), [170_000, 1]);
  });

  test('a round that cost nothing leaves the next one what it held', async () => {
    const day = budget({ money: WORST });
    const v = await issue([day]);
    await settle(v, AGAIN);
    assert.deepEqual(await claimed(v), { fence: 1, prices: { smsc: 50_000, other: 70_000 } });
    await settle(v, SUBMITTED, { charged: ['other'], fence: 1 });
    assert.deepEqual(await used(day), [70_000, 1]);
  });

  test('the budgets of now decide: lowered, as they were, raised and removed', async () => {
    const [day, hour] = [budget({ money: WORST }), budget({ per: 'hour', money: WORST })];
    const v = await issue([day, hour]);
    await settle(v, AGAIN, { charged: ['smsc', 'other'] });
    const { fence } = await claimed(v);
    const of = (money: number) => [
      { ...day, money },
      { ...hour, money: 10 * WORST },
    ];
    assert.deepEqual(await ask(v, fence, of(1)), { full: 0 });
    assert.deepEqual(await ask(v, fence, of(WORST)), { full: 0 });
    assert.deepEqual(
      [await used(day), await used(hour)],
      [
        [WORST, 1],
        [WORST, 1],
      ],
    );
    assert.equal(await ask(v, fence, of(WORST + 50_000)), 'reserved');
    assert.deepEqual(await ask(v, fence, [hour], 'other'), { full: 0 }, 'the other budget is as it was');
    assert.equal(await ask(v, fence, [], 'other'), 'reserved');
    // It counts on in what limits it no more, which gets back all that it does not cost.
    assert.deepEqual(
      [await used(day), await used(hour)],
      [
        [2 * WORST, 1],
        [2 * WORST, 1],
      ],
    );
    await settle(v, SUBMITTED, { charged: ['smsc'], fence });
    assert.deepEqual(
      [await used(day), await used(hour)],
      [
        [WORST + 50_000, 1],
        [WORST + 50_000, 1],
      ],
    );
  });

  test('a budget that came meanwhile counts what was paid, too, and has a say', async () => {
    const [day, added] = [budget({ money: 10 * WORST }), budget({ money: WORST + 50_000, messages: 1 })];
    const v = await issue([day]);
    await settle(v, AGAIN, { charged: ['smsc', 'other'] });
    const { fence } = await claimed(v);
    assert.deepEqual(await ask(v, fence, [day, { ...added, money: WORST + 49_999 }]), { full: 1 });
    assert.deepEqual(await used(day), [WORST, 1], 'what has room takes nothing, either');
    assert.equal(await ask(v, fence, [day, added]), 'reserved');
    assert.deepEqual(await used(added), [WORST + 50_000, 1]);
    assert.deepEqual(await ask(v, fence, [day, added], 'other'), { full: 1 });
  });

  test('another round takes for each carrier that may be asked again, whoever refused other messages', async () => {
    const day = budget({ money: 100 * WORST });
    const refusals = ['smsc', 'other'].map((carrier) => ({ carrier, outcome: 'permanent' }) as const);
    await rig.store.settle(settlement(await issue([budget({})]), { kind: 'failed' }, refusals));
    const [refused, busy] = [await issue([day]), await issue([day])];
    const again = settlement(refused, AGAIN, [{ carrier: 'smsc', outcome: 'permanent' }]);
    await rig.store.settle({ ...again, charged: ['smsc'] });
    assert.deepEqual(await claimed(refused), { fence: 1, prices: { other: 70_000 } });
    await rig.store.settle(settlement(busy, AGAIN, [{ carrier: 'smsc', outcome: 'temporary' }]));
    assert.deepEqual(await claimed(busy), { fence: 1, prices: { smsc: 50_000, other: 70_000 } });
  });

  test('the round of a node that fell silent counts as paid, and a message goes on only where there is room', async () => {
    const day = budget({ money: 2 * WORST + 50_000 });
    const wide = budget({ money: 100 * WORST });
    const lost = [await issue([wide, day]), await issue([wide, day])] as const;
    const now = NOW + LEASE;
    const leased = await rig.store.claim(now, now + LEASE, 1_000);
    assert.equal(leased.filter(({ id }) => lost.some((v) => v.id === id)).length, 2);
    const [winner, loser] = lost;
    assert.equal(await ask(winner, 0, [wide, day]), 'not wanted', 'under the lease before');
    assert.equal(await ask(winner, 1, [wide, day]), 'reserved');
    assert.deepEqual(await ask(loser, 1, [wide, day]), { full: 1 });
    assert.deepEqual(await used(wide), await used(day), 'all of them or none');
    assert.deepEqual(await used(day), [2 * WORST + 50_000, 2]);
    // What waits for room costs nothing more, however often it is looked at, and whoever falls silent then.
    await settle(loser, { kind: 'retry', dueAt: now + SECOND }, { fence: 1 });
    assert.deepEqual(await claimed(loser, now + SECOND), { fence: 2, prices: {} });
    const silent = now + SECOND + LEASE;
    assert.equal((await claimed(loser, silent)).fence, 3);
    await settle(winner, SUBMITTED, { charged: ['smsc'], fence: 2 });
    assert.deepEqual(
      await ask(loser, 3, [wide, day]),
      { full: 1 },
      'the winner fell silent as well, and is paid twice',
    );
    assert.equal(await ask(loser, 3, [wide, { ...day, money: 2 * WORST + 150_000 }]), 'reserved');
    await settle(loser, SUBMITTED, { charged: ['smsc'], fence: 3 });
    assert.deepEqual((await used(day))[1], 2);
  });

  test('of several that fell silent, each goes on only where there is room', async () => {
    const day = budget({ money: 3 * WORST + 50_000 });
    const lost = [await issue([day]), await issue([day]), await issue([day])];
    const now = NOW + LEASE;
    await rig.store.claim(now, now + LEASE, 1_000);
    const outcomes = await Promise.all(lost.map((v) => ask(v, 1, [day])));
    assert.deepEqual(tally(outcomes.map((kind) => ({ kind: typeof kind === 'string' ? kind : 'no-room' }))), {
      reserved: 1,
      'no-room': 2,
    });
    assert.deepEqual(await used(day), [3 * WORST + 50_000, 3]);
  });

  test('a late settlement of a lost lease changes nothing', async () => {
    const day = budget({ money: 10 * WORST });
    const v = await issue([day]);
    const { fence } = await claimed(v, NOW + LEASE);
    assert.equal(fence, 1);
    assert.equal(await ask(v, fence, [day]), 'reserved');
    await settle(v, SUBMITTED, { charged: ['other'] });
    assert.deepEqual(await used(day), [WORST + 50_000, 1]);
    await settle(v, SUBMITTED, { charged: ['smsc'], fence });
    assert.deepEqual(await used(day), [WORST + 50_000, 1]);
  });
}
