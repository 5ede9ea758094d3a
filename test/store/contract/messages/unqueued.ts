/** A message that is in no queue, such as a test of a carrier: whoever wrote it sends it once or never, and it is no traffic. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { NO_KEY } from '../../../../src/core/verification/carrier-test.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  guessAt,
  HOUR,
  LEASE,
  MINUTE,
  newVerification,
  type OpenedStore,
  type OpenStore,
  openFor,
  receipt,
  SECOND,
  SUBMITTED,
  seenByPeople,
  settlement,
  unique,
  withLimits,
} from '../rig.ts';
import { countsByCarrier } from '../statistics/counting.ts';
import { createBudgetRig, NOW, WORST } from '../verifications/budgets/rig.ts';

const RULES = withLimits({ sendsPerDestination: [{ max: 2, windowMs: HOUR }] });

/** As the verifier makes it for a test of a carrier. */
const unqueued = (wanted: Partial<NewVerification> = {}): NewVerification => ({
  ...newVerification({ keyId: NO_KEY, guesses: 0, brought: true, ...wanted }),
  leaseUntil: null,
});

export function describeUnqueued(open: OpenStore): void {
  suite('a message in no queue', () => {
    let opened: OpenedStore;
    let store: Store;

    beforeEach(async () => {
      opened = await open(RULES);
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    async function issue(wanted: Partial<NewVerification> = {}): Promise<NewVerification> {
      const v = unqueued(wanted);
      assert.equal((await store.issue(v)).kind, 'issued');
      return v;
    }
    const find = async ({ accountId, id, createdAt }: NewVerification, after = SECOND, at = store) =>
      at.findArchived(seenByPeople(accountId), id, createdAt + after);

    test('is never given out, also not after a restart', async () => {
      const v = await issue();
      assert.equal(await store.depth(), 0);
      assert.equal(await store.oldestWaiting(), undefined);
      const again = await opened.reopen();
      for (const now of [v.createdAt, v.createdAt + LEASE, v.expiresAt - 1, v.expiresAt + MINUTE]) {
        assert.deepEqual(await again.claim(now, now + LEASE, 100), []);
      }
      const found = await find(v, SECOND, again);
      assert.deepEqual([found?.attempts, found?.inQueue], [[], false]);
      assert.deepEqual(await countsByCarrier(again), {});
    });

    test('has its attempt and its receipt as any message has, and counts only in the cost', async () => {
      const v = await issue();
      await store.settle(settlement(v, SUBMITTED, [{ reference: 'r1', cost: 7_500 }]));
      assert.equal((await find(v))?.verification.status, 'pending');
      await store.receive(receipt(v.createdAt + 4 * SECOND, { references: ['r1'] }));
      const found = await find(v);
      const [attempt] = found?.attempts ?? [];
      assert.deepEqual([attempt?.outcome, attempt?.receipt?.status], ['accepted', 'delivered']);
      assert.equal(found?.verification.carrier, 'smsc');
      assert.deepEqual(await countsByCarrier(store), { smsc: { cost: 7_500 } });
    });

    test('that no carrier took has failed, and counts nowhere', async () => {
      const v = await issue();
      const refused = { outcome: 'permanent', reason: 'no' } as const;
      await store.settle(settlement(v, { kind: 'failed' }, [refused]));
      const found = await find(v);
      assert.deepEqual([found?.verification.status, found?.attempts[0]?.reason], ['failed', 'no']);
      assert.deepEqual(await countsByCarrier(store), {});
    });

    test('is undelivered once, and comes into no queue by that', async () => {
      const v = await issue();
      await store.settle(settlement(v, SUBMITTED, [{ reference: 'r1' }]));
      const undelivered = { references: ['r1'], status: 'undelivered', reason: 'absent' } as const;
      for (let i = 0; i < 2; i++) await store.receive(receipt(v.createdAt + SECOND, undelivered));
      const now = v.createdAt + LEASE;
      assert.deepEqual(await store.claim(now, now + LEASE, 100), []);
      assert.equal((await find(v))?.verification.status, 'undelivered');
      assert.deepEqual(await countsByCarrier(store), {});
    });

    test('is in no inbox, and nobody can confirm it', async () => {
      const v = await issue();
      await store.settle(settlement(v, { kind: 'delivered', inbox: true }, [{ outcome: 'delivered' }]));
      assert.deepEqual(await store.list(seenByPeople(v.accountId), null, 10, Date.now()), []);
      for (const code of ['right', 'wrong'] as const) {
        assert.deepEqual(await store.confirm(guessAt(v, code)), { kind: 'attempts-exhausted' });
      }
      assert.deepEqual(await countsByCarrier(store), {});
    });

    test('takes a place in the limit of its destination, as others take its', async () => {
      const to = { accountId: unique('acc'), destinationHash: unique('hash'), createdAt: NOW };
      await issue(to);
      assert.equal((await store.issue(newVerification(to))).kind, 'issued');
      assert.equal((await store.issue(newVerification(to))).kind, 'limited');
      assert.equal((await store.issue(unqueued(to))).kind, 'limited');
    });

    test('takes no place in a limit of requests, which is one of keys', async (t) => {
      const limits = withLimits({ requestsPerKey: [{ max: 1, windowMs: MINUTE }] });
      const { store: limited } = await openFor(t, open, limits);
      const asked = [1, 2, 3].map(() => unqueued());
      const outcomes = await Promise.all(asked.map((v) => limited.issue(v)));
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['issued', 'issued', 'issued'],
      );
      const key = { keyId: unique('key') };
      assert.equal((await limited.issue(newVerification(key))).kind, 'issued');
      assert.equal((await limited.issue(newVerification(key))).kind, 'limited');
    });
  });

  suite('a message in no queue and budgets', () => {
    const rig = createBudgetRig(open);

    test('what it did not cost is given back, and what nobody knows stays taken', async () => {
      const day = rig.budget({ money: 10 * WORST });
      const issue = async () => {
        const v = { ...rig.asking([day]), keyId: NO_KEY, guesses: 0, brought: true, leaseUntil: null };
        assert.equal((await rig.store.issue(v)).kind, 'issued');
        return v;
      };
      const [taken, refused] = [await issue(), await issue()];
      await issue();
      await rig.settle(taken, SUBMITTED, { charged: ['smsc'] });
      await rig.settle(refused, { kind: 'failed' });
      assert.deepEqual(await rig.used(day), [50_000 + WORST, 2]);
    });
  });
}
