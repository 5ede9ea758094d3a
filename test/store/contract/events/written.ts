/** Events are written with what happens, for the endpoints that want to hear of it and for no others. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Store } from '../../../../src/store/port.ts';
import {
  DELIVERED,
  FAILOVER,
  guessAt,
  issueOne,
  LAX,
  newVerification,
  type OpenedStore,
  type OpenStore,
  receipt,
  SECOND,
  settlement,
  tally,
  unique,
} from '../rig.ts';
import { dueOf, newAccount, newEndpoint, toldTo } from './rig.ts';

export function describeWrittenEvents(open: OpenStore): void {
  suite('events', () => {
    let opened: OpenedStore;
    let store: Store;
    const now = Date.now();

    before(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    after(() => opened.dispose());

    test('tell of a verification what happened to it, in order', async () => {
      const accountId = await newAccount(store);
      const hook = await newEndpoint(store, accountId);
      const v = await issueOne(store, { accountId, createdAt: now, detailsSealed: 'the details' });
      const reference = unique('ref');
      await store.settle(settlement(v, FAILOVER, [{ reference }]));
      await store.receive(receipt(now + 2 * SECOND, { references: [reference] }));
      await store.confirm(guessAt(v, 'wrong', now + 3 * SECOND));
      await store.confirm(guessAt(v, 'right', now + 4 * SECOND));
      const found = await dueOf(store, hook);
      assert.deepEqual(
        found.map(({ seq: _, id: __, channel: ___, ...message }) => message),
        [
          { type: 'verification.requested', at: now, carrier: null },
          { type: 'delivery.accepted', at: now + SECOND + 20, carrier: 'smsc' },
          { type: 'delivery.delivered', at: now + 2 * SECOND, carrier: 'smsc' },
          { type: 'verification.confirmed', at: now + 4 * SECOND, carrier: 'smsc' },
        ].map((each) => ({ ...each, verificationId: v.id, reason: null, tries: 0, isErased: false })),
      );
      assert.deepEqual(await store.eventSubject(v.id, now), {
        ...{ channel: 'sms', country: 'DE', test: false, detailsSealed: 'the details' },
        destinationSealed: v.destinationSealed,
      });
      assert.deepEqual(
        [...found].sort((a, b) => a.seq - b.seq),
        found,
      );
      assert.equal(new Set(found.map(({ id }) => id)).size, 4);
      for (const { id } of found) assert.match(id, new RegExp(`^msg_${v.id.slice(4, 16)}[0-9a-f]{20}$`));
    });

    test('are told again under the same id when a restore has them happen again', async () => {
      const accountId = await newAccount(store);
      const [hook, other] = [await newEndpoint(store, accountId), await newEndpoint(store, accountId)];
      const v = await issueOne(store, { accountId, createdAt: now });
      const idsOf = async (endpoint: string) =>
        (await dueOf(store, endpoint)).map(({ type, id }) => `${type} ${id}`).slice(-1);
      await store.confirm(guessAt(v, 'right', now + SECOND));
      const first = await idsOf(hook);
      // As it was before: the store has forgotten the confirmation, and that it was told.
      await store.transact(
        [
          {
            sql: 'UPDATE verification SET confirmed_at = NULL WHERE confirmed_at = $1',
            args: [now + SECOND],
          },
          { sql: "DELETE FROM webhook_message WHERE type = 'verification.confirmed'", args: [] },
        ],
        true,
      );
      await store.confirm(guessAt(v, 'right', now + 90 * SECOND));
      assert.match(first[0] ?? '', /^verification.confirmed msg_/);
      assert.deepEqual(await idsOf(hook), first);
      assert.notDeepEqual(await idsOf(other), first, 'each endpoint has ids of its own');
    });

    for (const isReceiptFirst of [true, false]) {
      const when = isReceiptFirst ? 'before' : 'after';
      test(`of one carrier that took a message twice are two, reported ${when} the second is settled`, async () => {
        const accountId = await newAccount(store);
        const hook = await newEndpoint(store, accountId, ['delivery.accepted', 'delivery.delivered']);
        const v = await issueOne(store, { accountId, createdAt: now, leaseUntil: now });
        const [again] = (await store.claim(now, now + SECOND, 1_000)).filter(({ id }) => id === v.id);
        const [first, second] = [unique('ref'), unique('ref')];
        const report = (reference: string) => store.receive(receipt(now + 9, { references: [reference] }));
        await store.settle(settlement(v, FAILOVER, [{ reference: second }], again?.fence));
        if (isReceiptFirst) await report(second);
        // Whose lease was lost settles late.
        await store.settle(settlement(v, FAILOVER, [{ reference: first }]));
        await report(first);
        if (!isReceiptFirst) await report(second);
        const told = await toldTo(store, hook);
        assert.deepEqual(told.sort(), [
          ...Array(2).fill(`delivery.accepted ${v.id}`),
          ...Array(2).fill(`delivery.delivered ${v.id}`),
        ]);
      });
    }

    test('tell of the guess that was the last, once', async () => {
      const accountId = await newAccount(store);
      const hook = await newEndpoint(store, accountId, ['verification.exhausted']);
      const v = await issueOne(store, { accountId, createdAt: now, guesses: 2 });
      const tests = await issueOne(store, { accountId, createdAt: now, guesses: 1, test: true });
      await store.confirm(guessAt(v, 'wrong'));
      assert.deepEqual(await toldTo(store, hook), []);
      await store.confirm(guessAt(v, 'wrong'));
      await store.confirm(guessAt(v, 'wrong'));
      await store.confirm(guessAt(v, 'right'));
      await store.confirm(guessAt(tests, 'wrong'));
      const told = [v, tests].map(({ id }) => `verification.exhausted ${id}`);
      assert.deepEqual(await toldTo(store, hook), told);
    });

    test('tell of a message whose code expired before its next round, and blame no carrier', async () => {
      const accountId = await newAccount(store);
      const hook = await newEndpoint(store, accountId, ['delivery.failed']);
      const v = await issueOne(store, { accountId, createdAt: now });
      const busy = [{ outcome: 'temporary', reason: 'busy' }] as const;
      await store.settle(settlement(v, { kind: 'retry', dueAt: v.expiresAt - 1 }, busy));
      await store.claim(v.expiresAt, v.expiresAt, 1);
      const told = (await dueOf(store, hook)).map(({ type, carrier, channel, reason }) => {
        return { type, carrier, channel, reason };
      });
      assert.deepEqual(told, [
        { type: 'delivery.failed', carrier: null, channel: 'sms', reason: 'the code expired' },
      ]);
    });

    test('tell why a message failed', async () => {
      const accountId = await newAccount(store);
      const hook = await newEndpoint(store, accountId, ['delivery.undelivered', 'delivery.failed']);
      const [refused, reported, never, direct] = await Promise.all([
        issueOne(store, { accountId, createdAt: now }),
        issueOne(store, { accountId, createdAt: now }),
        issueOne(store, {
          accountId,
          createdAt: now - 3_600_000,
          expiresAt: now - 3_000_000,
          leaseUntil: now,
        }),
        issueOne(store, { accountId, createdAt: now }),
      ]);
      const reference = unique('ref');
      await store.settle(
        settlement(refused, { kind: 'failed' }, [{ outcome: 'permanent', reason: 'barred' }]),
      );
      await store.settle(settlement(reported, FAILOVER, [{ reference }]));
      await store.settle(settlement(direct, DELIVERED, [{ outcome: 'delivered' }]));
      const reason = 'absent subscriber';
      await store.receive(receipt(now + 9, { references: [reference], status: 'undelivered', reason }));
      for (let i = 0; i < 5; i++) await store.claim(now, now, 1);
      const facts = (await dueOf(store, hook)).map(({ type, verificationId, carrier, reason }) => {
        return { type, id: verificationId, carrier, reason };
      });
      assert.deepEqual(facts, [
        { type: 'delivery.failed', id: refused.id, carrier: 'smsc', reason: 'barred' },
        { type: 'delivery.undelivered', id: reported.id, carrier: 'smsc', reason },
        { type: 'delivery.failed', id: never.id, carrier: null, reason: 'the code expired' },
      ]);
      // Reported undelivered, it goes on, and fails at two more carriers.
      const [last] = (await store.claim(now + 10, now + SECOND, 1_000)).filter(
        ({ id }) => id === reported.id,
      );
      const tried = ['first', 'second'].map(
        (carrier) => ({ ...{ carrier, reason: carrier }, outcome: 'permanent' }) as const,
      );
      await store.settle(settlement(reported, { kind: 'failed' }, tried, last?.fence));
      const [, , , failed] = await dueOf(store, hook);
      assert.deepEqual(
        [failed?.type, failed?.verificationId, failed?.carrier, failed?.reason],
        ['delivery.failed', reported.id, 'second', 'second'],
      );
    });

    test('are of the account, of the wanted types, and for endpoints in use', async () => {
      const [accountId, other] = [await newAccount(store), await newAccount(store)];
      const all = await newEndpoint(store, accountId);
      const some = await newEndpoint(store, accountId, ['verification.confirmed', 'delivery.failed']);
      const off = await newEndpoint(store, accountId);
      const foreign = await newEndpoint(store, other);
      const disable = 'UPDATE webhook SET disabled_at = 1 WHERE id = $1';
      await store.transact([{ sql: disable, args: [off] }], true);
      const v = await issueOne(store, { accountId, createdAt: now });
      await store.confirm(guessAt(v, 'right'));
      const told = ['verification.requested', 'verification.confirmed'].map((type) => `${type} ${v.id}`);
      assert.deepEqual(await toldTo(store, all), told);
      assert.deepEqual(await toldTo(store, some), told.slice(1));
      assert.deepEqual(await toldTo(store, off), []);
      assert.deepEqual(await toldTo(store, foreign), []);
    });

    test('tell nothing of what changed nothing', async () => {
      const accountId = await newAccount(store);
      const hook = await newEndpoint(store, accountId);
      const idempotency = { keyHash: unique('key'), bodyHash: 'body' };
      const v = newVerification({ accountId, createdAt: now, idempotency });
      const outcomes = [
        await store.issue(v),
        await store.issue({ ...newVerification({ accountId, createdAt: now, idempotency }) }),
      ];
      assert.deepEqual(tally(outcomes), { issued: 1, replayed: 1 });
      const reference = unique('ref');
      await store.settle(settlement(v, FAILOVER, [{ reference }]));
      for (const status of ['delivered', 'undelivered'] as const) {
        await store.receive(receipt(now + 5 * SECOND, { references: [reference], status }));
      }
      await store.confirm({ ...guessAt(v, 'right'), accountId: unique('acc') });
      const told = ['verification.requested', 'delivery.accepted', 'delivery.delivered'];
      assert.deepEqual(
        await toldTo(store, hook),
        told.map((type) => `${type} ${v.id}`),
      );
    });

    test('tell of one confirmation, however many guess at once', async () => {
      const accountId = await newAccount(store);
      const hook = await newEndpoint(store, accountId, ['verification.confirmed']);
      const v = await issueOne(store, { accountId, createdAt: now });
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, () => store.confirm(guessAt(v, 'right'))),
      );
      assert.deepEqual(tally(outcomes), { confirmed: 1, 'already-confirmed': 199 });
      assert.deepEqual(await toldTo(store, hook), [`verification.confirmed ${v.id}`]);
    });

    test('of many verifications at once are all there', async () => {
      const accountId = await newAccount(store);
      const hooks = [await newEndpoint(store, accountId), await newEndpoint(store, accountId)];
      const made = await Promise.all(
        Array.from({ length: 300 }, () => issueOne(store, { accountId, createdAt: now })),
      );
      await Promise.all(made.map((v) => store.confirm(guessAt(v, 'right'))));
      const expected = made.flatMap(({ id }) => [
        `verification.confirmed ${id}`,
        `verification.requested ${id}`,
      ]);
      for (const hook of hooks) {
        assert.deepEqual((await toldTo(store, hook)).sort(), expected.sort());
      }
    });

    test('are written for an endpoint that another process adds', async (t) => {
      const second = await opened.second?.();
      if (second === undefined) return t.skip('this store has one connection');
      const accountId = await newAccount(store);
      await store.keysRevision();
      await issueOne(store, { accountId, createdAt: now });
      const hook = await newEndpoint(second, accountId, ['verification.requested']);
      // As the service asks several times a second.
      await store.keysRevision();
      const v = await issueOne(store, { accountId, createdAt: now });
      assert.deepEqual(await toldTo(store, hook), [`verification.requested ${v.id}`]);
    });
  });
}
