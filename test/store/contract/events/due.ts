/** Which messages are due, what they are about, codes that expire, and how long messages are kept. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  guessAt,
  issueOne,
  LAX,
  MINUTE,
  type OpenedStore,
  type OpenStore,
  openFor,
  SECOND,
} from '../rig.ts';
import { dueOf, newAccount, newEndpoint, toldTo } from './rig.ts';

export function describeDueEvents(open: OpenStore): void {
  suite('due events', () => {
    let opened: OpenedStore;
    let store: Store;
    const now = Date.now();

    before(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    after(() => opened.dispose());

    const postpone = (seq: number, dueAt: number | null) =>
      store.transact([
        { sql: 'UPDATE webhook_message SET due_at = $2, tries = 1 WHERE seq = $1', args: [seq, dueAt] },
      ]);

    test('come in their order, without those that are held, new ones before repeated ones', async () => {
      const accountId = await newAccount(store);
      const webhookId = await newEndpoint(store, accountId, ['verification.requested']);
      for (let i = 0; i < 12; i++) await issueOne(store, { accountId, createdAt: now });
      const all = await dueOf(store, webhookId);
      assert.equal(all.length, 12);
      const seqs = all.map(({ seq }) => seq);
      const [first = 0, second = 0, third = 0, fourth = 0, ...rest] = seqs;
      await postpone(first, now + MINUTE);
      await postpone(second, now - SECOND);
      await postpone(third, now);
      await postpone(fourth, null);
      const ask = async (held: readonly number[], limit: number) =>
        (await store.dueMessages({ webhookId, now, held, limit })).map(({ seq }) => seq);
      assert.deepEqual(await ask([], 100), [...rest, second, third]);
      assert.deepEqual(await ask([], 4), [...rest.slice(0, 4), second]);
      assert.deepEqual(await ask([...rest.slice(0, 2), second], 4), [...rest.slice(2, 6), third]);
      assert.equal((await dueOf(store, webhookId, now + MINUTE)).length, 11);
    });

    test('say so once the verification is erased, and nothing can be read of it', async () => {
      const accountId = await newAccount(store);
      const hook = await newEndpoint(store, accountId, ['verification.requested']);
      const { id, destinationHash } = await issueOne(store, { accountId, createdAt: now });
      const erase = { ids: [id], destinationHashes: [destinationHash], receiptIds: [], now };
      await store.transact([{ erase }]);
      const found = await dueOf(store, hook);
      assert.deepEqual(
        found.map(({ verificationId, isErased }) => ({ verificationId, isErased })),
        [{ verificationId: id, isErased: true }],
      );
      assert.equal(await store.eventSubject(id, now), null);
    });

    test('tell of codes that expire unconfirmed, once, and of no others', async () => {
      const accountId = await newAccount(store);
      const hook = await newEndpoint(store, accountId, ['verification.expired']);
      const issue = (guesses = 5) => issueOne(store, { accountId, createdAt: now, guesses });
      const [unused, tried, confirmed, exhausted] = [
        await issue(),
        await issue(),
        await issue(),
        await issue(1),
      ];
      const later = await issueOne(store, { accountId, createdAt: now + MINUTE });
      const cancelled = await issue();
      await store.confirm(guessAt(tried, 'wrong'));
      await store.confirm(guessAt(confirmed, 'right'));
      await store.confirm(guessAt(exhausted, 'wrong'));
      assert.ok(await store.cancel({ id: cancelled.id, accountId, test: false, now: now + SECOND }));
      const { expiresAt } = unused;
      await store.tellExpired(expiresAt - 1, 100);
      assert.deepEqual(await toldTo(store, hook), []);
      await Promise.all(Array.from({ length: 20 }, () => store.tellExpired(expiresAt, 2)));
      const found = await dueOf(store, hook);
      const told = found.map(({ verificationId, at }) => `${verificationId} ${at}`).sort();
      const expected = [
        `${unused.id} ${expiresAt}`,
        `${tried.id} ${expiresAt}`,
        `${cancelled.id} ${now + SECOND}`,
      ];
      assert.deepEqual(told, expected.sort());
      await store.tellExpired(later.expiresAt, 100);
      assert.equal((await dueOf(store, hook)).length, 4);
      assert.equal(await store.tellExpired(later.expiresAt, 100), 0);
    });

    test('nothing is noted of codes whose end nobody wants to hear of', async () => {
      const accountId = await newAccount(store);
      await newEndpoint(store, accountId, ['verification.requested']);
      await issueOne(store, { accountId, createdAt: now - DAY });
      assert.equal(await store.tellExpired(now - DAY / 2, 100), 0);
    });

    test('messages are kept as long as configured, and no longer than verifications', async (t) => {
      const retention = { ...LAX.retention, events: 5 * DAY };
      const { store } = await openFor(t, open, { ...LAX, retention });
      const accountId = await newAccount(store);
      const hook = await newEndpoint(store, accountId, ['verification.requested', 'verification.expired']);
      await issueOne(store, { accountId, createdAt: now - DAY });
      const kept = await issueOne(store, { accountId, createdAt: now });
      const purge = async (at: number) => {
        while (await store.purge(at));
      };
      await purge(now + 4 * DAY - 1);
      assert.equal((await dueOf(store, hook)).length, 2);
      await purge(now + 4 * DAY);
      assert.deepEqual(await toldTo(store, hook), [`verification.requested ${kept.id}`]);
      // The notes of codes that nobody asked about any more.
      assert.equal(await store.tellExpired(now + 10 * DAY, 100), 0);
    });
  });
}
