/** Whether a verification would be issued, asked before something is paid for it. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import {
  HOUR,
  issueOne,
  kindsOf,
  MINUTE,
  newVerification,
  type OpenStore,
  openFor,
  unique,
  withLimits,
} from '../rig.ts';
import { countsByCarrier, countsOf } from '../statistics/counting.ts';
import { createBudgetRig, NOW, WORST } from './budgets/rig.ts';

const PRICE = 10_000;
const RULES = withLimits({
  sendsPerDestination: [{ max: 2, windowMs: HOUR }],
  requestsPerKey: [{ max: 3, windowMs: MINUTE }],
});

export function describeAdmission(open: OpenStore): void {
  suite('admission', () => {
    const rig = createBudgetRig(open);
    const { budget, asking, used } = rig;

    /** What the message may cost, and the question with it. */
    const withPrice = (v: NewVerification): NewVerification =>
      v.reservation === undefined
        ? v
        : {
            ...v,
            reservation: { ...v.reservation, prices: { ...v.reservation.prices, 'a look-up': PRICE } },
          };
    const admit = (v: NewVerification) => rig.store.admit(withPrice(v), PRICE);

    test('what is admitted is not written, and can be issued as if nothing had been asked', async (t) => {
      const { store } = await openFor(t, open, RULES);
      const v = newVerification({ idempotency: { keyHash: unique('idem'), bodyHash: 'x' } });
      for (let times = 0; times < 5; times++)
        assert.deepEqual(await store.admit(v, PRICE), { kind: 'issued' });
      assert.equal(await store.depth(), 0);
      assert.equal(
        await store.findReplay({ ...v, idempotency: { keyHash: 'none', bodyHash: 'x' } }),
        undefined,
      );
      assert.deepEqual(await countsOf(store), { cost: 5 * PRICE });
      assert.deepEqual(await store.issue(v), { kind: 'issued' });
      assert.equal(await store.depth(), 1);
      assert.deepEqual(await countsByCarrier(store), { '-': { requested: 1, cost: 5 * PRICE } });
    });

    test('it answers what the request would be answered, and is not paid then', async (t) => {
      const { store } = await openFor(t, open, RULES);
      const first = await issueOne(store, { idempotency: { keyHash: unique('idem'), bodyHash: 'x' } });
      const { accountId, keyId, destinationHash, idempotency } = first;
      const again = newVerification({ accountId, keyId, destinationHash, idempotency });
      assert.deepEqual(await store.admit(again, PRICE), {
        ...{ kind: 'replayed', id: first.id, channel: first.channel },
        destinationSealed: first.destinationSealed,
      });
      await issueOne(store, { accountId, destinationHash });
      const third = newVerification({ accountId, destinationHash });
      assert.deepEqual(kindsOf([await store.admit(third, PRICE)]), ['limited']);
      await issueOne(store, { accountId, keyId });
      await issueOne(store, { accountId, keyId });
      const fourth = newVerification({ accountId, keyId });
      assert.deepEqual(kindsOf([await store.admit(fourth, PRICE)]), ['limited']);
      assert.deepEqual(await countsOf(store), { requested: 4, limitedByDestination: 1, limitedByKey: 1 });
    });

    test('a refusal leaves the Idempotency-Key free', async (t) => {
      const { store } = await openFor(t, open, RULES);
      const { accountId, destinationHash } = await issueOne(store);
      await issueOne(store, { accountId, destinationHash });
      const idempotency = { keyHash: unique('idem'), bodyHash: 'x' };
      const refused = newVerification({ accountId, destinationHash, idempotency });
      assert.equal((await store.admit(refused, PRICE)).kind, 'limited');
      assert.equal((await store.issue(newVerification({ accountId, idempotency }))).kind, 'issued');
    });

    test('the price is taken from every budget, and is not a message', async () => {
      const [day, hour] = [budget({ money: 10 * WORST }), budget({ per: 'hour', messages: 5 })];
      const v = asking([day, hour]);
      assert.deepEqual(await admit(v), { kind: 'issued' });
      assert.deepEqual(
        [await used(day), await used(hour)],
        [
          [PRICE, 0],
          [PRICE, 0],
        ],
      );
      assert.equal((await rig.store.issue(v)).kind, 'issued');
      assert.deepEqual(
        [await used(day), await used(hour)],
        [
          [PRICE + WORST, 1],
          [PRICE + WORST, 1],
        ],
      );
    });

    test('what questions cost fills budgets so far that it is told, once for each limit', async () => {
      const [day, hour] = [budget({ messages: 100 }), budget({ per: 'hour', money: 100 * WORST })];
      const price = 30 * WORST;
      const ask = async (money: number) => {
        const outcome = await rig.store.admit(asking([day, { ...hour, money }]), price);
        return outcome.kind === 'issued' ? (outcome.nearlyUsed ?? []) : outcome.kind;
      };
      assert.deepEqual([await ask(100 * WORST), await ask(100 * WORST)], [[], []]);
      assert.deepEqual(await ask(100 * WORST), [1], 'of the budget of the hour');
      assert.deepEqual(await ask(100 * WORST + 30 * WORST), [1], 'which was raised');
      assert.deepEqual(await ask(1_000 * WORST), []);
      assert.deepEqual(await rig.store.issue(asking([day, { ...hour, money: 130 * WORST }])), {
        kind: 'exhausted',
        charge: 1,
        retryAfterMs: hour.endsAt - NOW,
      });
      assert.deepEqual(await used(day), [150 * WORST, 0]);
    });

    test('without room for the question and the message, nothing is paid', async () => {
      const day = budget({ money: WORST + PRICE - 1 });
      const v = asking([day]);
      const answer = await admit(v);
      assert.deepEqual(kindsOf([answer]), ['exhausted']);
      assert.deepEqual(await used(day), [0, 0]);
      assert.equal((await rig.store.issue(v)).kind, 'issued');
    });

    test('of many at once no more are paid than there is room for', async () => {
      const day = budget({ money: WORST + 10 * PRICE });
      const kinds = await Promise.all(
        Array.from({ length: 40 }, async (_, i) => {
          const store = rig.stores[i % rig.stores.length] ?? rig.store;
          return (await store.admit(withPrice(asking([day])), PRICE)).kind;
        }),
      );
      const paid = kinds.filter((kind) => kind === 'issued').length;
      assert.equal(paid, 10);
      assert.deepEqual(await used(day), [10 * PRICE, 0]);
    });

    test('while a budget fills, all requests of one key that are admitted and issued are answered', async (t) => {
      const limits = withLimits({ requestsPerKey: [{ max: 1_000, windowMs: MINUTE }] });
      const { store, second } = await openFor(t, open, limits);
      const stores = second !== undefined && store.isShared ? [store, await second()] : [store];
      for (let round = 0; round < 20; round++) {
        const day = budget({ money: 3 * WORST });
        const keyId = unique('key');
        const answers = await Promise.all(
          Array.from({ length: 24 }, (_, i) => {
            const each = stores[i % stores.length] ?? store;
            const v = asking([day], { keyId });
            return i % 3 === 0 ? each.issue(v) : each.admit(withPrice(v), PRICE);
          }),
        );
        assert.deepEqual([...new Set(kindsOf(answers))].sort(), ['exhausted', 'issued']);
        const uses = await store.budgetUse(NOW, []);
        const use = uses.find(({ kind }) => kind === day.kind);
        assert.ok(use !== undefined && use.money <= 3 * WORST, `${use?.money}`);
      }
    });
  });
}
