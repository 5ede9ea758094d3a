/** Results of verifications are counted in the same transaction: all of them, and none twice. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { LATENCY_BOUNDS } from '../../../../src/core/counting/tally.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DELIVERED,
  FAILOVER,
  guessAt,
  issueOne,
  LAX,
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
  unique,
  withLimits,
} from '../rig.ts';
import { binsOf, countsByCarrier, countsIn, countsOf, EVER } from './counting.ts';

export function describeTallies(open: OpenStore): void {
  suite('tallies', () => {
    let opened: OpenedStore;
    let store: Store;

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    test('an empty store has no counts', async () => {
      assert.deepEqual(await store.tally(EVER), []);
      assert.deepEqual(await store.tally({ ...EVER, by: ['carrier'] }), []);
      assert.deepEqual(await store.latencies(EVER), []);
    });

    test('a message that arrived, and what it cost, belong to its carrier', async () => {
      const v = await issueOne(store);
      await store.settle(settlement(v, FAILOVER, [{ reference: 'r1', choice: '1st of 2', cost: 7_500 }]));
      await store.receive(receipt(v.createdAt + 4 * SECOND, { references: ['r1'] }));
      await store.confirm(guessAt(v, 'right', v.createdAt + 20 * SECOND));
      assert.deepEqual(await countsByCarrier(store), {
        '-': { requested: 1 },
        smsc: { submitted: 1, delivered: 1, confirmed: 1, cost: 7_500 },
      });
      assert.deepEqual(await binsOf(store), {
        submitted: { 5: 1 },
        delivered: { 6: 1 },
        confirmed: { 8: 1 },
      });
    });

    test('counts are grouped and filtered as requested', async () => {
      const at = Date.UTC(2026, 10, 3, 12);
      const [accountId, keyId] = [unique('acc'), unique('key')];
      await issueOne(store, { accountId, keyId, createdAt: at });
      await issueOne(store, { accountId, keyId, createdAt: at + 9_999, country: 'AT' });
      await issueOne(store, { accountId, createdAt: at + 10_000, channel: 'voice' });
      await issueOne(store, { createdAt: at + MINUTE, test: true });

      const grouped = await store.tally({ ...EVER, by: ['time', 'channel', 'country', 'key'], step: 10_000 });
      assert.deepEqual(
        grouped.map(({ time, channel, country, carrier, requested }) => ({
          time: Number(time) - at,
          channel,
          country,
          carrier,
          requested,
        })),
        [
          { time: 0, channel: 'sms', country: 'AT', carrier: null, requested: 1 },
          { time: 0, channel: 'sms', country: 'DE', carrier: null, requested: 1 },
          { time: 10_000, channel: 'voice', country: 'DE', carrier: null, requested: 1 },
          { time: MINUTE, channel: 'sms', country: 'DE', carrier: null, requested: 1 },
        ],
      );
      assert.equal(grouped[0]?.keyId, keyId);
      const requested = async (query: object) => (await countsOf(store, query)).requested;
      assert.equal(await requested({ accountId }), 3);
      assert.equal(await requested({ accountId, keyId }), 2);
      assert.equal(await requested({ keyId, country: 'AT' }), 1);
      assert.equal(await requested({ channel: 'voice' }), 1);
      assert.equal(await requested({ test: true }), 1);
      assert.equal(await requested({ test: false }), 3);
      assert.equal(await requested({ carrier: 'smsc' }), undefined);
      assert.equal(await requested({ from: at, to: at + 10_000 }), 2);
      assert.equal(await requested({ from: at + 10_000, to: at + MINUTE + 1 }), 2);
      const days = await store.tally({ ...EVER, by: ['time'], step: 24 * 60 * MINUTE });
      assert.deepEqual(
        days.map(({ time, requested }) => [time, requested]),
        [[Date.UTC(2026, 10, 3), 4]],
      );
    });

    test('a failover counts for each carrier, and the confirmation for the one that delivered', async () => {
      const v = await issueOne(store);
      await store.settle(settlement(v, FAILOVER, [{ carrier: 'a', reference: 'ra' }]));
      const at = v.createdAt + 5 * SECOND;
      await store.receive(receipt(at, { carrier: 'a', references: ['ra'], status: 'undelivered' }));
      const [delivery] = await store.claim(at, at + LEASE, 10);
      const again = [{ carrier: 'b', reference: 'rb' }];
      await store.settle(settlement(v, FAILOVER, again, delivery?.fence));
      await store.receive(receipt(at, { carrier: 'b', references: ['rb'] }));
      await store.confirm(guessAt(v, 'right', at + SECOND));
      assert.deepEqual(await countsByCarrier(store), {
        '-': { requested: 1 },
        a: { submitted: 1, undelivered: 1 },
        b: { submitted: 1, delivered: 1, confirmed: 1 },
      });
    });

    test('a confirmation before any carrier is known belongs to none', async () => {
      const v = await issueOne(store);
      await store.confirm(guessAt(v, 'right'));
      await store.settle(settlement(v, SUBMITTED, [{}]));
      assert.deepEqual(await countsByCarrier(store), {
        '-': { requested: 1, confirmed: 1 },
        smsc: { submitted: 1 },
      });
    });

    test('a message that a carrier delivered at once counts as delivered', async () => {
      const v = await issueOne(store);
      await store.settle(settlement(v, DELIVERED, [{ outcome: 'delivered' }]));
      assert.deepEqual(await countsOf(store), { requested: 1, submitted: 1, delivered: 1 });
      assert.deepEqual(await binsOf(store), { submitted: { 5: 1 }, delivered: { 5: 1 } });
    });

    test('a carrier that took a message twice counts once, and is paid twice', async () => {
      const v = await issueOne(store);
      await store.claim(v.leaseUntil, v.leaseUntil + LEASE, 10);
      await store.settle(settlement(v, FAILOVER, [{ reference: 'r1', cost: 10 }]));
      await store.settle(settlement(v, FAILOVER, [{ reference: 'r2', cost: 20 }], 1));
      for (const reference of ['r1', 'r2', 'r2']) {
        await store.receive(receipt(v.leaseUntil + SECOND, { references: [reference] }));
      }
      assert.deepEqual(await countsOf(store), { requested: 1, submitted: 1, delivered: 1, cost: 30 });
      assert.deepEqual(await binsOf(store), { submitted: { 5: 1 }, delivered: { 8: 1 } });
    });

    test('a carrier that took a message twice and reports both undelivered counts once', async () => {
      const v = await issueOne(store);
      await store.claim(v.leaseUntil, v.leaseUntil + LEASE, 10);
      await store.settle(settlement(v, SUBMITTED, [{ reference: 'r1' }]));
      await store.settle(settlement(v, SUBMITTED, [{ reference: 'r2' }], 1));
      for (const reference of ['r1', 'r2']) {
        const undelivered = { references: [reference], status: 'undelivered' } as const;
        await store.receive(receipt(v.leaseUntil + SECOND, undelivered));
      }
      assert.deepEqual(await countsOf(store), { requested: 1, submitted: 1, undelivered: 1 });
    });

    test('a carrier that delivered a message at once, after it took it, counts once', async () => {
      const v = await issueOne(store);
      await store.claim(v.leaseUntil, v.leaseUntil + LEASE, 10);
      await store.settle(settlement(v, FAILOVER, [{ reference: 'r1' }]));
      await store.settle(settlement(v, DELIVERED, [{ outcome: 'delivered' }], 1));
      await store.receive(receipt(v.leaseUntil + SECOND, { references: ['r1'] }));
      assert.deepEqual(await countsOf(store), { requested: 1, submitted: 1, delivered: 1 });
    });

    test('a message that was delivered at once twice counts once, also when the late settlement comes last', async () => {
      const v = await issueOne(store);
      await store.claim(v.leaseUntil, v.leaseUntil + LEASE, 10);
      for (const fence of [1, 0])
        await store.settle(settlement(v, DELIVERED, [{ outcome: 'delivered' }], fence));
      assert.deepEqual(await countsOf(store), { requested: 1, submitted: 1, delivered: 1 });
    });

    test('a delivery that one carrier reported undelivered and no other took counts as undelivered, not as failed', async () => {
      const v = await issueOne(store);
      await store.settle(settlement(v, FAILOVER, [{ reference: 'r1' }]));
      const at = v.createdAt + 4 * SECOND;
      await store.receive(receipt(at, { references: ['r1'], status: 'undelivered' }));
      await store.claim(at, at + LEASE, 10);
      await store.settle(settlement(v, { kind: 'failed' }, [], 1));
      const { failed, undelivered } = await countsOf(store);
      assert.deepEqual([failed, undelivered], [undefined, 1]);
    });

    test('a repeated settlement counts nothing more', async () => {
      const v = await issueOne(store);
      for (let i = 0; i < 3; i++) await store.settle(settlement(v, FAILOVER, [{ reference: 'r1' }]));
      assert.deepEqual(await countsOf(store), { requested: 1, submitted: 1 });
    });

    test('a settlement of an unknown verification counts nothing', async () => {
      await store.settle(settlement(newVerification(), SUBMITTED, [{ cost: 5 }]));
      assert.deepEqual(await countsOf(store), {});
    });

    test('every failed attempt is counted as failed for its carrier', async () => {
      const v = await issueOne(store);
      const dueAt = v.createdAt + SECOND;
      const attempts = [{ outcome: 'temporary' }, { outcome: 'permanent', carrier: 'b' }] as const;
      await store.settle(settlement(v, { kind: 'retry', dueAt }, attempts));
      const [delivery] = await store.claim(dueAt, dueAt + LEASE, 10);
      const more = [{ outcome: 'temporary' }, { carrier: 'b', cost: 3 }] as const;
      await store.settle(settlement(v, SUBMITTED, more, delivery?.fence));
      assert.deepEqual(await countsByCarrier(store), {
        '-': { requested: 1 },
        smsc: { failedAttempts: 2 },
        b: { failedAttempts: 1, submitted: 1, cost: 3 },
      });
    });

    test('an early receipt counts once its attempt is known', async () => {
      const v = await issueOne(store);
      await store.receive(receipt(v.createdAt + 2 * SECOND, { references: ['e1'] }));
      assert.deepEqual(await countsOf(store), { requested: 1 });
      await store.settle(settlement(v, FAILOVER, [{ reference: 'e1' }]));
      assert.deepEqual(await countsOf(store), { requested: 1, submitted: 1, delivered: 1 });
    });

    test('a delivery that was given up counts as failed, once', async () => {
      const v = await issueOne(store);
      for (let i = 0; i < 2; i++) {
        await store.settle(settlement(v, { kind: 'failed' }, [{ outcome: 'permanent' }]));
      }
      await store.claim(v.expiresAt, v.expiresAt + LEASE, 10);
      assert.deepEqual((await countsByCarrier(store))['-'], { requested: 1, failed: 1 });
    });

    test('a delivery that would be tried again after its code expired counts as failed once it has', async () => {
      const v = await issueOne(store);
      await store.settle(settlement(v, { kind: 'retry', dueAt: v.expiresAt + LEASE }));
      await store.claim(v.expiresAt, v.expiresAt + LEASE, 10);
      assert.deepEqual(await countsOf(store), { requested: 1, failed: 1 });
    });

    test('a delivery that expired in the queue counts as failed; one that a carrier has, or that was confirmed, does not', async () => {
      const at = Date.now();
      const left = await issueOne(store, { createdAt: at });
      const taken = await issueOne(store, { createdAt: at });
      const confirmed = await issueOne(store, { createdAt: at });
      await store.settle(settlement(taken, FAILOVER, [{ reference: 'r1' }]));
      await store.confirm(guessAt(confirmed, 'right'));
      for (let i = 0; i < 2; i++) await store.claim(left.expiresAt, left.expiresAt + LEASE, 10);
      assert.deepEqual(await countsOf(store), { requested: 3, submitted: 1, failed: 1, confirmed: 1 });
    });

    test('only the holder of the lease can report that a delivery failed', async () => {
      const v = await issueOne(store);
      await store.claim(v.leaseUntil, v.leaseUntil + LEASE, 10);
      await store.settle(settlement(v, { kind: 'failed' }, [], 0));
      assert.deepEqual(await countsOf(store), { requested: 1 });
      await store.settle(settlement(v, { kind: 'failed' }, [], 1));
      assert.deepEqual(await countsOf(store), { requested: 1, failed: 1 });
    });

    test('refusals are counted by their limit', async (t) => {
      const rules = withLimits({
        requestsPerKey: [{ max: 3, windowMs: MINUTE }],
        sendsPerDestination: [{ max: 1, windowMs: MINUTE }],
      });
      const { store } = await openFor(t, open, rules);
      const v = await issueOne(store);
      const { keyId, destinationHash, createdAt } = v;
      const refused = () => store.issue(newVerification({ keyId, destinationHash, createdAt }));
      for (const scope of ['destination', 'destination', 'key', 'key', 'key']) {
        const outcome = await refused();
        assert.equal(outcome.kind === 'limited' && outcome.scope, scope);
      }
      assert.deepEqual(await countsOf(store), { requested: 1, limitedByDestination: 2, limitedByKey: 3 });
    });

    test('a replay counts nothing, whatever its body', async () => {
      const accountId = unique('acc');
      const keyHash = unique('idem');
      await issueOne(store, { accountId, idempotency: { keyHash, bodyHash: 'x' } });
      for (const bodyHash of ['x', 'x', 'y']) {
        await store.issue(newVerification({ accountId, idempotency: { keyHash, bodyHash } }));
      }
      assert.deepEqual(await countsOf(store), { requested: 1 });
    });

    test('wrong codes are counted while they are judged, with the time and key of the request', async () => {
      const v = await issueOne(store, { guesses: 2 });
      const later = v.createdAt + 5 * MINUTE;
      for (let i = 0; i < 4; i++) await store.confirm(guessAt(v, 'wrong', later));
      await store.confirm(guessAt(v, 'wrong', v.expiresAt));
      const { keyId, createdAt } = v;
      const query = { keyId, from: createdAt - (createdAt % 10_000), to: createdAt + 1 };
      assert.deepEqual(await countsOf(store, query), { requested: 1, mismatched: 2 });
    });

    test('a latency belongs to the bin of the first bound that it does not exceed', async () => {
      const latencies = [0, ...LATENCY_BOUNDS.flatMap((bound) => [bound, bound + 1]), 7 * 86_400_000];
      const createdAt = Date.now();
      for (const latency of latencies) {
        const v = await issueOne(store, { createdAt });
        const attempt = { endedAt: createdAt + latency };
        await store.settle(settlement(v, SUBMITTED, [attempt]));
      }
      const [tally] = await store.latencies({ ...EVER, by: ['channel', 'country', 'carrier'] });
      assert.deepEqual(tally, {
        time: null,
        channel: 'sms',
        country: 'DE',
        carrier: 'smsc',
        keyId: null,
        stage: 'submitted',
        bins: LATENCY_BOUNDS.map(() => 2).concat(2),
      });
    });

    test('a call that fails is not counted, and its neighbours are', async () => {
      const v = newVerification();
      const calls = [v, newVerification(), v, newVerification()].map((each) => store.issue(each));
      const settled = await Promise.allSettled(calls);
      assert.equal(settled.filter(({ status }) => status === 'rejected').length, 1);
      assert.deepEqual(await countsOf(store), { requested: 3 });
    });

    test('counts survive a restart', async () => {
      const v = await issueOne(store);
      await store.settle(settlement(v, SUBMITTED, [{}]));
      const again = await opened.reopen();
      assert.deepEqual(await countsOf(again), { requested: 1, submitted: 1 });
      assert.deepEqual(await binsOf(again), { submitted: { 5: 1 } });
    });

    test('queries that cannot be answered are refused', async () => {
      await assert.rejects(store.tally({ ...EVER, by: ['time'] }), /needs the width of its steps/);
      await assert.rejects(store.latencies({ ...EVER, by: ['time'], step: 0.5 }), /in whole ms/);
      await assert.rejects(store.latencies({ ...EVER, by: ['key'] }), /not kept by key/);
      await assert.rejects(store.latencies({ ...EVER, keyId: 'key' }), /not kept by key/);
      assert.deepEqual(await store.tally(EVER), []);
    });

    test('each group has its own counts', async () => {
      for (const country of ['AT', 'DE', 'DE']) await issueOne(store, { country });
      const tallies = await store.tally({ ...EVER, by: ['country'] });
      assert.deepEqual(
        tallies.map((each) => [each.country, countsIn(each)]),
        [
          ['AT', { requested: 1 }],
          ['DE', { requested: 2 }],
        ],
      );
    });
  });
}
