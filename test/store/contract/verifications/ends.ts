/** What has ended stays ended, whatever clocks say and whoever comes at the same moment: by its state, never by a time. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { query } from '../../../../src/core/sql/records.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  guessAt,
  issueOne,
  LAX,
  LEASE,
  MINUTE,
  macOf,
  newVerification,
  type OpenedStore,
  type OpenStore,
  SECOND,
  SUBMITTED,
  settlement,
  tally,
  unique,
  untilServed,
} from '../rig.ts';
import { check, codeOf } from './by-number.ts';

const AHEAD = 180 * SECOND;
const KINDS = [
  ['live', false],
  ['test', true],
] as const;

export function describeEnds(open: OpenStore): void {
  suite('what has ended', () => {
    let opened: OpenedStore;
    let stores: Store[];
    let store: Store;

    before(async () => {
      opened = await open(LAX);
      store = opened.store;
      const second = await opened.second?.();
      stores = second === undefined ? [store] : [store, second];
    });
    after(() => opened.dispose());

    const storeOf = (nth: number): Store => stores[nth % stores.length] ?? store;

    /** Codes of one number, made at the same moment. */
    async function issueFor(count: number, wanted: Partial<NewVerification> = {}) {
      const { accountId, destinationHash, createdAt } = newVerification(wanted);
      const codes: NewVerification[] = [];
      for (let i = 0; i < count; i++) {
        const one = { byNumber: true, ...wanted, accountId, destinationHash, createdAt };
        codes.push(await issueOne(store, { ...one, id: newVerification().id }));
      }
      return codes as [NewVerification, ...NewVerification[]];
    }

    const wantedOf = ({ id, accountId, test }: NewVerification, now: number) => ({
      id,
      accountId,
      test,
      now,
    });

    /** Nothing confirms it, ends it again, finds it or shows it as open. */
    async function assertOver(v: NewVerification, now: number): Promise<void> {
      assert.deepEqual(await store.findLive({ ...v, now }), []);
      const candidates = [{ id: v.id, codeMac: macOf(v.id, 'right'), earlierCodeMacs: [] }];
      assert.deepEqual(await store.confirmByNumber({ ...v, now, candidates }), { kind: 'unknown' });
      assert.deepEqual(await store.confirm(guessAt(v, 'right', now)), { kind: 'expired' });
      assert.equal(await store.cancel(wantedOf(v, now)), false);
      const found = await store.findArchived(v, v.id, now);
      assert.ok(found !== undefined);
      assert.notEqual(found.verification.status, 'pending');
      assert.notEqual(found.verification.endedAt, null);
      assert.ok(found.verification.expiresAt <= v.expiresAt);
    }

    for (const [kind, isTest] of KINDS) {
      test(`of three codes of one number, each typed four times at once, one is approved (${kind})`, async () => {
        const rounds = await Promise.all(
          Array.from({ length: 12 }, async (_, round) => {
            const codes = await issueFor(3, { test: isTest });
            const [newest] = codes;
            // Nobody's clock was read in the order in which the database takes them.
            const answers = await Promise.all(
              Array.from({ length: 12 }, (_, nth) =>
                untilServed(() =>
                  check(
                    storeOf(nth + round),
                    newest,
                    codeOf(codes[nth % 3] ?? newest),
                    newest.createdAt + SECOND + ((nth * 7) % 12),
                  ),
                ),
              ),
            );
            return tally(answers).confirmed;
          }),
        );
        assert.deepEqual(rounds, Array(12).fill(1));
      });

      test(`a code is not approved after another, though its check began before (${kind})`, async () => {
        const [a, b] = await issueFor(2, { test: isTest });
        assert.ok(b !== undefined);
        assert.equal((await check(store, a, codeOf(a), a.createdAt + 5 * SECOND)).kind, 'confirmed');
        await assertOver(b, b.createdAt + 3 * SECOND);
      });

      test(`a code is canceled or approved, never both (${kind})`, async () => {
        const pairs = await Promise.all(
          Array.from({ length: 60 }, async (_, nth) => {
            const [v] = await issueFor(1, { test: isTest });
            const now = v.createdAt + SECOND;
            const candidates = [{ id: v.id, codeMac: macOf(v.id, 'right'), earlierCodeMacs: [] }];
            const [canceled, { kind }] = await Promise.all([
              untilServed(() => storeOf(nth).cancel(wantedOf(v, now))),
              untilServed(() => storeOf(nth + 1).confirmByNumber({ ...v, now: now - 1, candidates })),
            ]);
            return `${canceled} ${kind}`;
          }),
        );
        const wrong = pairs.filter((pair) => pair !== 'true unknown' && pair !== 'false confirmed');
        assert.deepEqual(wrong, []);
      });

      test(`a confirmation by id ends the other codes of the number, where they are known by it (${kind})`, async () => {
        const [one, other, third] = await issueFor(3, { test: isTest });
        const [stranger] = await issueFor(1, { test: isTest, accountId: one.accountId });
        assert.ok(other !== undefined && third !== undefined);
        const now = one.createdAt + 5 * SECOND;
        const answers = await Promise.all([
          store.confirm({ ...guessAt(one, 'right', now), byNumber: true }),
          store.confirm({ ...guessAt(stranger, 'wrong', now), byNumber: true }),
        ]);
        assert.deepEqual(
          answers.map(({ kind }) => kind),
          ['confirmed', 'mismatch'],
        );
        await assertOver(other, now - 2 * SECOND);
        await assertOver(third, now);
        const claimed = await store.claim(now + MINUTE, now + MINUTE + LEASE, 1_000);
        const over = new Set([one, other, third].map(({ id }) => id));
        assert.deepEqual(
          claimed.filter(({ id }) => over.has(id)),
          [],
        );
        assert.equal((await store.confirm(guessAt(stranger, 'right', now))).kind, 'confirmed');
      });

      test(`by id and by number at once, one code of a number is approved (${kind})`, async () => {
        const rounds = await Promise.all(
          Array.from({ length: 20 }, async (_, round) => {
            const codes = await issueFor(2, { test: isTest });
            const [a, b = a] = codes;
            const now = a.createdAt + SECOND;
            const answers = await Promise.all([
              untilServed(() => check(storeOf(round), a, codeOf(a), now + 2)),
              untilServed(() => storeOf(round + 1).confirm({ ...guessAt(b, 'right', now), byNumber: true })),
              untilServed(() => storeOf(round).confirm({ ...guessAt(a, 'right', now + 1), byNumber: true })),
            ]);
            return tally(answers).confirmed;
          }),
        );
        assert.deepEqual(rounds, Array(20).fill(1));
      });
    }

    for (const [kind, isTest] of KINDS) {
      test(`of codes sent to a number one after the other, each ends those before, whoever sends at once (${kind})`, async () => {
        const [first, second] = await issueFor(2, { test: isTest });
        const stranger = await issueOne(store, { byNumber: true, test: isTest, createdAt: first.createdAt });
        const { accountId, destinationHash, createdAt } = first;
        const to = { accountId, destinationHash, test: isTest, byNumber: true, endsEarlier: true };
        const newest = await issueOne(store, { ...to, createdAt: createdAt + SECOND });
        const now = createdAt + 2 * SECOND;
        for (const v of [first, second]) {
          assert.ok(v !== undefined);
          assert.equal((await store.confirm(guessAt(v, 'right', now))).kind, 'expired');
        }
        assert.deepEqual(
          (await store.findLive({ ...newest, now })).map(({ id }) => id),
          [newest.id],
        );
        assert.equal((await store.confirm(guessAt(stranger, 'right', now))).kind, 'confirmed');

        const rounds = await Promise.all(
          Array.from({ length: 8 }, async (_, round) => {
            const at = { destinationHash: unique('hash'), accountId: unique('acc'), createdAt };
            const codes = Array.from({ length: 4 }, () => newVerification({ ...to, ...at }));
            await Promise.all(codes.map((v, nth) => untilServed(() => storeOf(round + nth).issue(v))));
            return (await store.findLive({ ...to, ...at, earlierDestinationHashes: [], now })).length;
          }),
        );
        assert.deepEqual(rounds, Array(8).fill(1));
      });
    }

    test('a code that is refused ends nothing', async () => {
      const [first] = await issueFor(1);
      const { accountId, destinationHash, createdAt } = first;
      const limits = [{ max: 1, windowMs: MINUTE }];
      const wanted = { accountId, destinationHash, createdAt, limits, byNumber: true, endsEarlier: true };
      assert.equal((await store.issue(newVerification(wanted))).kind, 'limited');
      assert.equal((await store.findLive({ ...first, now: first.createdAt + SECOND })).length, 1);
    });

    test('a confirmation by id ends nothing for who does not confirm by number', async () => {
      const [one, other] = await issueFor(2);
      assert.ok(other !== undefined);
      assert.equal((await store.confirm(guessAt(one, 'right'))).kind, 'confirmed');
      assert.equal((await store.confirm(guessAt(other, 'right'))).kind, 'confirmed');
    });

    test('a repeated confirmation by id ends the others too, and is answered the same', async () => {
      const [one, other] = await issueFor(2);
      assert.ok(other !== undefined);
      const idempotency = { keyHash: unique('idem'), bodyHash: 'guess' };
      const guess = { ...guessAt(one, 'right'), byNumber: true, idempotency };
      assert.equal((await store.confirm(guess)).kind, 'confirmed');
      assert.equal((await store.confirm(guess)).kind, 'replayed');
      await assertOver(other, other.createdAt + SECOND);
    });

    for (const [made, offset] of [
      ['before the clock was set forward', 0],
      ['while the clock was ahead', AHEAD],
    ] as const) {
      test(`codes of ${made} stay over when it is right again, and when that is corrected`, async () => {
        const createdAt = Date.now();
        const [a, b] = await issueFor(2, { createdAt: createdAt + offset });
        const [canceled] = await issueFor(1, { createdAt: createdAt + offset });
        assert.ok(b !== undefined);
        // It may have arrived, so that it has not failed.
        await store.settle(settlement(canceled, SUBMITTED, [{}]));
        const ahead = createdAt + AHEAD + SECOND;
        assert.equal((await check(store, b, codeOf(b), ahead)).kind, 'confirmed');
        assert.equal(await store.cancel(wantedOf(canceled, ahead)), true);
        for (const v of [a, canceled]) await assertOver(v, createdAt + 5 * SECOND);
        await store.clampFutureTimes(createdAt + 5 * SECOND, LEASE);
        for (const v of [a, canceled]) await assertOver(v, createdAt + 6 * SECOND);
      });
    }

    test('a code that a clock ahead took for expired is over as well once another is approved', async () => {
      const [a] = await issueFor(1);
      const late = a.createdAt + DAY / 24;
      const b = await issueOne(store, {
        ...{ accountId: a.accountId, destinationHash: a.destinationHash, byNumber: true },
        ...{ createdAt: late, expiresAt: late + MINUTE },
      });
      assert.equal((await check(store, b, codeOf(b), late + SECOND)).kind, 'confirmed');
      await assertOver(a, a.createdAt + 5 * SECOND);
    });

    test('a purge by a clock that was ahead makes no two codes of a number good', async () => {
      const [a, b] = await issueFor(2);
      assert.ok(b !== undefined);
      await store.purge(a.expiresAt + MINUTE);
      const now = a.createdAt + 5 * SECOND;
      assert.equal((await store.findLive({ ...a, now })).length, 2);
      assert.equal((await store.confirm({ ...guessAt(a, 'right', now), byNumber: true })).kind, 'confirmed');
      await assertOver(b, now);
    });

    test('a code of the day after, by a clock that was ahead, is ended with the others', async () => {
      const midnight = Math.ceil(Date.now() / DAY) * DAY;
      const [a] = await issueFor(1, { createdAt: midnight - 2 * MINUTE });
      const late = midnight + MINUTE;
      const ahead = await issueOne(store, {
        ...{ accountId: a.accountId, destinationHash: a.destinationHash, byNumber: true },
        ...{ createdAt: late, expiresAt: late + MINUTE },
      });
      assert.equal((await check(store, a, codeOf(a), midnight - MINUTE)).kind, 'confirmed');
      await assertOver(ahead, midnight - SECOND);
    });

    test('who knows no such state, and compares times, finds it over as well', async () => {
      const [a, b] = await issueFor(2);
      const [canceled] = await issueFor(1);
      const now = a.createdAt + SECOND;
      assert.equal((await check(store, a, codeOf(a), now)).kind, 'confirmed');
      assert.equal(await store.cancel(wantedOf(canceled, now)), true);
      const sql =
        'SELECT created_at, expires_at FROM verification WHERE account_id = $1 AND confirmed_at IS NULL';
      for (const v of [b, canceled]) {
        const [row] = await query(store, sql, v?.accountId ?? '');
        assert.ok(Number(row?.expires_at) <= Number(row?.created_at));
      }
    });

    test('codes that were not made for it are not found by their number', async () => {
      const [v] = await issueFor(1, { byNumber: undefined });
      assert.deepEqual(await store.findLive({ ...v, now: v.createdAt + SECOND }), []);
      assert.deepEqual(await check(store, v, codeOf(v)), { kind: 'unknown' });
    });
  });
}
