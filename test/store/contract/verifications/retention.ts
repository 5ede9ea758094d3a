/** What is past its retention is gone for every read, in the same moment in every store, whenever the purge comes. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import { dueOf, newAccount, newEndpoint } from '../events/rig.ts';
import {
  DAY,
  guessAt,
  HOUR,
  issueOne,
  LAX,
  macOf,
  type OpenedStore,
  type OpenStore,
  SECOND,
  SUBMITTED,
  settlement,
  unique,
} from '../rig.ts';

const VERIFICATIONS = 2 * DAY;
const MESSAGES = 3 * DAY;
const RULES = {
  ...LAX,
  retention: { ...LAX.retention, verifications: VERIFICATIONS, simulatorMessages: MESSAGES },
};

export function describeRetention(open: OpenStore): void {
  suite('what is past its retention', () => {
    let opened: OpenedStore;
    let store: Store;

    before(async () => {
      opened = await open(RULES);
      store = opened.store;
    });
    after(() => opened.dispose());

    /** Valid for longer than it is kept, so that only its age decides. */
    const issue = (wanted: Partial<NewVerification> = {}) => {
      const createdAt = Date.now();
      return issueOne(store, { createdAt, expiresAt: createdAt + 5 * DAY, byNumber: true, ...wanted });
    };

    const rightFor = ({ id }: NewVerification) => [{ id, codeMac: macOf(id, 'right'), earlierCodeMacs: [] }];

    /** Whether each finds a verification then. Each has one of its own, which some of them change. */
    const reads: Readonly<Record<string, (v: NewVerification, now: number) => Promise<boolean>>> = {
      'one by its id': async (v, now) => (await store.findArchived(v, v.id, now)) !== undefined,
      'a page of an account': async ({ accountId }, now) => {
        const query = { accountId, filter: {}, before: null, limit: 10, now };
        return (await store.searchArchive(query)).verifications.length > 0;
      },
      'a page of a span of time': async ({ accountId, createdAt }, now) => {
        const filter = { from: createdAt - DAY, to: createdAt + DAY };
        const query = { accountId, filter, before: null, limit: 10, now };
        return (await store.searchArchive(query)).verifications.length > 0;
      },
      'a page of a number, as for an export': async ({ destinationHash }, now) => {
        const filter = { destinationHashes: [destinationHash] };
        const query = { accountId: null, filter, before: null, limit: 10, now };
        return (await store.searchArchive(query)).verifications.length > 0;
      },
      'what the guard would have seen': async ({ accountId, createdAt }, now) => {
        const span = { accountId, from: createdAt - DAY, to: createdAt + DAY, now };
        return (await store.readHistory({ ...span, after: null, limit: 10_000 })).verifications.length > 0;
      },
      'a guess': async (v, now) => (await store.confirm(guessAt(v, 'wrong', now))).kind !== 'unknown',
      'a guess by its number': async (v, now) =>
        (await store.confirmByNumber({ ...v, now, candidates: rightFor(v) })).kind !== 'unknown',
      'an approval': async (v, now) =>
        (await store.approve({ ...v, limits: undefined, now })).kind !== 'unknown',
      'a cancellation': async (v, now) => await store.cancel({ ...v, now }),
      'the simulator’s messages': async (v, now) => {
        await settleIntoInbox(v);
        return (await store.list(v, null, 10, now)).length > 0;
      },
      'the simulator’s messages to a number': async (v, now) => {
        await settleIntoInbox(v);
        return (await store.list(v, [v.destinationHash], 10, now)).length > 0;
      },
      'who wrote to a number': async (v, now) => {
        const recipientTag = unique('tag');
        await store.settle(settlement(v, SUBMITTED, [{ recipientTag }]));
        return (
          (await store.findSender({ carrier: 'smsc', recipientTags: [recipientTag], now })) !== undefined
        );
      },
      'what a repeated guess was answered': async (v, now) => {
        const idempotency = { keyHash: unique('idem'), bodyHash: 'guess' };
        const guess = { ...guessAt(v, 'right', now - HOUR), idempotency };
        assert.equal((await store.confirm(guess)).kind, 'confirmed');
        return (await store.confirm({ ...guess, now })).kind === 'replayed';
      },
    };

    const settleIntoInbox = (v: NewVerification) =>
      store.settle(settlement(v, { kind: 'delivered', inbox: true }, [{ outcome: 'delivered' }]));

    for (const [name, finds] of Object.entries(reads)) {
      test(`is not found by ${name}`, async () => {
        const wanted = { brought: name === 'an approval' };
        const [kept, past] = [await issue(wanted), await issue(wanted)];
        assert.equal(await finds(kept, kept.createdAt + VERIFICATIONS - 1), true);
        assert.equal(await finds(past, past.createdAt + VERIFICATIONS), false);
      });
    }

    test('is not told to endpoints', async () => {
      const accountId = await newAccount(store);
      const hook = await newEndpoint(store, accountId, ['verification.requested']);
      const v = await issue({ accountId });
      const toldAt = async (now: number) => [
        ...(await dueOf(store, hook, now)).map(({ isErased }) => !isErased),
        (await store.eventSubject(v.id, now)) !== null,
      ];
      assert.deepEqual(await toldAt(v.createdAt + VERIFICATIONS - 1), [true, true]);
      assert.deepEqual(await toldAt(v.createdAt + VERIFICATIONS), [false, false]);
    });

    test('is found by an erasure: what is still there is deleted', async () => {
      const { destinationHash, createdAt, id } = await issue();
      const filter = { destinationHashes: [destinationHash] };
      const query = { accountId: null, filter, before: null, limit: 10, now: createdAt + VERIFICATIONS };
      const { verifications } = await store.searchArchive({ ...query, evenPast: true });
      assert.deepEqual(
        verifications.map((found) => found.id),
        [id],
      );
    });

    test('messages of the simulator have a retention of their own', async (t) => {
      const own = await open({ ...RULES, retention: { ...RULES.retention, simulatorMessages: HOUR } });
      t.after(() => own.dispose());
      const v = await issueOne(own.store);
      const inbox = { kind: 'delivered', inbox: true } as const;
      const endedAt = v.createdAt + SECOND;
      await own.store.settle(settlement(v, inbox, [{ outcome: 'delivered', endedAt }]));
      for (const hashes of [null, [v.destinationHash]]) {
        const listAt = async (now: number) => (await own.store.list(v, hashes, 10, now)).length;
        assert.deepEqual([await listAt(endedAt + HOUR - 1), await listAt(endedAt + HOUR)], [1, 0]);
      }
    });
  });
}
