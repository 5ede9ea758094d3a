/** Past verifications are found by every filter, page by page, and counted. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { NO_KEY } from '../../../../src/core/verification/carrier-test.ts';
import type { ArchiveFilter, ArchivePage } from '../../../../src/core/verification/reading/archive.ts';
import type { Scope } from '../../../../src/core/verification/scope.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import { MOST_ROWS } from '../../../../src/store/shared/archive-page.ts';
import {
  DAY,
  DELIVERED,
  guessAt,
  issueOne,
  LAX,
  MINUTE,
  newVerification,
  type OpenStore,
  openFor,
  receipt,
  SECOND,
  SUBMITTED,
  settlement,
  someAtATime,
  unique,
} from '../rig.ts';
import { Archive, FAILED, idsOf, NOON } from './archive-rig.ts';

export function describeArchiveSearch(open: OpenStore): void {
  suite('archive search', () => {
    const archive = new Archive(open);

    test('every filter finds what it selects, newest first, and filters can be combined', async () => {
      const accountId = unique('acc');
      const keyId = unique('key');
      const hash = unique('hash');
      const add = (at: number, wanted: Partial<NewVerification>) =>
        issueOne(archive.store, { accountId, createdAt: NOON + at, ...wanted });
      const sms = await add(0, { keyId });
      const call = await add(1, { channel: 'voice', destinationHash: hash });
      const french = await add(2, { country: 'FR', keyId });
      const tried = await add(3, { test: true });
      const sent = await add(4, { destinationHash: hash });
      await archive.store.settle(settlement(sent, SUBMITTED, [{ carrier: 'gateway' }]));
      const right = guessAt(french, 'right');
      await archive.store.confirm(right);

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
        [{ from: NOON + 2 }, [sent, tried, french]],
        [{ to: NOON + 2 }, [call, sms]],
        [{ from: NOON + 1, to: NOON + 3 }, [french, call]],
        [{ destinationHashes: [hash] }, [sent, call]],
        [{ destinationHashes: [unique('hash'), hash], channel: 'sms' }, [sent]],
        [{ destinationHashes: [hash], to: NOON + 4, from: NOON + 1 }, [call]],
        [{ destinationHashes: [] }, []],
        [{ keyId, status: 'confirmed', country: 'FR', channel: 'sms', test: false }, [french]],
        [{ keyId, status: 'pending', country: 'FR' }, []],
      ];
      for (const [filter, wanted] of cases) {
        assert.deepEqual(
          await archive.found(accountId, filter),
          wanted.map(({ id }) => id),
          JSON.stringify(filter),
        );
      }
    });

    test('a carrier finds every code that it was asked to send, also what it refused', async () => {
      const accountId = unique('acc');
      const add = (at: number) => issueOne(archive.store, { accountId, createdAt: NOON + at });
      const refused = await add(0);
      await archive.store.settle(
        settlement(refused, FAILED, [
          { carrier: 'acme', outcome: 'temporary', reason: 'throttled' },
          { carrier: 'beta', outcome: 'permanent', reason: 'barred' },
        ]),
      );
      const passedOn = await add(1);
      await archive.store.settle(
        settlement(passedOn, SUBMITTED, [
          { carrier: 'beta', outcome: 'temporary', reason: 'throttled' },
          { carrier: 'acme', reference: unique('ref') },
        ]),
      );
      const lost = await add(2);
      const reference = unique('ref');
      await archive.store.settle(settlement(lost, SUBMITTED, [{ carrier: 'acme', reference }]));
      const at = NOON + 5 * SECOND;
      await archive.store.receive(
        receipt(at, { carrier: 'acme', references: [reference], status: 'undelivered' }),
      );
      const delivered = await add(3);
      await archive.store.settle(
        settlement(delivered, DELIVERED, [{ carrier: 'beta', outcome: 'delivered' }]),
      );
      const unasked = await add(4);

      const shown = await Promise.all(
        [refused, passedOn, lost, delivered, unasked].map(async (v) => {
          const { carrier, asked } = (await archive.look(v)).verification;
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
        [{ carrier: 'acme', status: 'failed' }, [refused]],
        [{ carrier: 'acme', status: 'undelivered' }, [lost]],
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
        assert.deepEqual(await archive.found(accountId, filter), ids, JSON.stringify(filter));
        assert.equal(await archive.count(accountId, filter), ids.length, JSON.stringify(filter));
      }
    });

    test('a carrier that is asked again and again is named once, where it was asked first', async () => {
      const v = await issueOne(archive.store, { createdAt: NOON });
      const retry = { kind: 'retry', dueAt: NOON + MINUTE } as const;
      const refusals = (...carriers: string[]) =>
        carriers.map((carrier) => ({ carrier, outcome: 'temporary' as const, reason: 'busy' }));
      await archive.store.settle(settlement(v, retry, refusals('b', 'a')));
      const leased = (await archive.store.claim(NOON + MINUTE, NOON + 2 * MINUTE, 100)).find(
        ({ id }) => id === v.id,
      );
      await archive.store.settle(settlement(v, FAILED, refusals('a', 'b', 'c'), leased?.fence));
      assert.deepEqual((await archive.look(v)).verification.asked, ['b', 'a', 'c']);
    });

    test('what the figures count leaves out tests of carriers, and brought codes that were not confirmed', async () => {
      const accountId = unique('acc');
      const add = (at: number, wanted: Partial<NewVerification> = {}) =>
        issueOne(archive.store, { accountId, createdAt: NOON + at, ...wanted });
      const plain = await add(0);
      await add(1, { keyId: NO_KEY, guesses: 0 });
      await add(2, { brought: true });
      const confirmed = await add(3, { brought: true });
      await archive.store.confirm(guessAt(confirmed, 'right'));
      assert.deepEqual(await archive.found(accountId, { counted: true }), [confirmed.id, plain.id]);
      assert.deepEqual(
        [await archive.count(accountId), await archive.count(accountId, { counted: true })],
        [4, 2],
      );
    });

    test('an id that was made seconds before its time, or by a clock ahead, is found by the time', async () => {
      const accountId = unique('acc');
      for (const apart of [-9 * SECOND, 9 * SECOND]) {
        const { id } = newVerification({ createdAt: NOON + apart });
        await issueOne(archive.store, { id, accountId, createdAt: NOON });
      }
      assert.equal((await archive.found(accountId, { from: NOON, to: NOON + 1 })).length, 2);
    });

    for (const byDestination of [false, true]) {
      test(`pages${byDestination ? ' of one destination' : ''} neither repeat nor leave out while more is added`, async () => {
        const [accountId, destinationHash] = [unique('acc'), unique('hash')];
        const own = { accountId, destinationHash };
        const filter = byDestination ? { destinationHashes: [destinationHash] } : {};
        const there: string[] = [];
        for (let i = 0; i < 25; i++) {
          // Some in the same millisecond, some on another day.
          const createdAt = NOON - (i % 5 === 0 ? DAY : 0) + (i >> 2);
          there.push((await issueOne(archive.store, { ...own, createdAt })).id);
        }
        const seen: string[] = [];
        let before: string | null = null;
        do {
          const page: ArchivePage = await archive.search(accountId, filter, { limit: 4, before });
          assert.ok(page.verifications.length <= 4);
          const last = page.verifications.at(-1);
          assert.equal(page.searchedTo, page.next === null ? null : last?.createdAt);
          seen.push(...idsOf(page.verifications));
          before = page.next;
          await issueOne(archive.store, { ...own, createdAt: NOON + SECOND });
        } while (before !== null);
        assert.deepEqual(seen, there.toSorted().reverse());
      });
    }

    test('a page stops searching after many rows of others, and says how far it got', async (t) => {
      const own = await openFor(t, open);
      const [mine, others] = [unique('acc'), unique('acc')];
      const v = await issueOne(own.store, { accountId: mine, createdAt: NOON });
      const right = guessAt(v, 'right');
      await own.store.confirm(right);
      const times = Array.from({ length: MOST_ROWS + 1 }, (_, row) => NOON + 1 + (row >> 4));
      await someAtATime(times, (createdAt) => issueOne(own.store, { accountId: others, createdAt }));
      const query = { accountId: mine, filter: {}, limit: 50, now: NOON };
      const first = await own.store.searchArchive({ ...query, before: null });
      assert.deepEqual(first.verifications, []);
      assert.equal(first.searchedTo, NOON + 1);
      const second = await own.store.searchArchive({ ...query, before: first.next });
      assert.deepEqual(idsOf(second.verifications), [v.id]);
      assert.deepEqual([second.next, second.searchedTo], [null, null]);
      // Counting stops there too, and the parts add up.
      const counted = await own.store.countArchive({ ...query, before: null });
      assert.deepEqual(counted, { count: 0, next: first.next, searchedTo: first.searchedTo });
      const rest = await own.store.countArchive({ ...query, before: counted.next });
      assert.deepEqual(rest, { count: 1, next: null, searchedTo: null });
      // When a number was last confirmed is known all the same.
      assert.equal(
        await own.store.lastConfirmed({ accountId: mine, test: false }, [v.destinationHash], NOON),
        right.now,
      );
    });

    test('when a number was last confirmed is known of each account, of each kind, and as long as it is kept', async () => {
      const { store } = archive;
      const mine = { accountId: unique('acc'), test: false };
      const [hash, earlier] = [unique('hash'), unique('hash')];
      const add = async (destinationHash: string, at: number, wanted: Partial<NewVerification> = {}) => {
        const v = await issueOne(store, { ...mine, destinationHash, createdAt: NOON + at, ...wanted });
        const right = guessAt(v, 'right');
        return { confirm: () => store.confirm(right), at: right.now };
      };
      const last = (hashes: readonly string[], scope: Scope = mine, now = NOON) =>
        store.lastConfirmed(scope, hashes, now);
      await add(hash, 0);
      assert.equal(await last([hash, earlier]), null);
      const before = await add(earlier, 1);
      await before.confirm();
      assert.deepEqual([await last([hash, earlier]), await last([hash])], [before.at, null]);
      const later = await add(hash, 3);
      const between = await add(hash, 2);
      await later.confirm();
      await between.confirm();
      assert.deepEqual([await last([hash, earlier]), await last([earlier])], [later.at, before.at]);
      await (await add(unique('hash'), 4)).confirm();
      await (await add(hash, 5, { accountId: unique('acc') })).confirm();
      const tried = await add(hash, 6, { test: true });
      await tried.confirm();
      assert.equal(await last([hash, earlier]), later.at);
      assert.equal(await last([hash], { ...mine, test: true }), tried.at);
      const { verifications: kept } = LAX.retention;
      assert.equal(await last([hash, earlier], mine, NOON + 2 + kept), later.at);
      assert.equal(await last([hash, earlier], mine, NOON + 3 + kept), null);
    });
  });
}
