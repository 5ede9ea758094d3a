/** What comes back of what was taken. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { periodOf } from '../../../../../src/core/budgets/budget.ts';
import type { NextStep } from '../../../../../src/core/sending/delivery.ts';
import {
  DELIVERED,
  FAILOVER,
  guessAt,
  LEASE,
  MINUTE,
  receipt,
  SECOND,
  SUBMITTED,
  settlement,
  unique,
  VALID_FOR,
} from '../../rig.ts';
import { type BudgetRig, NOW, WORST } from './rig.ts';

const FAILED: NextStep = { kind: 'failed' };

export function describeGivingBack(rig: BudgetRig): void {
  const { budget, issue, used, settle, claim } = rig;

  test('what a carrier did not charge comes back when the message is settled for good', async () => {
    const day = budget({ money: 100 * WORST });
    const costs: [NextStep, string[], number, number][] = [
      [SUBMITTED, ['smsc'], 50_000, 1],
      [DELIVERED, ['other'], 70_000, 1],
      [SUBMITTED, ['smsc', 'other'], WORST, 1],
      [FAILED, [], 0, 0],
      [FAILED, ['smsc'], 50_000, 1],
    ];
    let [money, messages] = [0, 0];
    for (const [next, charged, cost, count] of costs) {
      const v = await issue([day]);
      await settle(v, next, { charged });
      await settle(v, next, { charged });
      money += cost;
      messages += count;
      assert.deepEqual(await used(day), [money, messages], `${next.kind} ${charged}`);
    }
  });

  test('it comes back to the period that it was taken from', async () => {
    const hour = budget({ per: 'hour', money: 2 * WORST });
    const v = await issue([hour], { createdAt: hour.endsAt - SECOND });
    await issue([hour], { createdAt: hour.endsAt - SECOND });
    await issue([{ ...hour, ...periodOf('hour', hour.endsAt) }], { createdAt: hour.endsAt });
    await settle(v, SUBMITTED, { charged: ['smsc'] });
    assert.deepEqual(await used(hour, hour.endsAt - 1), [50_000 + WORST, 2]);
    assert.deepEqual(await used(hour, hour.endsAt), [WORST, 1]);
  });

  test('it comes back to its own budget, and to no other of that kind', async () => {
    const own = budget({ money: 10 * WORST });
    const other = { ...own, subject: 'two' };
    await settle(await issue([other]), SUBMITTED, { charged: ['smsc', 'other'] });
    await settle(await issue([own]), FAILED);
    const uses = await rig.store.budgetUse(NOW, ['one', 'two']);
    assert.deepEqual(
      uses
        .filter(({ kind }) => kind === own.kind)
        .map(({ subject, money, messages }) => [subject, money, messages])
        .sort(),
      [
        ['one', 0, 0],
        ['two', WORST, 1],
      ],
    );
  });

  test('while another carrier may follow, its price stays reserved', async () => {
    const day = budget({ money: WORST });
    const reference = unique('ref');
    const v = await issue([day]);
    await rig.store.settle(settlement(v, FAILOVER, [{ reference }]));
    assert.deepEqual(await used(day), [WORST, 1]);
    await rig.store.receive(receipt(NOW + 2 * SECOND, { references: [reference], status: 'undelivered' }));
    const fence = (await claim(v, NOW + 2 * SECOND)) ?? 0;
    assert.equal(fence, 1, 'no more is needed: the first carrier is not asked again');
    await settle(v, SUBMITTED, { charged: ['other'], fence });
    assert.deepEqual(await used(day), [WORST, 1]);
  });

  test('the rest comes back of a code that is canceled, confirmed by its number, or over with that', async () => {
    const day = budget({ money: 10 * WORST });
    const number = {
      ...{ accountId: unique('acc'), test: false, destinationHash: unique('hash') },
      byNumber: true,
    };
    const [first, second] = [await issue([day], number), await issue([day], number)];
    const canceled = await issue([day]);
    for (const v of [first, second, canceled]) await settle(v, FAILOVER, { charged: ['smsc'] });
    assert.deepEqual(await used(day), [3 * WORST, 3]);
    const now = NOW + SECOND;
    assert.equal(await rig.store.cancel({ ...canceled, now }), true);
    assert.deepEqual(await used(day), [2 * WORST + 50_000, 3]);
    const candidates = [first, second].map(({ id, codeMac }) => ({ id, codeMac, earlierCodeMacs: [] }));
    const guess = { ...number, test: false, earlierDestinationHashes: [], candidates, now };
    assert.equal((await rig.store.confirmByNumber(guess)).kind, 'confirmed');
    assert.deepEqual(await used(day), [150_000, 3]);
  });

  test('the rest comes back of a code that is over because another of its number was confirmed by its id', async () => {
    const day = budget({ money: 10 * WORST });
    const number = { accountId: unique('acc'), destinationHash: unique('hash'), byNumber: true };
    const [first, second] = [await issue([day], number), await issue([day], number)];
    for (const v of [first, second]) await settle(v, FAILOVER, { charged: ['smsc'] });
    assert.deepEqual(await used(day), [2 * WORST, 2]);
    const guess = { ...guessAt(first, 'right'), byNumber: true };
    assert.equal((await rig.store.confirm(guess)).kind, 'confirmed');
    assert.deepEqual(await used(day), [100_000, 2]);
  });

  test('a receipt that comes early or late gives back the rest', async () => {
    const day = budget({ money: 10 * WORST });
    const [early, late] = [unique('ref'), unique('ref')];
    await rig.store.receive(receipt(NOW + SECOND, { references: [early] }));
    const first = await issue([day]);
    await rig.store.settle(settlement(first, FAILOVER, [{ reference: early }]));
    assert.deepEqual(await used(day), [50_000, 1]);
    const second = await issue([day]);
    await rig.store.settle(settlement(second, FAILOVER, [{ reference: late }]));
    assert.deepEqual(await used(day), [50_000 + WORST, 2]);
    for (let i = 0; i < 2; i++) await rig.store.receive(receipt(NOW + 2 * SECOND, { references: [late] }));
    assert.deepEqual(await used(day), [100_000, 2]);
  });

  test('a confirmation gives back what is not needed any more, once', async () => {
    const day = budget({ money: 10 * WORST });
    const waiting = await issue([day]);
    await settle(waiting, FAILOVER, { charged: ['smsc'] });
    assert.equal((await rig.store.confirm(guessAt(waiting, 'wrong'))).kind, 'mismatch');
    assert.deepEqual(await used(day), [WORST, 1]);
    assert.equal((await rig.store.confirm(guessAt(waiting, 'right'))).kind, 'confirmed');
    assert.deepEqual(await used(day), [50_000, 1]);
    // A round is under way: what it costs is known when it is settled.
    const underWay = await issue([day]);
    assert.equal((await rig.store.confirm(guessAt(underWay, 'right'))).kind, 'confirmed');
    assert.deepEqual(await used(day), [50_000 + WORST, 2]);
    for (let i = 0; i < 2; i++) await settle(underWay, SUBMITTED, { charged: ['other'] });
    assert.deepEqual(await used(day), [WORST, 2]);
    const unsent = await issue([day]);
    await settle(unsent, { kind: 'retry', dueAt: NOW + MINUTE });
    assert.equal((await rig.store.confirm(guessAt(unsent, 'right'))).kind, 'confirmed');
    assert.deepEqual(await used(day), [WORST, 2]);
  });

  test('expiry gives back what was never sent, or could have gone to another carrier', async () => {
    const day = budget({ money: 10 * WORST });
    const unsent = await issue([day]);
    await settle(unsent, { kind: 'retry', dueAt: NOW + VALID_FOR });
    const unclear = await issue([day]);
    await settle(unclear, { kind: 'retry', dueAt: NOW + VALID_FOR }, { charged: ['other'] });
    const taken = await issue([day]);
    await settle(taken, FAILOVER, { charged: ['smsc'] });
    await rig.store.claim(NOW + VALID_FOR, NOW + VALID_FOR + LEASE, 1_000);
    assert.deepEqual(await used(day), [120_000, 2]);
  });

  test('an erasure gives back what was not sent', async () => {
    const day = budget({ money: 10 * WORST });
    const v = await issue([day]);
    await settle(v, FAILOVER, { charged: ['smsc'] });
    const erase = { ids: [v.id], destinationHashes: [v.destinationHash], receiptIds: [], now: NOW };
    await rig.store.transact([{ erase }]);
    assert.deepEqual(await used(day), [50_000, 1]);
  });
}
