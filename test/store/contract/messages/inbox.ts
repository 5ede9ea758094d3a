/** What the simulator delivered: messages arrive with a settlement, and their account reads them. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  DELIVERED,
  guessAt,
  HOUR,
  issueOne,
  LAX,
  LEASE,
  MINUTE,
  type OpenedStore,
  type OpenStore,
  openFor,
  SECOND,
  seenByPeople,
  settlement,
  unique,
} from '../rig.ts';

const INBOX = { kind: 'delivered', inbox: true } as const;

/** Delivers a message into the inbox, a second and 20 ms after its request. */
async function deliver(store: Store, wanted: Partial<NewVerification>): Promise<string> {
  const v = await issueOne(store, wanted);
  await store.settle(settlement(v, INBOX, [{ outcome: 'delivered' }]));
  return v.id;
}

export function describeInbox(open: OpenStore): void {
  suite('inbox', () => {
    let opened: OpenedStore;
    let store: Store;
    const now = Date.now();

    before(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    after(() => opened.dispose());

    const list = async (accountId: string, hashes: readonly string[] | null = null, limit = 100) =>
      (await store.list(seenByPeople(accountId), hashes, limit, Date.now())).map(({ id }) => id);

    test('a message is kept as it was sealed, and leaves the queue', async () => {
      const depth = await store.depth();
      const v = await issueOne(store, { createdAt: now, channel: 'voice', country: 'JP', test: true });
      await store.settle(settlement(v, INBOX, [{ outcome: 'delivered' }]));
      assert.equal(await store.depth(), depth);
      const { id, accountId, keyId, destinationSealed, codeSealed, createdAt, expiresAt } = v;
      assert.deepEqual(await store.list(seenByPeople(accountId), null, 10, Date.now()), [
        {
          id,
          accountId,
          keyId,
          test: true,
          channel: 'voice',
          country: 'JP',
          destinationSealed,
          codeSealed,
          detailsSealed: null,
          createdAt,
          expiresAt,
          settings: null,
          at: now + SECOND + 20,
        },
      ]);
    });

    test('what other carriers deliver is not kept', async () => {
      const v = await issueOne(store);
      await store.settle(settlement(v, DELIVERED, [{ outcome: 'delivered' }]));
      assert.deepEqual(await list(v.accountId), []);
      assert.deepEqual(await list(v.accountId, [v.destinationHash]), []);
    });

    test('messages are listed newest first, in whatever order they came', async () => {
      const accountId = unique('acc');
      const second = await deliver(store, { accountId, createdAt: now - MINUTE });
      const first = await deliver(store, { accountId, createdAt: now });
      const third = await deliver(store, { accountId, createdAt: now - DAY + HOUR });
      assert.deepEqual(await list(accountId), [first, second, third]);
    });

    test('only the account sees them', async () => {
      const destinationHash = unique('hash');
      const [own, other] = [unique('acc'), unique('acc')];
      const mine = await deliver(store, { accountId: own, destinationHash });
      await deliver(store, { accountId: other, destinationHash });
      assert.deepEqual(await list(own), [mine]);
      assert.deepEqual(await list(own, [destinationHash]), [mine]);
      assert.deepEqual(await list(unique('acc'), [destinationHash]), []);
    });

    test('they can be listed by destination, under any of its hashes', async () => {
      const accountId = unique('acc');
      const [current, previous] = [unique('hash'), unique('hash')];
      const older = await deliver(store, { accountId, destinationHash: previous, createdAt: now - MINUTE });
      const newer = await deliver(store, { accountId, destinationHash: current, createdAt: now });
      await deliver(store, { accountId, createdAt: now });
      assert.deepEqual(await list(accountId, [current, previous]), [newer, older]);
      assert.deepEqual(await list(accountId, [previous]), [older]);
      assert.deepEqual(await list(accountId, []), []);
      assert.deepEqual(await list(accountId, [unique('hash')]), []);
    });

    test('no more are listed than requested, the newest first', async () => {
      const accountId = unique('acc');
      const destinationHash = unique('hash');
      const ids = [];
      for (let i = 0; i < 5; i++) {
        ids.unshift(await deliver(store, { accountId, destinationHash, createdAt: now - 10 + i }));
      }
      assert.deepEqual(await list(accountId, null, 2), ids.slice(0, 2));
      assert.deepEqual(await list(accountId, [destinationHash], 2), ids.slice(0, 2));
    });

    test('messages of one moment to one destination are all kept', async () => {
      const shared = { accountId: unique('acc'), destinationHash: unique('hash'), createdAt: now };
      const ids = [await deliver(store, shared), await deliver(store, shared), await deliver(store, shared)];
      assert.deepEqual((await list(shared.accountId)).sort(), ids.sort());
    });

    test('a message settled twice, or under an old fence, is kept once', async () => {
      const v = await issueOne(store);
      const [delivery] = await store.claim(v.leaseUntil, v.leaseUntil + LEASE, 1_000);
      assert.ok(delivery);
      const delivered = [{ outcome: 'delivered' }] as const;
      await store.settle(settlement(v, INBOX, delivered));
      assert.deepEqual(await list(v.accountId), [], 'another node is at it');
      await store.settle(settlement(v, INBOX, delivered, delivery.fence));
      await store.settle(settlement(v, INBOX, delivered, delivery.fence));
      assert.deepEqual(await list(v.accountId), [v.id]);
    });

    test('a message is still there when its code was confirmed', async () => {
      const v = await issueOne(store);
      await store.settle(settlement(v, INBOX, [{ outcome: 'delivered' }]));
      await store.confirm(guessAt(v, 'right'));
      assert.deepEqual(await list(v.accountId), [v.id]);
    });

    test('messages survive a restart', async (t) => {
      const own = await openFor(t, open);
      const accountId = unique('acc');
      const id = await deliver(own.store, { accountId });
      const entries = await (await own.reopen()).list(seenByPeople(accountId), null, 10, Date.now());
      assert.deepEqual(
        entries.map((entry) => entry.id),
        [id],
      );
    });
  });
}
