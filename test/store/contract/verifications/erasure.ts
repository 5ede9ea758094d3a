/** Verifications that are erased: what goes with them, what stays counted, and what of them may still be under way. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { NextStep } from '../../../../src/core/sending/delivery.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  DELIVERED,
  FAILOVER,
  guessAt,
  issueOne,
  kindsOf,
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
  seenByPeople,
  settlement,
  tally,
  unique,
  withLimits,
} from '../rig.ts';

const INBOX: NextStep = { kind: 'delivered', inbox: true };

export function describeErasure(open: OpenStore): void {
  suite('erasure', () => {
    let opened: OpenedStore;
    let store: Store;
    before(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    after(() => opened.dispose());

    /** How many are erased of these; `at` is when. */
    async function erase(
      erased: readonly NewVerification[],
      { by = store, at = Date.now() }: { readonly by?: Store; readonly at?: number } = {},
    ): Promise<unknown> {
      const ids = erased.map(({ id }) => id);
      const destinationHashes = erased.map(({ destinationHash }) => destinationHash);
      const answer = await by.transact([{ erase: { ids, destinationHashes, receiptIds: [], now: at } }]);
      return answer.done && answer.rows[0]?.[0]?.erased;
    }

    /** Of these, what is found by id, by account and by hash. */
    async function left(verifications: readonly NewVerification[], by = store): Promise<number> {
      const searches = verifications.flatMap(({ accountId, id, destinationHash }) => [
        by.findArchived(seenByPeople(accountId), id, Date.now()).then((one) => (one === undefined ? 0 : 1)),
        ...[{}, { destinationHashes: [destinationHash] }].flatMap((filter) =>
          [accountId, null].map(async (accountId) => {
            const query = { accountId, filter, before: null, limit: 1_000, now: Date.now() };
            return (await by.searchArchive(query)).verifications.filter((each) => each.id === id).length;
          }),
        ),
      ]);
      return (await Promise.all(searches)).reduce((sum, found) => sum + found, 0);
    }

    test('what is erased is gone: verification, delivery, attempts and message', async () => {
      const { accountId, destinationHash } = newVerification();
      const one = { accountId, destinationHash };
      const [queued, waiting, kept] = [
        await issueOne(store, one),
        await issueOne(store, one),
        await issueOne(store, one),
      ];
      const reference = unique('ref');
      await store.settle(settlement(waiting, FAILOVER, [{ reference }]));
      await store.settle(settlement(kept, INBOX, [{ outcome: 'delivered' }]));
      const all = [queued, waiting, kept];
      assert.equal(await left(all), 15);
      assert.equal((await store.list(seenByPeople(accountId), null, 10, Date.now())).length, 1);
      const depth = await store.depth();

      assert.equal(await erase(all), 3);
      assert.equal(await left(all), 0);
      assert.equal(await store.depth(), depth - 1);
      for (const v of all) assert.deepEqual(await store.confirm(guessAt(v, 'right')), { kind: 'unknown' });
      assert.deepEqual(await store.list(seenByPeople(accountId), null, 10, Date.now()), []);
      assert.deepEqual(await store.list(seenByPeople(accountId), [destinationHash], 10, Date.now()), []);
      const late = receipt(Date.now() + MINUTE, { references: [reference] });
      assert.deepEqual(await store.receive(late), { kind: 'early' }, 'there is no attempt');
      const claimed = await store.claim(queued.leaseUntil, queued.leaseUntil + LEASE, 1_000);
      assert.deepEqual(
        claimed.filter(({ id }) => all.some((each) => each.id === id)),
        [],
      );
      assert.equal(await erase(all), 0, 'and erasing it again finds nothing');
    });

    test('only what has both a given id and a given hash is erased', async () => {
      const [a, b, c] = [await issueOne(store), await issueOne(store), await issueOne(store)];
      const erasure = { ids: [a.id, b.id], receiptIds: [], now: Date.now() };
      await store.transact([
        { erase: { ...erasure, destinationHashes: [a.destinationHash, c.destinationHash] } },
      ]);
      assert.equal(await left([a]), 0);
      assert.equal(await left([b, c]), 10);
    });

    test('a search without an account finds a destination of every account', async () => {
      const [a, b] = [await issueOne(store), await issueOne(store, { test: true })];
      const destinationHashes = [a.destinationHash, b.destinationHash];
      const query = {
        accountId: null,
        filter: { destinationHashes },
        before: null,
        limit: 10,
        now: Date.now(),
      };
      const { verifications } = await store.searchArchive(query);
      const found = verifications.map(({ id, accountId }) => ({ id, accountId }));
      assert.deepEqual(
        found,
        [b, a].map(({ id, accountId }) => ({ id, accountId })).sort((x, y) => (x.id < y.id ? 1 : -1)),
      );
    });

    test('its Idempotency-Keys are free again', async () => {
      const idempotency = { keyHash: unique('idem'), bodyHash: 'sms x' };
      const guessed = { keyHash: unique('idem'), bodyHash: 'guess' };
      const first = await issueOne(store, { idempotency });
      const { accountId, destinationHash } = first;
      await store.confirm({ ...guessAt(first, 'wrong'), idempotency: guessed });
      await erase([first]);
      assert.deepEqual(await store.confirm({ ...guessAt(first, 'wrong'), idempotency: guessed }), {
        kind: 'unknown',
      });
      const asked = { accountId, test: first.test, createdAt: Date.now(), idempotency };
      assert.equal(await store.findReplay(asked), undefined);
      const other = { keyHash: idempotency.keyHash, bodyHash: 'sms y' };
      const again = newVerification({ accountId, destinationHash, idempotency: other });
      assert.deepEqual(await store.issue(again), { kind: 'issued' });
      const guess = { ...guessAt(again, 'right'), idempotency: { ...guessed, bodyHash: 'another guess' } };
      assert.equal((await store.confirm(guess)).kind, 'confirmed');
    });

    test('its sends count until they leave the window, whatever is purged meanwhile', async (t) => {
      const sendsPerDestination = [{ max: 2, windowMs: 2 * DAY }];
      const own = await openFor(t, open, withLimits({ sendsPerDestination }));
      const at = Date.now();
      const { destinationHash } = newVerification();
      // One of before a secret was rotated: then a send counts under each of its hashes.
      const before = { destinationHash: unique('hash'), earlierDestinationHashes: [] };
      const now = { destinationHash, earlierDestinationHashes: [before.destinationHash] };
      const sent = [
        await issueOne(own.store, { ...before, createdAt: at }),
        await issueOne(own.store, { ...now, createdAt: at }),
      ];
      assert.equal(await erase(sent, { by: own.store, at }), 2);
      assert.equal(await left(sent, own.store), 0);
      const again = (createdAt: number) => own.store.issue(newVerification({ ...now, createdAt }));
      const retryAfterMs = 1;
      const [limit] = sendsPerDestination;
      const limited = { kind: 'limited', scope: 'destination', limit, retryAfterMs };
      while (await own.store.purge(at + 2 * DAY - 1));
      assert.deepEqual(await again(at + 2 * DAY - 1), limited);
      assert.deepEqual(await again(at + 2 * DAY), { kind: 'issued' });
    });

    test('its sends count against the limits of its account', async () => {
      const limits = [{ max: 1, windowMs: DAY }];
      const v = await issueOne(store, { limits });
      await erase([v]);
      const { destinationHash } = v;
      assert.deepEqual(kindsOf([await store.issue(newVerification({ destinationHash, limits }))]), [
        'limited',
      ]);
    });

    test('its failed guesses count as long as they would have', async (t) => {
      const failedGuessesPerDestination = [{ max: 2, windowMs: DAY }];
      const own = await openFor(t, open, withLimits({ failedGuessesPerDestination }));
      const v = await issueOne(own.store);
      const { destinationHash } = v;
      for (let i = 0; i < 2; i++) await own.store.confirm(guessAt(v, 'wrong'));
      await erase([v], { by: own.store });
      const next = await issueOne(own.store, { destinationHash });
      assert.equal((await own.store.confirm(guessAt(next, 'right'))).kind, 'attempts-exhausted');
    });

    test('the statistics stay as they were', async () => {
      const v = await issueOne(store);
      await store.settle(settlement(v, DELIVERED, [{ outcome: 'delivered' }]));
      await store.confirm(guessAt(v, 'right'));
      const { accountId, createdAt } = v;
      const count = () =>
        store.tally({ accountId, from: createdAt - MINUTE, to: createdAt + MINUTE, by: ['carrier'] });
      const counted = await count();
      assert.equal(counted.find(({ carrier }) => carrier === 'smsc')?.confirmed, 1);
      await erase([v]);
      assert.deepEqual(await count(), counted);
    });

    test('nothing is erased in a transaction that does not commit', async () => {
      const v = await issueOne(store);
      const { id, destinationHash } = v;
      const refused = {
        sql: 'SELECT id FROM account WHERE id = $1',
        args: ['acc_none'],
        guard: true,
      } as const;
      const erase = { ids: [id], destinationHashes: [destinationHash], receiptIds: [], now: Date.now() };
      assert.deepEqual(await store.transact([{ erase }, refused]), { done: false, refusedBy: 1 });
      assert.equal(await left([v]), 5);
      assert.equal((await store.transact([{ erase }])).done, true);
      assert.equal(await left([v]), 0);
    });

    const steps: readonly (readonly [string, NextStep])[] = [
      ['submitted', SUBMITTED],
      ['submitted with a failover', FAILOVER],
      ['delivered', DELIVERED],
      ['delivered into the inbox', INBOX],
      ['failed', { kind: 'failed' }],
      ['put off', { kind: 'retry', dueAt: 0 }],
    ];
    test('a message that is settled after its erasure by another process brings nothing back', async () => {
      const other = await opened.second?.();
      assert.ok(other);
      for (const [name, next] of steps) {
        const v = await issueOne(store);
        const { id, accountId, createdAt } = v;
        const depth = await store.depth();
        assert.equal(await erase([v], { by: other }), 1);
        const references = [unique('ref')];
        const attempt = { reference: references[0] ?? null, recipientTag: 'tag' };
        assert.deepEqual(await store.renew([{ id, fence: 0 }], createdAt + MINUTE), new Set(), name);
        assert.deepEqual(await store.settle(settlement(v, next, [attempt])), [], name);
        assert.equal(await left([v]), 0, name);
        assert.equal(await store.depth(), depth - 1, name);
        assert.deepEqual(await store.list(seenByPeople(accountId), null, 10, Date.now()), [], name);
        const late = receipt(createdAt + MINUTE, { references });
        assert.deepEqual(await store.receive(late), { kind: 'early' }, `${name}: there is no attempt`);
      }
    });

    test('races with everything that may happen to a verification', async (t) => {
      const own = await openFor(t, open);
      const { store } = own;
      const other = (await own.second?.()) ?? store;
      const { accountId, destinationHash } = newVerification();
      const all = await Promise.all(
        Array.from({ length: 40 }, () => issueOne(store, { accountId, destinationHash })),
      );
      const at = Date.now() + SECOND;
      const work = all.flatMap((v, i) => {
        const idempotency = { keyHash: unique('idem'), bodyHash: 'guess' };
        const references = [`r${i}`];
        return [
          store.settle(settlement(v, FAILOVER, [{ reference: `r${i}`, recipientTag: 'tag' }])),
          store.receive(receipt(at, { references, recipientTags: ['tag'] })),
          store.confirm({ ...guessAt(v, i % 2 === 0 ? 'right' : 'wrong'), idempotency }),
          ...(i % 10 === 9 ? [erase(all.slice(i - 9, i + 1), { by: i % 20 === 9 ? store : other })] : []),
        ];
      });
      await Promise.all(work);
      assert.equal(await left(all, store), 0);
      const kinds = await Promise.all(all.map((v) => store.confirm(guessAt(v, 'right'))));
      assert.deepEqual(tally(kinds), { unknown: 40 });
      assert.equal(await store.depth(), 0);
      // What came after the erasure is of no message that is known.
      const receiptIds = await store.findEarlyReceipts(['tag']);
      await store.transact([{ erase: { ids: [], destinationHashes: [], receiptIds, now: at } }]);
      assert.deepEqual(await store.findEarlyReceipts(['tag']), []);
    });

    test('receipts without a message are found by their recipient, and erased', async () => {
      const [tag, older, other] = [unique('tag'), unique('tag'), unique('tag')];
      const receive = (reference: string, recipientTags: readonly string[]) =>
        store.receive(receipt(Date.now(), { references: [reference, `${reference}b`], recipientTags }));
      await receive(unique('ref'), [other, tag]);
      await receive(unique('ref'), [older]);
      await receive(unique('ref'), [other]);
      await receive(unique('ref'), []);
      const receiptIds = await store.findEarlyReceipts([tag, older]);
      assert.equal(receiptIds.length, 2);
      await store.transact([{ erase: { ids: [], destinationHashes: [], receiptIds, now: Date.now() } }]);
      assert.deepEqual(await store.findEarlyReceipts([tag, older]), []);
      assert.equal((await store.findEarlyReceipts([other])).length, 1);
    });
  });
}
