/** What a request says in addition: kept as it was given, found where it is needed, and gone with its verification. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  guessAt,
  issueOne,
  LAX,
  LEASE,
  MINUTE,
  type OpenedStore,
  type OpenStore,
  receipt,
  SECOND,
  SUBMITTED,
  seenByPeople,
  settlement,
  unique,
} from '../rig.ts';

const MORE = { detailsSealed: 'sealed details', brought: true, signals: '{"device":"hash"}' } as const;

export function describeBody(open: OpenStore): void {
  suite('the optional body', () => {
    let opened: OpenedStore;
    let store: Store;

    before(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    after(() => opened.dispose());

    const detailsOf = async ({ accountId, id, createdAt }: Awaited<ReturnType<typeof issueOne>>) => {
      const found = await store.findArchived(seenByPeople(accountId), id, createdAt);
      return found && [found.detailsSealed, found.signals];
    };

    test('each of several at once keeps its own', async () => {
      const wanted = [
        MORE,
        {},
        { ...MORE, detailsSealed: 'other details', brought: false },
        { signals: '{}' },
      ];
      const all = await Promise.all(wanted.map((each) => issueOne(store, each)));
      assert.deepEqual(await Promise.all(all.map(detailsOf)), [
        ['sealed details', MORE.signals],
        [null, null],
        ['other details', MORE.signals],
        [null, '{}'],
      ]);
      const outcomes = await Promise.all(all.map((v) => store.confirm(guessAt(v, 'right'))));
      assert.deepEqual(
        outcomes.map((outcome) =>
          outcome.kind === 'confirmed' ? [outcome.brought, outcome.signals] : outcome.kind,
        ),
        [
          [true, MORE.signals],
          [undefined, undefined],
          [undefined, MORE.signals],
          [undefined, '{}'],
        ],
      );
    });

    test('a wrong guess tells of them, too, also under an Idempotency-Key', async () => {
      const v = await issueOne(store, MORE);
      const idempotency = { keyHash: unique('key'), bodyHash: 'body' };
      for (const guess of [guessAt(v, 'wrong'), { ...guessAt(v, 'wrong'), idempotency }]) {
        const outcome = await store.confirm(guess);
        assert.ok(outcome.kind === 'mismatch');
        assert.deepEqual([outcome.brought, outcome.signals], [true, MORE.signals]);
      }
    });

    test('who claims a message gets what its wording was', async () => {
      const v = await issueOne(store, MORE);
      const claimed = await store.claim(v.leaseUntil, v.leaseUntil + LEASE, 1_000);
      assert.equal(claimed.find(({ id }) => id === v.id)?.detailsSealed, 'sealed details');
    });

    test('a test key’s message in the inbox keeps its wording', async () => {
      const v = await issueOne(store, { ...MORE, test: true });
      const attempts = [
        {
          ...{
            carrier: 'simulator',
            startedAt: v.createdAt,
            endedAt: v.createdAt,
            outcome: 'delivered' as const,
          },
          ...{ channel: null, reference: null, recipientTag: null, reason: null, choice: null, cost: 0 },
        },
      ];
      const next = { kind: 'delivered', inbox: true } as const;
      await store.settle({ id: v.id, fence: 0, attempts, next, charged: [] });
      const [entry] = await store.list(seenByPeople(v.accountId), null, 10, Date.now());
      assert.equal(entry?.detailsSealed, 'sealed details');
    });

    test('what is known of devices goes after its time, and nothing else', async () => {
      const now = Date.now();
      const said = { ...MORE, brought: false, clientNetwork: 'network' };
      const [old, fresh] = [
        await issueOne(store, { ...said, createdAt: now - 8 * DAY }),
        await issueOne(store, { ...said, createdAt: now - 6 * DAY }),
      ];
      while (await store.purge(now)) {}
      assert.deepEqual(await detailsOf(old), ['sealed details', null]);
      assert.deepEqual(await detailsOf(fresh), ['sealed details', MORE.signals]);
      const networks: (string | null)[] = [];
      for (const { accountId, id } of [old, fresh]) {
        const page = await store.readHistory({
          accountId,
          from: 0,
          to: now,
          now,
          after: null,
          limit: 10_000,
        });
        networks.push(...page.verifications.filter((v) => v.id === id).map((v) => v.clientNetwork));
      }
      assert.deepEqual(networks, [null, 'network']);
    });

    test('a code that was brought counts once it is confirmed here; what it cost counts at once', async () => {
      const v = await issueOne(store, { ...MORE, country: 'AT' });
      const sent = { outcome: 'accepted', reference: unique('ref'), cost: 7 } as const;
      await store.settle(settlement(v, SUBMITTED, [sent]));
      await store.receive(receipt(v.createdAt + SECOND, { references: [sent.reference] }));
      const counts = async () => {
        const { accountId, createdAt } = v;
        const span = { from: createdAt - MINUTE, to: createdAt + MINUTE };
        const [sum] = await store.tally({ ...span, accountId, by: [] });
        return sum && [sum.requested, sum.submitted, sum.delivered, sum.confirmed, sum.cost];
      };
      assert.deepEqual(await counts(), [0, 0, 0, 0, 7]);
      await store.confirm(guessAt(v, 'right'));
      assert.deepEqual(await counts(), [1, 1, 0, 1, 7]);
    });

    test('an erasure takes all of it', async () => {
      const v = await issueOne(store, MORE);
      const hashes = { destinationHashes: [v.destinationHash], receiptIds: [] };
      const answer = await store.transact([{ erase: { ids: [v.id], ...hashes, now: v.createdAt } }]);
      assert.equal(answer.done, true);
      assert.equal(await detailsOf(v), undefined);
    });
  });
}
