/** Budgets: what messages may cost is taken before they are accepted, and given back when they cost less. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Charge, periodOf } from '../../../../src/core/budgets/budget.ts';
import type { NextStep, Settlement } from '../../../../src/core/sending/delivery.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  DELIVERED,
  FAILOVER,
  guessAt,
  HOUR,
  issueOne,
  LEASE,
  MINUTE,
  newVerification,
  type OpenedStore,
  type OpenStore,
  openFor,
  receipt,
  SECOND,
  SUBMITTED,
  settlement,
  tally,
  unique,
  VALID_FOR,
  withLimits,
} from '../rig.ts';

/** What one message may cost at most: the sum. */
const PRICES = { smsc: 50_000, other: 70_000 };
const WORST = 120_000;
const FAILED: NextStep = { kind: 'failed' };

/** The same for tests of one number: nobody else counts in its period. */
const NOW = Date.UTC(2026, 10, 22, 12, 30);

const SENDS = 2;
const RULES = withLimits({ sendsPerDestination: [{ max: SENDS, windowMs: HOUR }] });

export function describeBudgets(open: OpenStore): void {
  suite('budgets', () => {
    let opened: OpenedStore;
    let store: Store;
    let stores: Store[];
    before(async () => {
      opened = await open(RULES);
      store = opened.store;
      const second = await opened.second?.();
      // Only one process serves from the embedded store.
      stores = second === undefined || store.budget === undefined ? [store] : [store, second];
    });
    after(() => opened.dispose());

    /** A budget of the test's own. */
    function budget(limits: Partial<Charge>, at = NOW): Charge {
      const per = limits.per ?? 'day';
      const own = { kind: unique('kind'), subject: 'one', money: null, messages: null };
      return { ...own, per, ...periodOf(per, at), ...limits };
    }

    const asking = (charges: readonly Charge[], wanted: Partial<NewVerification> = {}) =>
      newVerification({ createdAt: NOW, reservation: { charges, prices: PRICES }, ...wanted });

    const issue = (charges: readonly Charge[], wanted?: Partial<NewVerification>) =>
      issueOne(store, asking(charges, wanted));

    /** Money and messages that count in a period. */
    async function used({ kind, per }: Charge, at = NOW) {
      const uses = await store.budgetUse(at, []);
      const use = uses.find((each) => each.kind === kind && each.per === per);
      return use === undefined ? [0, 0] : [use.money, use.messages];
    }

    const settle = (
      v: NewVerification,
      next: NextStep,
      { charged = [], fence = 0 }: Partial<Pick<Settlement, 'charged' | 'fence'>> = {},
    ) => store.settle({ ...settlement(v, next, [], fence), charged });

    /** As a node does when leases have run out. */
    async function claim(v: NewVerification, now: number): Promise<number | undefined> {
      const leased = await store.claim(now, now + LEASE, 1_000);
      return leased.find(({ id }) => id === v.id)?.fence;
    }

    test('500 at the last cent: as many as fit', async () => {
      const day = budget({ money: 20 * WORST + WORST - 1, messages: 1_000 });
      // Its row is there, so nobody waits for whoever makes it.
      await issue([day]);
      const outcomes = await Promise.all(
        Array.from({ length: 500 }, (_, i) => (stores[i % stores.length] ?? store).issue(asking([day]))),
      );
      assert.deepEqual(tally(outcomes), { issued: 19, exhausted: 481 });
      assert.deepEqual(await used(day), [20 * WORST, 20]);
    });

    test('500 at the last message: as many as fit, also where nothing has a price', async () => {
      const hour = budget({ per: 'hour', messages: 7 });
      const reservation = { charges: [hour], prices: { smsc: 0 } };
      const outcomes = await Promise.all(
        Array.from({ length: 500 }, (_, i) =>
          (stores[i % stores.length] ?? store).issue(asking([], { reservation })),
        ),
      );
      assert.deepEqual(tally(outcomes), { issued: 7, exhausted: 493 });
      assert.deepEqual(await used(hour), [0, 7]);
    });

    test('of several budgets, all take or none; the one that frees up last is named', async () => {
      const hour = budget({ per: 'hour', money: 10 * WORST });
      const day = budget({ messages: 2 });
      const month = budget({ per: 'month', money: 2 * WORST });
      await issue([hour, day, month]);
      await issue([month, hour]);
      assert.deepEqual(await store.issue(asking([hour, month, day])), {
        kind: 'exhausted',
        charge: 1,
        retryAfterMs: Date.UTC(2026, 11) - NOW,
      });
      await issue([hour, day]);
      assert.deepEqual(await store.issue(asking([day, hour])), {
        kind: 'exhausted',
        charge: 0,
        retryAfterMs: Date.UTC(2026, 10, 23) - NOW,
      });
      assert.deepEqual(await used(hour), [3 * WORST, 3]);
      assert.deepEqual(await used(day), [2 * WORST, 2]);
      assert.deepEqual(await used(month), [2 * WORST, 2]);
    });

    test('a budget that is smaller than one message accepts none', async () => {
      const day = budget({ money: WORST - 1 });
      assert.equal((await store.issue(asking([day]))).kind, 'exhausted');
      assert.equal((await store.issue(asking([budget({ money: WORST })]))).kind, 'issued');
    });

    test('each subject and each period has its own', async () => {
      const day = budget({ messages: 1 });
      await issue([day]);
      assert.equal((await store.issue(asking([day]))).kind, 'exhausted');
      await issue([{ ...day, subject: 'another' }]);
      await issue([{ ...day, per: 'hour', ...periodOf('hour', NOW) }]);
      const tomorrow = { ...day, ...periodOf('day', NOW + DAY) };
      await issue([tomorrow], { createdAt: NOW + DAY });
      assert.deepEqual(await used(day, NOW + DAY), [WORST, 1]);
      assert.deepEqual(
        (await store.budgetUse(NOW, ['another']))
          .filter(({ kind, per }) => kind === day.kind && per === 'day')
          .map(({ subject, messages }) => `${subject ?? 'the others'}: ${messages}`)
          .sort(),
        ['another: 1', 'the others: 1'],
      );
    });

    test('a refusal leaves nothing: no verification, no send, no idempotency key', async () => {
      const day = budget({ messages: 1 });
      const destinationHash = unique('hash');
      await issue([day]);
      const idempotency = { keyHash: unique('key'), bodyHash: unique('body') };
      const accountId = unique('acc');
      const refused = asking([day], { idempotency, accountId, destinationHash });
      for (let i = 0; i < 2 * SENDS; i++) assert.equal((await store.issue(refused)).kind, 'exhausted');
      assert.equal((await store.confirm(guessAt(refused, 'right'))).kind, 'unknown');
      const again = { idempotency, accountId, destinationHash };
      await issue([], again);
      for (let i = 1; i < SENDS; i++) await issue([], { destinationHash });
      assert.equal((await store.issue(asking([], { destinationHash }))).kind, 'limited');
    });

    test('a send that its destination’s limit refuses takes nothing', async () => {
      const day = budget({ messages: 10 });
      const destinationHash = unique('hash');
      for (let i = 0; i < SENDS; i++) await issue([day], { destinationHash });
      assert.equal((await store.issue(asking([day], { destinationHash }))).kind, 'limited');
      assert.deepEqual(await used(day), [SENDS * WORST, SENDS]);
    });

    test('a replay is answered when the budget is used up, and takes nothing', async () => {
      const day = budget({ messages: 1 });
      const idempotency = { keyHash: unique('key'), bodyHash: unique('body') };
      const accountId = unique('acc');
      const first = await issue([day], { idempotency, accountId });
      const replay = await store.issue(asking([day], { idempotency, accountId }));
      assert.ok(replay.kind === 'replayed' && replay.id === first.id);
      assert.deepEqual(await used(day), [WORST, 1]);
    });

    test('four fifths are told once in a period, of each limit', async () => {
      const day = budget({ messages: 10, money: 20 * WORST });
      const told: number[] = [];
      const ask = async (charges: readonly Charge[]) => {
        const outcome = await store.issue(asking(charges));
        assert.equal(outcome.kind, 'issued');
        return outcome.kind === 'issued' ? (outcome.nearlyUsed ?? []) : [];
      };
      const free = budget({});
      for (let i = 1; i <= 10; i++) if ((await ask([free, day])).includes(1)) told.push(i);
      assert.deepEqual(told, [8]);
      const more = { ...day, messages: 20 };
      for (let i = 11; i <= 20; i++) if ((await ask([more])).length > 0) told.push(i);
      assert.deepEqual(told, [8, 16]);
    });

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
      const hour = budget({ per: 'hour', money: WORST });
      const v = await issue([hour], { createdAt: hour.endsAt - SECOND });
      await issue([{ ...hour, ...periodOf('hour', hour.endsAt) }], { createdAt: hour.endsAt });
      await settle(v, SUBMITTED, { charged: ['smsc'] });
      assert.deepEqual(await used(hour, hour.endsAt - 1), [50_000, 1]);
      assert.deepEqual(await used(hour, hour.endsAt), [WORST, 1]);
    });

    test('while another carrier may follow, its price stays reserved', async () => {
      const day = budget({ money: WORST });
      const reference = unique('ref');
      const v = await issue([day]);
      await store.settle(settlement(v, FAILOVER, [{ reference }]));
      assert.deepEqual(await used(day), [WORST, 1]);
      await store.receive(receipt(NOW + 2 * SECOND, { references: [reference], status: 'undelivered' }));
      const fence = (await claim(v, NOW + 2 * SECOND)) ?? 0;
      assert.equal(fence, 1, 'no more is needed: the first carrier is not asked again');
      await settle(v, SUBMITTED, { charged: ['other'], fence });
      assert.deepEqual(await used(day), [WORST, 1]);
    });

    test('a receipt that comes early or late gives back the rest', async () => {
      const day = budget({ money: 10 * WORST });
      const [early, late] = [unique('ref'), unique('ref')];
      await store.receive(receipt(NOW + SECOND, { references: [early] }));
      const first = await issue([day]);
      await store.settle(settlement(first, FAILOVER, [{ reference: early }]));
      assert.deepEqual(await used(day), [50_000, 1]);
      const second = await issue([day]);
      await store.settle(settlement(second, FAILOVER, [{ reference: late }]));
      assert.deepEqual(await used(day), [50_000 + WORST, 2]);
      for (let i = 0; i < 2; i++) await store.receive(receipt(NOW + 2 * SECOND, { references: [late] }));
      assert.deepEqual(await used(day), [100_000, 2]);
    });

    test('a confirmation gives back what is not needed any more, once', async () => {
      const day = budget({ money: 10 * WORST });
      const waiting = await issue([day]);
      await settle(waiting, FAILOVER, { charged: ['smsc'] });
      assert.equal((await store.confirm(guessAt(waiting, 'wrong'))).kind, 'mismatch');
      assert.deepEqual(await used(day), [WORST, 1]);
      assert.equal((await store.confirm(guessAt(waiting, 'right'))).kind, 'confirmed');
      assert.deepEqual(await used(day), [50_000, 1]);
      // A round is under way: what it costs is known when it is settled.
      const underWay = await issue([day]);
      assert.equal((await store.confirm(guessAt(underWay, 'right'))).kind, 'confirmed');
      assert.deepEqual(await used(day), [50_000 + WORST, 2]);
      for (let i = 0; i < 2; i++) await settle(underWay, SUBMITTED, { charged: ['other'] });
      assert.deepEqual(await used(day), [WORST, 2]);
      const unsent = await issue([day]);
      await settle(unsent, { kind: 'retry', dueAt: NOW + MINUTE });
      assert.equal((await store.confirm(guessAt(unsent, 'right'))).kind, 'confirmed');
      assert.deepEqual(await used(day), [WORST, 2]);
    });

    test('expiry gives back what was never sent', async () => {
      const day = budget({ money: 10 * WORST });
      const unsent = await issue([day]);
      await settle(unsent, { kind: 'retry', dueAt: NOW + VALID_FOR });
      const unclear = await issue([day]);
      await settle(unclear, { kind: 'retry', dueAt: NOW + VALID_FOR }, { charged: ['other'] });
      await store.claim(NOW + VALID_FOR, NOW + VALID_FOR + LEASE, 1_000);
      assert.deepEqual(await used(day), [70_000, 1]);
    });

    test('a round whose outcome is unclear is paid for, and the next one again', async () => {
      const day = budget({ money: 2 * WORST + 50_000 });
      const v = await issue([day]);
      await settle(v, { kind: 'retry', dueAt: NOW + SECOND }, { charged: ['smsc'] });
      const first = (await claim(v, NOW + SECOND)) ?? 0;
      assert.equal(first, 1);
      assert.deepEqual(await used(day), [WORST + 50_000, 1]);
      await settle(v, { kind: 'retry', dueAt: NOW + 2 * SECOND }, { charged: ['smsc'], fence: first });
      assert.equal(await claim(v, NOW + 2 * SECOND), 2);
      assert.deepEqual(await used(day), [WORST + 100_000, 1]);
      await settle(v, SUBMITTED, { charged: ['other'], fence: 2 });
      assert.deepEqual(await used(day), [170_000, 1]);
    });

    test('the round of a node that fell silent counts as paid, and a message goes on only where there is room', async () => {
      const day = budget({ money: 3 * WORST });
      const wide = budget({ money: 100 * WORST });
      const lost = await issue([wide, day]);
      const other = await issue([wide, day]);
      const held = await claim(lost, NOW + LEASE);
      assert.deepEqual(await used(day), [3 * WORST, 2]);
      // The second lease ran out, too, and only one of the two found room.
      const [winner, loser] = held === undefined ? [other, lost] : [lost, other];
      assert.equal(await claim(loser, NOW + LEASE + 5 * SECOND), undefined, 'it waits');
      await settle(winner, SUBMITTED, { charged: ['smsc'], fence: 1 });
      assert.deepEqual(await used(day), [2 * WORST + 50_000, 2]);
      assert.equal(await claim(loser, NOW + LEASE + 20 * SECOND), undefined, 'still no room');
      assert.deepEqual(await used(wide), await used(day), 'all of them or none');
      // The silent node comes back, and says what its round cost.
      await settle(loser, { kind: 'retry', dueAt: NOW + MINUTE }, { charged: ['smsc'] });
      assert.notEqual(await claim(loser, NOW + MINUTE + 30 * SECOND), undefined);
      assert.deepEqual(await used(day), [2 * WORST + 100_000, 2]);
    });

    test('a late settlement of a lost lease changes nothing', async () => {
      const day = budget({ money: 10 * WORST });
      const v = await issue([day]);
      const fence = (await claim(v, NOW + LEASE)) ?? 0;
      assert.equal(fence, 1);
      await settle(v, SUBMITTED, { charged: ['other'] });
      assert.deepEqual(await used(day), [2 * WORST, 1]);
      await settle(v, SUBMITTED, { charged: ['smsc'], fence });
      assert.deepEqual(await used(day), [WORST + 50_000, 1]);
    });

    test('an erasure gives back what was not sent', async () => {
      const day = budget({ money: 10 * WORST });
      const v = await issue([day]);
      await settle(v, FAILOVER, { charged: ['smsc'] });
      const erase = { ids: [v.id], destinationHashes: [v.destinationHash], receiptIds: [], now: NOW };
      await store.transact([{ erase }]);
      assert.deepEqual(await used(day), [50_000, 1]);
    });

    test('what moves at once is counted exactly', async () => {
      const day = budget({ money: 60 * WORST });
      const hour = budget({ per: 'hour', messages: 500 });
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, async (_, i) => {
          const at = stores[i % stores.length] ?? store;
          const v = asking(i % 2 === 0 ? [day, hour] : [hour, day]);
          const { kind } = await at.issue(v);
          if (kind !== 'issued') return 0;
          const elsewhere = stores[(i + 1) % stores.length] ?? store;
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

    test('a clock that was ahead: what counts in a future period counts in this one', async (t) => {
      const { store } = await openFor(t, open);
      const [ahead, now] = [NOW + 40 * DAY, NOW];
      const charges = (at: number) =>
        (['hour', 'day', 'month'] as const).map((per) => budget({ kind: per, per, messages: 2 }, at));
      await issueOne(store, asking(charges(ahead), { createdAt: ahead }));
      await issueOne(store, asking(charges(now), { createdAt: now }));
      await store.heal(now, LEASE);
      const refused = await store.issue(asking(charges(now)));
      assert.deepEqual(refused, { kind: 'exhausted', charge: 2, retryAfterMs: Date.UTC(2026, 11) - NOW });
      for (const { messages } of await store.budgetUse(now, [])) assert.equal(messages, 2);
      assert.deepEqual(await store.budgetUse(ahead, []), []);
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
