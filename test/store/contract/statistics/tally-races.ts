/** Counts are exact even if many calls write at once, on two connections if the store allows them. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { TallyQuery } from '../../../../src/core/counting/tally.ts';
import type { Attempt } from '../../../../src/core/sending/delivery.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  FAILOVER,
  guessAt,
  issueOne,
  LAX,
  LEASE,
  newVerification,
  type OpenedStore,
  type OpenStore,
  receipt,
  SECOND,
  SUBMITTED,
  settlement,
  unique,
  untilServed,
} from '../rig.ts';
import { binsOf, countsOf } from './counting.ts';

const CALLS = 500;

export function describeTallyRaces(open: OpenStore): void {
  suite('races of tallies', () => {
    let opened: OpenedStore;
    let stores: Store[];

    before(async () => {
      opened = await open(LAX);
      const second = await opened.second?.();
      stores = second === undefined ? [opened.store] : [opened.store, second];
    });
    after(() => opened.dispose());

    const storeOf = (i: number) => stores[i % stores.length] ?? opened.store;

    /** `call` for every number, all at once, on the connections in turn. */
    const race = <T>(count: number, call: (store: Store, i: number) => Promise<T>) =>
      Promise.all(Array.from({ length: count }, (_, i) => untilServed(() => call(storeOf(i), i))));

    test('whole flows, while others query and merge', async () => {
      const accountId = unique('acc');
      const at = Date.now() - 5 * 3_600_000;
      const make = (i: number) => newVerification({ accountId, createdAt: at + i * 20, guesses: 5 });
      const flow = async (store: Store, i: number) => {
        const v = make(i);
        const reference = unique('ref');
        const settled = settlement(v, FAILOVER, [{ reference, cost: 3 }]);
        const arrived = receipt(v.createdAt + 2 * SECOND, { references: [reference] });
        const right = guessAt(v, 'right', v.createdAt + 9 * SECOND);
        await untilServed(() => store.issue(v));
        await untilServed(() => store.settle(settled));
        await Promise.all([i, i + 1].map((n) => untilServed(() => storeOf(n).receive(arrived))));
        await untilServed(() => storeOf(i + 1).confirm(guessAt(v, 'wrong')));
        await Promise.all(stores.map((each) => untilServed(() => each.confirm(right))));
      };
      const flows = Promise.all(Array.from({ length: CALLS }, (_, i) => flow(storeOf(i), i)));
      let over = false;
      const others = (async () => {
        while (!over) {
          await untilServed(() => opened.store.purge(Date.now()));
          const {
            requested = 0,
            submitted = 0,
            delivered = 0,
            confirmed = 0,
          } = await countsOf(storeOf(1), {
            accountId,
          });
          assert.ok(requested >= submitted && submitted >= delivered && submitted >= confirmed);
        }
      })();
      await flows.finally(() => {
        over = true;
      });
      await others;
      while (await opened.store.purge(Date.now()));
      const expected = {
        requested: CALLS,
        submitted: CALLS,
        delivered: CALLS,
        confirmed: CALLS,
        mismatched: CALLS,
        cost: 3 * CALLS,
      };
      assert.deepEqual(await countsOf(storeOf(0), { accountId }), expected);
      assert.deepEqual(await countsOf(storeOf(1), { accountId }), expected);
      assert.deepEqual(await binsOf(storeOf(1), { accountId }), {
        submitted: { 5: CALLS },
        delivered: { 5: CALLS },
        confirmed: { 7: CALLS },
      });
    });

    test('what comes at once and differs in one thing only is counted apart', async () => {
      const createdAt = Date.UTC(2026, 10, 3, 12);
      const shared = { accountId: unique('acc'), keyId: unique('key'), createdAt };
      const other = { accountId: unique('acc'), keyId: unique('key') };
      const differing: readonly Partial<NewVerification>[] = [
        { accountId: other.accountId },
        { keyId: other.keyId },
        { test: true },
        { channel: 'voice' },
        { country: 'AT' },
        { createdAt: createdAt + 10 * SECOND },
      ];
      const all = await Promise.all(
        [{}, {}, ...differing].map((each) => issueOne(opened.store, { ...shared, ...each })),
      );
      const ends: Partial<Attempt>[] = [
        { carrier: 'a', cost: 3 },
        { carrier: 'b', outcome: 'delivered', endedAt: createdAt },
      ];
      await Promise.all(
        ends.map((each, i) => opened.store.settle(settlement(required(all[i]), SUBMITTED, [each]))),
      );
      const spans = { from: createdAt, to: createdAt + 20 * SECOND };
      const requested = async (query: Partial<TallyQuery>) =>
        (await countsOf(opened.store, { ...spans, ...query })).requested;
      const { accountId, keyId } = shared;
      assert.deepEqual(
        await Promise.all([
          requested({ accountId: other.accountId }),
          requested({ accountId, keyId: other.keyId }),
          requested({ accountId, test: true }),
          requested({ accountId, channel: 'voice' }),
          requested({ accountId, country: 'AT' }),
          requested({ accountId, from: createdAt + 10 * SECOND }),
          requested({ accountId, to: createdAt + 10 * SECOND }),
          requested({ accountId, keyId, test: false, channel: 'sms', country: 'DE' }),
        ]),
        [1, 1, 1, 1, 1, 1, 6, 3],
      );
      assert.deepEqual(await countsOf(opened.store, { ...spans, carrier: 'a' }), { submitted: 1, cost: 3 });
      assert.deepEqual(await countsOf(opened.store, { ...spans, carrier: 'b' }), {
        submitted: 1,
        delivered: 1,
      });
    });

    for (const queued of [true, false]) {
      test(`of two holders that settle at once, with the message ${queued ? 'in' : 'out of'} the queue, one counts`, async () => {
        const accountId = unique('acc');
        const verifications = await race(CALLS, () => issueOne(opened.store, { accountId }));
        const latest = Math.max(...verifications.map(({ leaseUntil }) => leaseUntil));
        await opened.store.claim(latest, latest + LEASE, CALLS);
        if (!queued)
          await race(CALLS, (store, i) => store.confirm(guessAt(required(verifications[i]), 'right')));
        await race(2 * CALLS, (store, i) => {
          const v = required(verifications[i % CALLS]);
          return store.settle(settlement(v, SUBMITTED, [{}], Math.floor(i / CALLS)));
        });
        const { submitted } = await countsOf(opened.store, { accountId });
        assert.equal(submitted, CALLS);
      });
    }

    test('of two receipts at once for two attempts at one carrier, one counts', async () => {
      const accountId = unique('acc');
      const verifications = await race(CALLS, () => issueOne(opened.store, { accountId }));
      const latest = Math.max(...verifications.map(({ leaseUntil }) => leaseUntil));
      await opened.store.claim(latest, latest + LEASE, CALLS);
      for (const fence of [0, 1]) {
        await race(verifications.length, (store, i) => {
          const v = required(verifications[i]);
          return store.settle(settlement(v, SUBMITTED, [{ reference: `${fence} ${v.id}` }], fence));
        });
      }
      await race(2 * verifications.length, (store, i) => {
        const { id, createdAt } = required(verifications[Math.floor(i / 2)]);
        return store.receive(receipt(createdAt + 3 * SECOND, { references: [`${i % 2} ${id}`] }));
      });
      const { delivered } = await countsOf(opened.store, { accountId });
      assert.equal(delivered, verifications.length);
    });
  });
}

function required<T>(value: T | undefined): T {
  assert.ok(value !== undefined);
  return value;
}
