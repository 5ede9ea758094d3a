/** Past verifications as their account sees them: the result of each, page by page. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { NO_KEY } from '../../../../src/core/verification/carrier-test.ts';
import type {
  ArchivedVerification,
  ArchiveFilter,
  ArchivePage,
} from '../../../../src/core/verification/reading/archive.ts';
import { progressOf, type VerificationProgress } from '../../../../src/core/verification/reading/progress.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import { MOST_ROWS } from '../../../../src/store/shared/archive-page.ts';
import {
  DAY,
  DELIVERED,
  FAILOVER,
  guessAt,
  issueOne,
  LAX,
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
  someAtATime,
  unique,
} from '../rig.ts';

const FAILED = { kind: 'failed' } as const;

/** What an app may be told of a verification that people see with this status. */
const TOLD: Readonly<Record<string, readonly VerificationProgress[]>> = {
  confirmed: ['confirmed'],
  failed: ['undelivered', 'failed'],
  expired: ['expired'],
  pending: ['queued', 'submitted', 'delivered'],
};

export function describeArchive(open: OpenStore): void {
  suite('archive', () => {
    let opened: OpenedStore;
    let store: Store;
    // Partitions are made around today, and a test near midnight must not need yesterday's.
    const noon = Date.now() - (Date.now() % DAY) + DAY / 2;

    before(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    after(() => opened.dispose());

    const search = (
      accountId: string,
      filter: ArchiveFilter = {},
      {
        limit = 50,
        before = null,
        now = noon,
      }: { limit?: number; before?: string | null; now?: number } = {},
    ): Promise<ArchivePage> => store.searchArchive({ accountId, filter, before, limit, now });
    const count = async (accountId: string, filter: ArchiveFilter = {}) => {
      const part = await store.countArchive({ accountId, filter, before: null, now: noon });
      assert.equal(part.next, null);
      return part.count;
    };
    const idsOf = (verifications: readonly ArchivedVerification[]) => verifications.map(({ id }) => id);
    const found = async (accountId: string, filter: ArchiveFilter, now = noon) =>
      idsOf((await search(accountId, filter, { now })).verifications);
    const look = async (v: NewVerification, now = noon) => {
      const one = await store.findArchived(seenByPeople(v.accountId), v.id, now);
      assert.ok(one);
      const listed = (await search(v.accountId, {}, { now })).verifications.find(({ id }) => id === v.id);
      assert.deepEqual(listed, one.verification, 'the list and the page of one say the same');
      for (const carrier of one.verification.asked)
        assert.ok((await found(v.accountId, { carrier }, now)).includes(v.id), `${carrier} was asked`);
      const byStatus = await found(v.accountId, { status: one.verification.status }, now);
      assert.ok(byStatus.includes(v.id), 'it is found by the status that is shown');
      const { status } = one.verification;
      // Whether it is locked is said by the guesses that are left.
      if (status !== 'locked')
        assert.ok(TOLD[status]?.includes(progressOf(one, now)), `an app is told ${status}`);
      return one;
    };
    const statusOf = async (v: NewVerification, now = noon) => (await look(v, now)).verification.status;

    test('a verification is shown as it was requested', async () => {
      const v = await issueOne(store, {
        ...{ createdAt: noon, test: true, brought: true, channel: 'voice', country: 'JP' },
      });
      const { id, accountId, keyId, destinationSealed, createdAt, expiresAt } = v;
      assert.deepEqual(await look(v), {
        verification: {
          ...{ id, accountId, keyId, destinationSealed, createdAt, expiresAt },
          ...{ test: true, brought: true },
          channel: 'voice',
          country: 'JP',
          status: 'pending',
          carrier: null,
          asked: [],
          guessesLeft: 5,
          endedAt: null,
          confirmedAt: null,
        },
        attempts: [],
        ...{ inQueue: true, detailsSealed: null, signals: null },
      });
    });

    test('its attempts are shown in order, with reason, cost and result', async () => {
      const v = await issueOne(store, { createdAt: noon });
      const reference = unique('ref');
      await store.settle(
        settlement(v, FAILOVER, [
          { carrier: 'a', outcome: 'temporary', reason: 'throttled', choice: '1st of 2 in order' },
          { carrier: 'b', reference, choice: '2nd of 2 in order', cost: 7_500 },
        ]),
      );
      const { attempts, verification, inQueue } = await look(v);
      assert.equal(verification.carrier, 'b');
      assert.ok(inQueue, 'another carrier may still send it');
      const made = {
        channel: 'sms' as const,
        startedAt: noon + SECOND,
        endedAt: noon + SECOND + 20,
        receipt: null,
      };
      assert.deepEqual(attempts, [
        {
          ...made,
          carrier: 'a',
          choice: '1st of 2 in order',
          outcome: 'temporary',
          reference: null,
          reason: 'throttled',
          cost: 0,
        },
        {
          ...made,
          carrier: 'b',
          choice: '2nd of 2 in order',
          outcome: 'accepted',
          reference,
          reason: null,
          cost: 7_500,
        },
      ]);
    });

    test('a confirmed verification stays confirmed; others expire', async () => {
      const v = await issueOne(store, { createdAt: noon });
      await store.settle(settlement(v, DELIVERED, [{ outcome: 'delivered' }]));
      assert.equal(await statusOf(v), 'pending');
      assert.equal(await statusOf(v, v.expiresAt - 1), 'pending');
      assert.equal(await statusOf(v, v.expiresAt), 'expired');
      await store.confirm(guessAt(v, 'wrong'));
      await store.confirm(guessAt(v, 'right', noon + MINUTE));
      const { verification } = await look(v, v.expiresAt);
      assert.equal(verification.status, 'confirmed');
      assert.equal(verification.confirmedAt, noon + MINUTE);
      assert.equal(verification.guessesLeft, 3);
      assert.equal((await look(v)).inQueue, false);
    });

    test('it is locked when the guesses are used up', async () => {
      const v = await issueOne(store, { createdAt: noon, guesses: 1 });
      await store.confirm(guessAt(v, 'wrong'));
      assert.equal(await statusOf(v), 'locked');
      assert.equal(await statusOf(v, v.expiresAt), 'locked');
    });

    test('it has failed when every carrier refused it', async () => {
      const v = await issueOne(store, { createdAt: noon });
      await store.settle(settlement(v, FAILED, [{ outcome: 'permanent', reason: 'unknown subscriber' }]));
      assert.equal(await statusOf(v), 'failed');
      const { verification, inQueue } = await look(v);
      assert.deepEqual([verification.carrier, inQueue], [null, false]);
    });

    test('it has failed when no carrier took it in time, and is pending until then', async () => {
      const v = await issueOne(store, { createdAt: noon });
      const retry = { kind: 'retry', dueAt: noon + MINUTE } as const;
      await store.settle(settlement(v, retry, [{ outcome: 'temporary', reason: 'busy' }]));
      assert.equal(await statusOf(v), 'pending');
      assert.equal(await statusOf(v, v.expiresAt), 'failed');
      await store.claim(v.expiresAt, v.expiresAt + SECOND, 100);
      assert.equal(await statusOf(v, v.expiresAt), 'failed', 'also when the queue has dropped it');
    });

    test('it has failed when it is reported undelivered and nothing is left to try', async () => {
      const v = await issueOne(store, { createdAt: noon });
      const reference = unique('ref');
      await store.settle(settlement(v, SUBMITTED, [{ reference }]));
      assert.equal(await statusOf(v), 'pending');
      const at = noon + 5 * SECOND;
      await store.receive(receipt(at, { references: [reference], status: 'undelivered', reason: 'absent' }));
      assert.equal(await statusOf(v), 'failed');
      const unstated = { price: null, currency: null, network: null };
      const expected = { status: 'undelivered', reason: 'absent', at, ...unstated };
      assert.deepEqual((await look(v)).attempts[0]?.receipt, expected);
    });

    test('undelivered by one carrier, it is pending while another can send it, and delivered once that does', async () => {
      const v = await issueOne(store, { createdAt: noon });
      const [first, second] = [unique('ref'), unique('ref')];
      await store.settle(settlement(v, FAILOVER, [{ carrier: 'a', reference: first }]));
      const at = noon + 5 * SECOND;
      await store.receive(receipt(at, { carrier: 'a', references: [first], status: 'undelivered' }));
      assert.equal(await statusOf(v, at), 'pending');
      assert.equal(await statusOf(v, v.expiresAt), 'failed');
      const leased = (await store.claim(at, at + MINUTE, 100)).find(({ id }) => id === v.id);
      await store.settle(settlement(v, SUBMITTED, [{ carrier: 'b', reference: second }], leased?.fence));
      await store.receive(receipt(at + SECOND, { carrier: 'b', references: [second] }));
      const { verification, attempts } = await look(v, v.expiresAt);
      assert.deepEqual([verification.status, verification.carrier], ['expired', 'b']);
      assert.deepEqual(
        attempts.map(({ carrier, receipt }) => [carrier, receipt?.status]),
        [
          ['a', 'undelivered'],
          ['b', 'delivered'],
        ],
      );
    });

    test('another account’s verification is not found', async () => {
      const destinationHash = unique('hash');
      const v = await issueOne(store, { createdAt: noon, destinationHash });
      const stranger = unique('acc');
      assert.equal(await store.findArchived(seenByPeople(stranger), v.id, noon), undefined);
      assert.deepEqual(await found(stranger, {}), []);
      assert.deepEqual(await found(stranger, { destinationHashes: [destinationHash] }), []);
      assert.deepEqual(await found(stranger, { keyId: v.keyId }), []);
    });

    test('an id that never existed or is malformed is not found', async () => {
      const { accountId } = await issueOne(store, { createdAt: noon });
      for (const id of [`ver_${'0'.repeat(32)}`, 'ver_1', '', "'", 'a'.repeat(64)]) {
        assert.equal(await store.findArchived(seenByPeople(accountId), id, noon), undefined);
      }
    });

    test('every filter finds what it selects, newest first, and filters can be combined', async () => {
      const accountId = unique('acc');
      const keyId = unique('key');
      const hash = unique('hash');
      const add = (at: number, wanted: Partial<NewVerification>) =>
        issueOne(store, { accountId, createdAt: noon + at, ...wanted });
      const sms = await add(0, { keyId });
      const call = await add(1, { channel: 'voice', destinationHash: hash });
      const french = await add(2, { country: 'FR', keyId });
      const tried = await add(3, { test: true });
      const sent = await add(4, { destinationHash: hash });
      await store.settle(settlement(sent, SUBMITTED, [{ carrier: 'gateway' }]));
      const right = guessAt(french, 'right');
      await store.confirm(right);

      const cases: [ArchiveFilter, readonly NewVerification[]][] = [
        [{}, [sent, tried, french, call, sms]],
        [{ channel: 'voice' }, [call]],
        [{ country: 'FR' }, [french]],
        [{ keyId }, [french, sms]],
        [{ test: true }, [tried]],
        [{ test: false }, [sent, french, call, sms]],
        [{ carrier: 'gateway' }, [sent]],
        [{ carrier: 'smsc' }, []],
        [{ status: 'confirmed' }, [french]],
        [{ status: 'pending' }, [sent, tried, call, sms]],
        [{ from: noon + 2 }, [sent, tried, french]],
        [{ to: noon + 2 }, [call, sms]],
        [{ from: noon + 1, to: noon + 3 }, [french, call]],
        [{ destinationHashes: [hash] }, [sent, call]],
        [{ destinationHashes: [unique('hash'), hash], channel: 'sms' }, [sent]],
        [{ destinationHashes: [hash], to: noon + 4, from: noon + 1 }, [call]],
        [{ destinationHashes: [] }, []],
        [{ keyId, status: 'confirmed', country: 'FR', channel: 'sms', test: false }, [french]],
        [{ keyId, status: 'pending', country: 'FR' }, []],
      ];
      for (const [filter, wanted] of cases) {
        assert.deepEqual(
          await found(accountId, filter),
          wanted.map(({ id }) => id),
          JSON.stringify(filter),
        );
      }
    });

    test('a carrier finds every code that it was asked to send, also what it refused', async () => {
      const accountId = unique('acc');
      const add = (at: number) => issueOne(store, { accountId, createdAt: noon + at });
      const refused = await add(0);
      await store.settle(
        settlement(refused, FAILED, [
          { carrier: 'acme', outcome: 'temporary', reason: 'throttled' },
          { carrier: 'beta', outcome: 'permanent', reason: 'barred' },
        ]),
      );
      const passedOn = await add(1);
      await store.settle(
        settlement(passedOn, SUBMITTED, [
          { carrier: 'beta', outcome: 'temporary', reason: 'throttled' },
          { carrier: 'acme', reference: unique('ref') },
        ]),
      );
      const lost = await add(2);
      const reference = unique('ref');
      await store.settle(settlement(lost, SUBMITTED, [{ carrier: 'acme', reference }]));
      const at = noon + 5 * SECOND;
      await store.receive(receipt(at, { carrier: 'acme', references: [reference], status: 'undelivered' }));
      const delivered = await add(3);
      await store.settle(settlement(delivered, DELIVERED, [{ carrier: 'beta', outcome: 'delivered' }]));
      const unasked = await add(4);

      const shown = await Promise.all(
        [refused, passedOn, lost, delivered, unasked].map(async (v) => {
          const { carrier, asked } = (await look(v)).verification;
          return [carrier, ...asked];
        }),
      );
      assert.deepEqual(shown, [
        [null, 'acme', 'beta'],
        ['acme', 'beta', 'acme'],
        ['acme', 'acme'],
        ['beta', 'beta'],
        [null],
      ]);

      const cases: [ArchiveFilter, readonly NewVerification[]][] = [
        [{ carrier: 'acme' }, [lost, passedOn, refused]],
        [{ carrier: 'beta' }, [delivered, passedOn, refused]],
        [{ carrier: 'acme', status: 'failed' }, [lost, refused]],
        [{ attempt: 'refused' }, [passedOn, refused]],
        [{ carrier: 'acme', attempt: 'refused' }, [refused]],
        [{ carrier: 'acme', attempt: 'accepted' }, [lost, passedOn]],
        [{ attempt: 'accepted' }, [delivered, lost, passedOn]],
        [{ attempt: 'delivered' }, [delivered]],
        [{ carrier: 'acme', attempt: 'delivered' }, []],
        [{ attempt: 'undelivered' }, [lost]],
        [{ attempt: 'unreported' }, [passedOn]],
        [{ carrier: 'beta', attempt: 'unreported' }, []],
        [{ attempt: 'carried' }, [delivered, lost, passedOn]],
        [{ carrier: 'beta', attempt: 'carried' }, [delivered]],
      ];
      for (const [filter, wanted] of cases) {
        const ids = wanted.map(({ id }) => id);
        assert.deepEqual(await found(accountId, filter), ids, JSON.stringify(filter));
        assert.equal(await count(accountId, filter), ids.length, JSON.stringify(filter));
      }
    });

    test('a carrier that is asked again and again is named once, where it was asked first', async () => {
      const v = await issueOne(store, { createdAt: noon });
      const retry = { kind: 'retry', dueAt: noon + MINUTE } as const;
      const refusals = (...carriers: string[]) =>
        carriers.map((carrier) => ({ carrier, outcome: 'temporary' as const, reason: 'busy' }));
      await store.settle(settlement(v, retry, refusals('b', 'a')));
      const leased = (await store.claim(noon + MINUTE, noon + 2 * MINUTE, 100)).find(({ id }) => id === v.id);
      await store.settle(settlement(v, FAILED, refusals('a', 'b', 'c'), leased?.fence));
      assert.deepEqual((await look(v)).verification.asked, ['b', 'a', 'c']);
    });

    test('what the figures count leaves out tests of carriers, and brought codes that were not confirmed', async () => {
      const accountId = unique('acc');
      const add = (at: number, wanted: Partial<NewVerification> = {}) =>
        issueOne(store, { accountId, createdAt: noon + at, ...wanted });
      const plain = await add(0);
      await add(1, { keyId: NO_KEY, guesses: 0 });
      await add(2, { brought: true });
      const confirmed = await add(3, { brought: true });
      await store.confirm(guessAt(confirmed, 'right'));
      assert.deepEqual(await found(accountId, { counted: true }), [confirmed.id, plain.id]);
      assert.deepEqual([await count(accountId), await count(accountId, { counted: true })], [4, 2]);
    });

    test('an id that was made seconds before its time, or by a clock ahead, is found by the time', async () => {
      const accountId = unique('acc');
      for (const apart of [-9 * SECOND, 9 * SECOND]) {
        const { id } = newVerification({ createdAt: noon + apart });
        await issueOne(store, { id, accountId, createdAt: noon });
      }
      assert.equal((await found(accountId, { from: noon, to: noon + 1 })).length, 2);
    });

    for (const byDestination of [false, true]) {
      test(`pages${byDestination ? ' of one destination' : ''} neither repeat nor leave out while more is added`, async () => {
        const [accountId, destinationHash] = [unique('acc'), unique('hash')];
        const own = { accountId, destinationHash };
        const filter = byDestination ? { destinationHashes: [destinationHash] } : {};
        const there: string[] = [];
        for (let i = 0; i < 25; i++) {
          // Some in the same millisecond, some on another day.
          const createdAt = noon - (i % 5 === 0 ? DAY : 0) + (i >> 2);
          there.push((await issueOne(store, { ...own, createdAt })).id);
        }
        const seen: string[] = [];
        let before: string | null = null;
        do {
          const page: ArchivePage = await search(accountId, filter, { limit: 4, before });
          assert.ok(page.verifications.length <= 4);
          const last = page.verifications.at(-1);
          assert.equal(page.searchedTo, page.next === null ? null : last?.createdAt);
          seen.push(...idsOf(page.verifications));
          before = page.next;
          await issueOne(store, { ...own, createdAt: noon + SECOND });
        } while (before !== null);
        assert.deepEqual(seen, there.toSorted().reverse());
      });
    }

    test('a page stops searching after many rows of others, and says how far it got', async (t) => {
      const own = await openFor(t, open);
      const [mine, others] = [unique('acc'), unique('acc')];
      const v = await issueOne(own.store, { accountId: mine, createdAt: noon });
      const times = Array.from({ length: MOST_ROWS + 1 }, (_, row) => noon + 1 + (row >> 4));
      await someAtATime(times, (createdAt) => issueOne(own.store, { accountId: others, createdAt }));
      const query = { accountId: mine, filter: {}, limit: 50, now: noon };
      const first = await own.store.searchArchive({ ...query, before: null });
      assert.deepEqual(first.verifications, []);
      assert.equal(first.searchedTo, noon + 1);
      const second = await own.store.searchArchive({ ...query, before: first.next });
      assert.deepEqual(idsOf(second.verifications), [v.id]);
      assert.deepEqual([second.next, second.searchedTo], [null, null]);
      // Counting stops there too, and the parts add up.
      const counted = await own.store.countArchive({ ...query, before: null });
      assert.deepEqual(counted, { count: 0, next: first.next, searchedTo: first.searchedTo });
      const rest = await own.store.countArchive({ ...query, before: counted.next });
      assert.deepEqual(rest, { count: 1, next: null, searchedTo: null });
    });
  });
}
