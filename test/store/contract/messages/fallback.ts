/** Messages that go on by another channel: when, and exactly once. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import type { Attempt, NextStep } from '../../../../src/core/sending/delivery.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import { dueOf, newAccount, newEndpoint } from '../events/rig.ts';
import {
  DAY,
  guessAt,
  issueOne,
  LAX,
  LEASE,
  MINUTE,
  type OpenedStore,
  type OpenStore,
  receipt,
  SECOND,
  SUBMITTED,
  seenByPeople,
  settlement,
  unique,
} from '../rig.ts';

const AFTER = 20 * SECOND;
const RACERS = 200;

export function describeFallback(open: OpenStore): void {
  suite('fallback to another channel', () => {
    let opened: OpenedStore;
    let store: Store;

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    const waitingUntil = (fallbackAt: number): NextStep => ({
      kind: 'submitted',
      failover: true,
      fallbackAt,
    });

    /** A message that a carrier took, and that goes on by the next channel 20 seconds later. */
    async function submit(wanted: Partial<NewVerification> = {}) {
      const v = await issueOne(store, wanted);
      const reference = unique('ref');
      const due = v.createdAt + SECOND + AFTER;
      await store.settle(settlement(v, waitingUntil(due), [{ reference }]));
      return { v, reference, due };
    }

    const claim = (now: number, from = store) => from.claim(now, now + LEASE, 1_000);
    const claimOne = async (now: number) => {
      const [delivery, ...others] = await claim(now);
      assert.deepEqual(others, []);
      assert.ok(delivery);
      return delivery;
    };
    const attemptsOf = async ({ accountId, id, createdAt }: NewVerification) =>
      (await store.findArchived(seenByPeople(accountId), id, createdAt))?.attempts ?? [];

    test('it goes on at its time, once, with its code and under a higher fence', async () => {
      const { v, reference, due } = await submit();
      assert.deepEqual(await claim(due - 1), []);
      const { leg, fence, rounds, codeSealed, channel, awaited } = await claimOne(due);
      assert.deepEqual([leg, codeSealed, channel], [1, v.codeSealed, 'sms']);
      assert.deepEqual(awaited, [{ carrier: 'smsc', channel: null, reference }]);
      assert.ok(fence > 0 && rounds === 1);
      assert.deepEqual(await claim(due + LEASE - 1), []);
      const again = await claimOne(due + LEASE);
      assert.deepEqual([again.leg, again.rounds], [1, 1], 'a lease that ran out stays with its channel');
    });

    test('while it waits, it is in no queue', async () => {
      await submit();
      assert.equal(await store.depth(), 0);
      assert.equal(await store.oldestWaiting(), undefined);
    });

    test('a renewal that comes after its settlement leaves it waiting', async () => {
      const { v, due } = await submit();
      const leaseUntil = v.createdAt + LEASE;
      assert.deepEqual(await store.renew([{ id: v.id, fence: 0 }], leaseUntil), new Set());
      assert.deepEqual(await claim(due - 1), []);
      assert.equal((await claimOne(due)).leg, 1);
    });

    test('a restart leaves it waiting until its time', async () => {
      const { v, due } = await submit();
      store = await opened.reopen();
      assert.deepEqual(await claim(due - 1), []);
      assert.deepEqual([(await claimOne(due)).id], [v.id]);
    });

    for (const [end, finish] of [
      [
        'a delivered receipt',
        (v: NewVerification, reference: string) =>
          store.receive(receipt(v.createdAt + 2 * SECOND, { references: [reference] })),
      ],
      ['its confirmation', (v: NewVerification) => store.confirm(guessAt(v, 'right'))],
    ] as const) {
      test(`${end} ends it`, async () => {
        const { v, reference, due } = await submit();
        await finish(v, reference);
        assert.deepEqual(await claim(due), []);
        assert.deepEqual(await claim(v.expiresAt - 1), []);
      });
    }

    test('an expired code does not go on', async () => {
      const { v } = await submit();
      assert.deepEqual(await claim(v.expiresAt), []);
      assert.deepEqual(await claim(v.expiresAt + MINUTE), []);
    });

    test('an undelivered receipt makes it due at once, for carriers of its channel first', async () => {
      const { v, reference } = await submit();
      const at = v.createdAt + 2 * SECOND;
      const outcome = await store.receive(receipt(at, { references: [reference], status: 'undelivered' }));
      assert.ok(outcome.kind === 'applied' && outcome.requeued);
      const delivery = await claimOne(at);
      assert.deepEqual([delivery.leg, delivery.spentCarriers], [0, ['smsc']]);
      await store.settle({
        ...settlement(v, { kind: 'retry', dueAt: at, leg: 1 }, [], delivery.fence),
      });
      const next = await claimOne(at);
      assert.deepEqual([next.leg, next.spentCarriers, next.awaited], [1, ['smsc'], []]);
    });

    test('it is not moved on as well if its time has come meanwhile', async () => {
      const { reference, due } = await submit();
      await store.receive(receipt(due - 1, { references: [reference], status: 'undelivered' }));
      const { leg, fence } = await claimOne(due);
      assert.deepEqual([leg, fence], [0, 1]);
    });

    test('a settlement that is repeated does not skip a channel', async () => {
      const v = await issueOne(store);
      const at = v.createdAt + SECOND;
      const step = settlement(v, { kind: 'retry', dueAt: at, leg: 1 }, [{ outcome: 'permanent' }]);
      await store.settle(step);
      await store.settle({ ...step, attempts: [] });
      assert.equal((await claimOne(at)).leg, 1);
    });

    const overVoice: Partial<Attempt> = { channel: 'voice', carrier: 'smsc' };

    test('a carrier is spent for its channel only, and each attempt has its channel', async () => {
      const { v, due } = await submit();
      const { fence } = await claimOne(due);
      const attempts = [{ ...overVoice, outcome: 'permanent' as const }];
      await store.settle(settlement(v, { kind: 'retry', dueAt: due }, attempts, fence));
      assert.deepEqual((await claimOne(due)).spentCarriers, ['smsc voice']);
      assert.deepEqual(
        (await attemptsOf(v)).map(({ channel }) => channel),
        ['sms', 'voice'],
      );
    });

    test('a late undelivered receipt of the channel before leaves the next one alone', async () => {
      const { v, reference, due } = await submit();
      const { fence } = await claimOne(due);
      const second = { ...overVoice, reference: unique('ref') };
      await store.settle(settlement(v, waitingUntil(due + AFTER), [second], fence));
      const late = receipt(due + SECOND, { references: [reference], status: 'undelivered' });
      const outcome = await store.receive(late);
      assert.ok(outcome.kind === 'applied' && !outcome.requeued && outcome.channel === 'sms');
      assert.deepEqual(await claim(due + AFTER - 1), []);
      assert.equal((await claimOne(due + AFTER)).leg, 2);
    });

    test('what is not delivered by the last channel is over with its receipt', async () => {
      const { v, due } = await submit();
      const { fence } = await claimOne(due);
      await store.settle(settlement(v, SUBMITTED, [{ ...overVoice, reference: unique('ref') }], fence));
      assert.deepEqual(await claim(v.expiresAt - 1), []);
    });

    test('a confirmation names no channel over which the same carrier reported it undelivered', async () => {
      const { v, due } = await submit();
      const { fence } = await claimOne(due);
      const reference = unique('ref');
      await store.settle(settlement(v, SUBMITTED, [{ ...overVoice, reference }], fence));
      await store.receive(receipt(due + SECOND, { references: [reference], status: 'undelivered' }));
      const confirmed = await store.confirm(guessAt(v, 'right', due + 2 * SECOND));
      assert.ok(confirmed.kind === 'confirmed');
      assert.deepEqual([confirmed.carrier, confirmed.sentBy], ['smsc', undefined]);
    });

    test('figures and events name the channel of each attempt', async () => {
      const account = await newAccount(store);
      const hook = await newEndpoint(store, account, ['delivery.accepted', 'verification.confirmed']);
      const { v, due } = await submit({ accountId: account });
      const { fence } = await claimOne(due);
      const reference = unique('ref');
      await store.settle(settlement(v, waitingUntil(due + AFTER), [{ ...overVoice, reference }], fence));
      const outcome = await store.receive(receipt(due + SECOND, { references: [reference] }));
      assert.ok(outcome.kind === 'applied' && outcome.channel === 'voice');
      const confirmed = await store.confirm(guessAt(v, 'right', due + 2 * SECOND));
      assert.ok(confirmed.kind === 'confirmed');
      assert.deepEqual([confirmed.channel, confirmed.sentBy], ['sms', 'voice'], 'asked for, and delivered');
      const told = (await dueOf(store, hook)).map(({ type, channel }) => `${type} ${channel}`);
      assert.deepEqual(told, [
        ...['delivery.accepted sms', 'delivery.accepted voice', 'verification.confirmed voice'],
      ]);
      const { accountId, createdAt } = v;
      const day = createdAt - (createdAt % 86_400_000);
      const rows = await store.tally({ from: day, to: day + 86_400_000, by: ['channel'], accountId });
      const figures = rows.map(({ channel, requested, submitted, delivered, confirmed: typed }) => [
        ...[channel, requested, submitted, delivered, typed],
      ]);
      assert.deepEqual(figures.toSorted(), [
        ['sms', 1, 1, 0, 0],
        ['voice', 0, 1, 1, 1],
      ]);
    });

    test(`${RACERS} delivered receipts race their time: each message goes on or has arrived`, async () => {
      const waiting = await Promise.all(Array.from({ length: RACERS }, () => submit()));
      const due = Math.max(...waiting.map((each) => each.due));
      const claims: ReturnType<typeof claim>[] = [];
      const receipts = waiting.map(({ reference }, index) => {
        if (index % 10 === 0) claims.push(claim(due));
        return store.receive(receipt(due, { references: [reference] }));
      });
      claims.push(claim(due));
      const gone = (await Promise.all(claims)).flat().map(({ id }) => id);
      assert.equal(new Set(gone).size, gone.length, 'nobody goes on twice');
      for (const outcome of await Promise.all(receipts)) assert.equal(outcome.kind, 'applied');
      // What has gone on was reported delivered meanwhile: its lease is over.
      const renewed = await store.renew(
        gone.map((id) => ({ id, fence: 1 })),
        due + LEASE,
      );
      assert.deepEqual(renewed, new Set());
      assert.deepEqual(await claim(due + LEASE), []);
    });

    test(`${RACERS} confirmations and undelivered receipts race their time: each goes on once, or is confirmed`, async () => {
      const waiting = await Promise.all(Array.from({ length: RACERS }, () => submit()));
      const due = Math.max(...waiting.map((each) => each.due));
      const claims: ReturnType<typeof claim>[] = [];
      const others = waiting.map(({ v, reference }, index) => {
        if (index % 10 === 0) claims.push(claim(due));
        if (index % 2 === 0) return store.confirm(guessAt(v, 'right', due));
        return store.receive(receipt(due, { references: [reference], status: 'undelivered' }));
      });
      claims.push(claim(due));
      for (const { kind } of await Promise.all(others)) assert.ok(kind === 'confirmed' || kind === 'applied');
      // A receipt that came first made it due for the carriers of its own channel.
      const gone = [...(await Promise.all(claims)).flat(), ...(await claim(due))];
      const confirmed = new Set(waiting.filter((_, index) => index % 2 === 0).map(({ v }) => v.id));
      assert.equal(new Set(gone.map(({ id }) => id)).size, gone.length, 'nobody is leased twice');
      assert.equal(gone.filter(({ id }) => !confirmed.has(id)).length, RACERS / 2, 'nobody is lost');
      for (const { leg, fence, spentCarriers } of gone) {
        assert.equal(fence, 1);
        assert.ok(leg === 1 || spentCarriers.includes('smsc'));
      }
      const renewed = await store.renew(
        gone.map(({ id, fence }) => ({ id, fence })),
        due + LEASE,
      );
      assert.deepEqual(
        [...renewed].filter((id) => confirmed.has(id)),
        [],
      );
    });

    test(`of two nodes that claim at once, one takes each of ${RACERS}`, async (t) => {
      const waiting = await Promise.all(Array.from({ length: RACERS }, () => submit()));
      const due = Math.max(...waiting.map((each) => each.due));
      const second = await opened.second?.();
      if (second === undefined) return t.skip('the store has one owner');
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? store : second).claim(due, due + LEASE, 25),
        ),
      );
      const gone = claims.flat();
      assert.equal(new Set(gone.map(({ id }) => id)).size, gone.length);
      gone.push(...(await claim(due)));
      assert.equal(gone.length, RACERS);
      for (const { leg, fence } of gone) assert.deepEqual([leg, fence], [1, 1]);
    });

    test('a budget holds what all channels may cost, and a later one needs no more than its own', async () => {
      const startsAt = Date.now() - MINUTE;
      const charge = {
        kind: 'account',
        subject: unique('acc'),
        per: 'day',
        startsAt,
        endsAt: startsAt + DAY,
      } as const;
      const reservation = {
        charges: [{ ...charge, money: 150, messages: null }],
        prices: { smsc: 100, 'smsc voice': 50 },
      };
      const { v, due } = await submit({ reservation });
      const used = async () =>
        (await store.budgetUse(due, [charge.subject])).find(({ subject }) => subject === charge.subject);
      assert.deepEqual([(await used())?.money, (await used())?.messages], [150, 1]);
      const { fence, reservation: held } = await claimOne(due);
      assert.deepEqual(held, { ...reservation, prices: { 'smsc voice': 50 } });
      assert.equal((await used())?.money, 150);
      const refused = [{ ...overVoice, outcome: 'permanent' as const }];
      await store.settle(settlement(v, { kind: 'failed' }, refused, fence));
      assert.equal((await used())?.money, 100, 'the call was not made');
    });

    test('times that a clock left while it was ahead come back, and it still goes on', async () => {
      const now = Date.now();
      const ahead = now + 5 * MINUTE;
      const { v } = await submit({ createdAt: ahead, leaseUntil: ahead + LEASE });
      await store.clampFutureTimes(now, LEASE);
      assert.deepEqual(await claim(now + SECOND + AFTER - 1), []);
      assert.equal((await claimOne(now + SECOND + AFTER)).id, v.id);
    });
  });
}
