/** The durable queue: who may claim a delivery, and when. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import type { Store } from '../../../../src/store/port.ts';
import {
  DELIVERED,
  guessAt,
  issueOne,
  LAX,
  LEASE,
  MINUTE,
  type OpenedStore,
  type OpenStore,
  SECOND,
  settlement,
  VALID_FOR,
} from '../rig.ts';

export function describeQueue(open: OpenStore): void {
  suite('queue', () => {
    let opened: OpenedStore;
    let store: Store;

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    const claimIds = async (now: number, limit = 100, leaseUntil = now + LEASE) =>
      (await store.claim(now, leaseUntil, limit)).map(({ id }) => id);

    test('a fresh delivery belongs to the node that wrote it until its lease ends', async () => {
      const v = await issueOne(store, { channel: 'voice', test: true });
      assert.deepEqual(await store.claim(v.leaseUntil - 1, v.leaseUntil + LEASE, 10), []);
      const [delivery, ...others] = await store.claim(v.leaseUntil, v.leaseUntil + LEASE, 10);
      assert.deepEqual(others, []);
      assert.ok(delivery);
      const { fence, ...rest } = delivery;
      assert.ok(fence > 0, 'the writer holds fence 0');
      assert.deepEqual(rest, {
        id: v.id,
        accountId: v.accountId,
        test: true,
        channel: 'voice',
        country: 'DE',
        destinationSealed: v.destinationSealed,
        codeSealed: v.codeSealed,
        detailsSealed: null,
        createdAt: v.createdAt,
        expiresAt: v.expiresAt,
        settings: null,
        rounds: 0,
        leg: 0,
        spentCarriers: [],
        awaited: [],
        keyId: v.keyId,
        reservation: null,
      });
    });

    test('a leased delivery is claimed again only after its lease, under a higher fence', async () => {
      const { leaseUntil: now } = await issueOne(store);
      const [first] = await store.claim(now, now + LEASE, 10);
      assert.deepEqual(await store.claim(now + LEASE - 1, now + 2 * LEASE, 10), []);
      const [second] = await store.claim(now + LEASE, now + 2 * LEASE, 10);
      assert.ok(first && second && second.fence > first.fence);
      assert.equal(second.rounds, 0, 'a lease that ran out is no failed round');
    });

    test('no more are leased than requested, those that have been due longest first', async () => {
      const now = Date.now() + MINUTE;
      const due = [30, 10, 50, 20, 40];
      const ids = new Map<number, string>();
      for (const ago of due) ids.set(ago, (await issueOne(store, { leaseUntil: now - ago })).id);
      const claimed = async () => new Set(await claimIds(now, 2));
      const expected = (...agos: number[]) => new Set(agos.map((ago) => ids.get(ago)));
      assert.deepEqual(await claimed(), expected(50, 40));
      assert.deepEqual(await claimed(), expected(30, 20));
      assert.deepEqual(await claimed(), expected(10));
      assert.deepEqual(await claimed(), expected());
    });

    test('what is leased at once comes in the order in which it was made', async () => {
      const now = Date.now() + MINUTE;
      const ids: string[] = [];
      for (const [i, ago] of [10, 40, 20, 50, 30].entries()) {
        ids.push((await issueOne(store, { createdAt: now - MINUTE + i, leaseUntil: now - ago })).id);
      }
      assert.deepEqual(await claimIds(now), ids);
    });

    test('an expired delivery is dropped instead of leased', async () => {
      const expired = await issueOne(store);
      const alive = await issueOne(store, { expiresAt: expired.expiresAt + 2 });
      assert.equal(await store.depth(), 2);
      const claimed = await claimIds(expired.expiresAt, 10, expired.expiresAt);
      assert.deepEqual(claimed, [alive.id]);
      assert.equal(await store.depth(), 1);
    });

    test('an expired one that is leased is dropped once the lease is over', async () => {
      const v = await issueOne(store);
      await claimIds(v.leaseUntil, 10, v.expiresAt + MINUTE);
      assert.deepEqual(await claimIds(v.expiresAt + MINUTE), []);
      assert.equal(await store.depth(), 0);
    });

    test('many expired ones do not keep the others waiting', async () => {
      const now = Date.now();
      const crowd = Array.from({ length: 1_200 }, () =>
        issueOne(store, { createdAt: now - VALID_FOR, leaseUntil: now - VALID_FOR + LEASE }),
      );
      await Promise.all(crowd);
      const alive = await issueOne(store, { createdAt: now - LEASE });
      assert.deepEqual(await claimIds(now), [alive.id]);
      assert.ok((await store.depth()) <= 701, 'and go many at a time');
    });

    test('a renewed lease is prolonged', async () => {
      const v = await issueOne(store);
      const held = [{ id: v.id, fence: 0 }];
      assert.deepEqual(await store.renew(held, v.leaseUntil + LEASE), new Set([v.id]));
      assert.deepEqual(await claimIds(v.leaseUntil + LEASE - 1), []);
      assert.deepEqual(await claimIds(v.leaseUntil + LEASE), [v.id]);
    });

    test('no lease outlasts its code: claimed or renewed, it ends in time for the code to be erased', async () => {
      const v = await issueOne(store);
      const past = v.expiresAt + MINUTE;
      assert.deepEqual(await store.renew([{ id: v.id, fence: 0 }], past), new Set([v.id]));
      assert.equal(await store.depth(), 1);
      const claimed = await issueOne(store, { expiresAt: v.expiresAt });
      assert.deepEqual(await claimIds(claimed.leaseUntil, 10, past), [claimed.id]);
      assert.deepEqual(await claimIds(v.expiresAt - 1, 10, past), [], 'whoever holds them may be sending');
      assert.equal(await store.depth(), 2);
      assert.deepEqual(await claimIds(v.expiresAt), []);
      assert.equal(await store.depth(), 0, 'both leases have ended');
      assert.deepEqual(
        await store.renew([{ id: v.id, fence: 0 }], past),
        new Set(),
        'nothing is left to send',
      );
    });

    test('what was taken over, confirmed, settled or never there is not renewed, and not reported as held', async () => {
      const [taken, confirmed, settled, held] = await Promise.all([1, 2, 3, 4].map(() => issueOne(store)));
      assert.ok(taken && confirmed && settled && held);
      await store.confirm(guessAt(confirmed, 'right'));
      await store.settle(settlement(settled, DELIVERED));
      const now = taken.leaseUntil + SECOND;
      const [claimed] = await store.claim(now, now + LEASE, 1);
      const all = [taken, confirmed, settled, held].map(({ id }) => ({ id, fence: 0 }));
      const asked = [...all, { id: 'ver_never', fence: 0 }];
      const kept = [taken, held].filter(({ id }) => id !== claimed?.id).map(({ id }) => id);
      assert.deepEqual(await store.renew(asked, now + MINUTE), new Set(kept));
      assert.ok(claimed);
      assert.deepEqual(await claimIds(now + LEASE), [claimed.id], 'the taker keeps its own lease');
    });

    test('each lease is renewed by its own fence', async () => {
      const again = await issueOne(store);
      const now = again.leaseUntil;
      assert.deepEqual(await claimIds(now), [again.id]);
      const first = await issueOne(store, { createdAt: now });
      const leases = (ofAgain: number, ofFirst: number) => [
        { id: again.id, fence: ofAgain },
        { id: first.id, fence: ofFirst },
      ];
      assert.deepEqual(await store.renew(leases(1, 0), now + LEASE), new Set([again.id, first.id]));
      assert.deepEqual(await store.renew(leases(0, 1), now + LEASE), new Set());
    });

    test('an empty list of renewals is allowed', async () => {
      assert.deepEqual(await store.renew([], Date.now()), new Set());
    });

    test('a confirmed code is no longer sent', async () => {
      const v = await issueOne(store);
      await store.confirm(guessAt(v, 'right'));
      assert.equal(await store.depth(), 0);
      assert.deepEqual(await claimIds(v.leaseUntil), []);
    });

    test('a wrong code does not change the delivery', async () => {
      const v = await issueOne(store);
      await store.confirm(guessAt(v, 'wrong'));
      assert.deepEqual(await claimIds(v.leaseUntil), [v.id]);
    });

    test('depth counts the waiting and the leased', async () => {
      assert.equal(await store.depth(), 0);
      const v = await issueOne(store);
      await issueOne(store);
      assert.equal(await store.depth(), 2);
      await claimIds(v.leaseUntil, 1);
      assert.equal(await store.depth(), 2);
      await store.settle(settlement(await issueOne(store), { kind: 'retry', dueAt: v.leaseUntil + MINUTE }));
      assert.equal(await store.depth(), 3);
    });

    test('depth also counts what is leased past the end of its code', async () => {
      const v = await issueOne(store, { leaseUntil: Date.now() + VALID_FOR + LEASE });
      assert.equal(await store.depth(), 1);
      await store.settle(settlement(v, DELIVERED));
      assert.equal(await store.depth(), 0);
    });

    test('the queue survives a restart', async () => {
      const v = await issueOne(store);
      store = await opened.reopen();
      assert.equal(await store.depth(), 1);
      const [delivery] = await store.claim(v.leaseUntil, v.leaseUntil + LEASE, 10);
      assert.equal(delivery?.codeSealed, v.codeSealed);
    });
  });
}
