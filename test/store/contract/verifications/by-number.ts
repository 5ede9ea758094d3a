/** Codes that are confirmed by their number: one guess for all live codes of it, one approval, and what ends with that. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import type { NumberGuess, NumberOutcome } from '../../../../src/core/verification/by-number/number-store.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  FAILOVER,
  guessAt,
  issueOne,
  LEASE,
  MINUTE,
  macOf,
  newVerification,
  type OpenedStore,
  type OpenStore,
  SECOND,
  SUBMITTED,
  seenByPeople,
  settlement,
  unique,
  VALID_FOR,
  withLimits,
} from '../rig.ts';
import { createNumberModel, MODEL_BUDGET, type Step } from './number-model.ts';

/** Looks for the live codes of a number and holds this code against them. */
export async function check(
  store: Store,
  { accountId, test, destinationHash, createdAt }: NewVerification,
  codeMacOf: (id: string) => string,
  now = createdAt + SECOND,
  wanted: Partial<NumberGuess> = {},
): Promise<NumberOutcome> {
  const number = { accountId, test, destinationHash, earlierDestinationHashes: [], now, ...wanted };
  const live = await store.findLive(number);
  const candidates = live.map(({ id }) => ({ id, codeMac: codeMacOf(id), earlierCodeMacs: [] }));
  return store.confirmByNumber({ ...number, candidates, ...wanted });
}

/** The code of one verification, guessed for its number. */
export const codeOf =
  (v: NewVerification) =>
  (id: string): string =>
    macOf(id, id === v.id ? 'right' : 'wrong');

const wrong = (id: string): string => macOf(id, 'wrong');

/** Codes of one number, the oldest first, a second apart; the last is made now. */
async function issueFor(store: Store, count: number, wanted: Partial<NewVerification> = {}) {
  const one = { ...newVerification(), ...wanted };
  const { accountId, destinationHash, test } = one;
  const codes: NewVerification[] = [];
  for (let i = 0; i < count; i++) {
    const createdAt = one.createdAt - (count - 1 - i) * SECOND;
    const made = { ...wanted, accountId, destinationHash, test, createdAt, byNumber: true };
    codes.push(await issueOne(store, made));
  }
  const [oldest, newest] = [codes[0], codes.at(-1)];
  if (oldest === undefined || newest === undefined) throw new Error('no code was asked for');
  return { oldest, newest, codes };
}

export function describeByNumber(open: OpenStore): void {
  suite('codes by number', () => {
    let opened: OpenedStore;
    let store: Store;

    before(async () => {
      opened = await open(withLimits({ failedGuessesPerDestination: [MODEL_BUDGET] }));
      store = opened.store;
    });
    after(() => opened.dispose());

    const guessesLeft = async ({ id, accountId, createdAt }: NewVerification) =>
      (await store.findArchived(seenByPeople(accountId), id, createdAt + SECOND))?.verification.guessesLeft;

    for (const isTest of [false, true]) {
      test(`the code of any of them confirms, and ends the others (${isTest ? 'test' : 'live'})`, async () => {
        const { oldest, newest, codes } = await issueFor(store, 3, {
          test: isTest,
          clientNetwork: 'network',
        });
        const now = newest.createdAt + SECOND;
        assert.deepEqual(await check(store, newest, codeOf(oldest)), {
          kind: 'confirmed',
          id: oldest.id,
          channel: 'sms',
          country: 'DE',
          destinationSealed: oldest.destinationSealed,
          carrier: null,
          createdAt: oldest.createdAt,
          clientNetwork: 'network',
          ...(isTest && { test: true }),
        });
        const number = { ...newest, now: now + 1 };
        assert.deepEqual(await store.findLive(number), []);
        assert.deepEqual(await check(store, newest, codeOf(newest)), { kind: 'unknown' });
        const byId = await Promise.all(codes.map((v) => store.confirm(guessAt(v, 'right', now + 1))));
        assert.deepEqual(
          byId.map(({ kind }) => kind),
          ['already-confirmed', 'expired', 'expired'],
        );
        // Their messages are not sent any more.
        const claimed = await store.claim(
          newest.createdAt + MINUTE,
          newest.createdAt + MINUTE + LEASE,
          1_000,
        );
        const ids = new Set(codes.map(({ id }) => id));
        assert.deepEqual(
          claimed.filter(({ id }) => ids.has(id)),
          [],
        );
      });
    }

    test('a confirmation ends no code of another number that is guessed at the same moment', async () => {
      const [one, other] = [await issueFor(store, 2), await issueFor(store, 2)];
      const guess = ({ newest, codes }: typeof one, codeMacOf: (id: string) => string) => {
        const candidates = codes.map(({ id }) => ({ id, codeMac: codeMacOf(id), earlierCodeMacs: [] }));
        return store.confirmByNumber({ ...newest, now: newest.createdAt + SECOND, candidates });
      };
      const outcomes = await Promise.all([guess(one, codeOf(one.newest)), guess(other, wrong)]);
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['confirmed', 'mismatch'],
      );
      const { accountId, id, createdAt, expiresAt } = one.newest;
      const confirmed = await store.findArchived(seenByPeople(accountId), id, createdAt + SECOND);
      assert.equal(confirmed?.verification.expiresAt, expiresAt, 'nor is it said to have ended itself');
      assert.equal((await check(store, other.newest, codeOf(other.oldest))).kind, 'confirmed');
    });

    test('live codes are found newest first, and only those of the account and number', async () => {
      const { oldest, newest, codes } = await issueFor(store, 3, { channel: 'voice' });
      const number = { ...newest, now: newest.createdAt + SECOND };
      const ids = codes.map(({ id }) => id).reverse();
      assert.deepEqual(
        await store.findLive(number),
        ids.map((id) => ({ id, channel: 'voice' })),
      );
      const other = unique('hash');
      assert.deepEqual(await store.findLive({ ...number, destinationHash: other }), []);
      // While a secret is rotated, a number has earlier hashes.
      const rotated = {
        ...number,
        destinationHash: other,
        earlierDestinationHashes: [newest.destinationHash],
      };
      assert.equal((await store.findLive(rotated)).length, 3);
      const later = await store.findLive({ ...number, now: oldest.createdAt + VALID_FOR });
      assert.deepEqual(
        later.map(({ id }) => id),
        ids.slice(0, 2),
      );
      const candidates = [{ id: newest.id, codeMac: macOf(newest.id, 'right'), earlierCodeMacs: [] }];
      const stranger = { ...number, accountId: unique('acc'), candidates };
      assert.deepEqual(await store.confirmByNumber(stranger), { kind: 'unknown' });
    });

    test('a wrong code uses up one guess, of the newest', async () => {
      const { oldest, newest } = await issueFor(store, 2, { clientNetwork: 'network' });
      assert.deepEqual(await check(store, newest, wrong), {
        ...{ kind: 'mismatch', id: newest.id, attemptsRemaining: 4 },
        ...{ country: 'DE', clientNetwork: 'network' },
      });
      assert.deepEqual([await guessesLeft(oldest), await guessesLeft(newest)], [5, 4]);
    });

    test('a code whose guesses are used up never matches, and the older ones take its place', async () => {
      const { oldest, newest } = await issueFor(store, 2, { guesses: 1 });
      const judgedAs = async (code: (id: string) => string) => {
        const outcome = await check(store, newest, code);
        return 'id' in outcome ? [outcome.kind, outcome.id] : [outcome.kind];
      };
      assert.deepEqual(await judgedAs(wrong), ['mismatch', newest.id]);
      assert.deepEqual(await judgedAs(codeOf(newest)), ['mismatch', oldest.id]);
      assert.deepEqual(await judgedAs(codeOf(oldest)), ['attempts-exhausted']);
    });

    test('the budget of the number holds for them too, and for an account of its own limits', async () => {
      const { newest } = await issueFor(store, 1, { guesses: 100 });
      const limits = [{ max: 2, windowMs: DAY }];
      for (let i = 0; i < 2; i++) await check(store, newest, wrong, undefined, { limits });
      const last = await check(store, newest, codeOf(newest), undefined, { limits });
      assert.deepEqual(last, { kind: 'attempts-exhausted' });
    });

    test('what changed since the codes were found decides', async () => {
      const { oldest, newest, codes } = await issueFor(store, 2);
      const now = newest.createdAt + SECOND;
      const candidates = codes.map(({ id }) => ({ id, codeMac: codeOf(newest)(id), earlierCodeMacs: [] }));
      await store.cancel({ ...newest, now });
      const late = await store.confirmByNumber({ ...newest, now, candidates });
      assert.deepEqual('id' in late && [late.kind, late.id], ['mismatch', oldest.id]);
      const added = await issueOne(store, { ...newest, id: newVerification().id, byNumber: true });
      const right = candidates.map((each) => ({ ...each, codeMac: macOf(each.id, 'right') }));
      assert.equal((await store.confirmByNumber({ ...newest, now, candidates: right })).kind, 'confirmed');
      assert.equal((await store.confirm(guessAt(added, 'right', now + 1))).kind, 'expired');
    });

    test('of an erased code nothing is found by its number', async () => {
      const { newest } = await issueFor(store, 1);
      const { id, destinationHash, createdAt } = newest;
      const now = createdAt + SECOND;
      assert.equal((await store.findLive({ ...newest, now })).length, 1);
      await store.transact([
        { erase: { ids: [id], destinationHashes: [destinationHash], receiptIds: [], now } },
      ]);
      assert.deepEqual(await store.findLive({ ...newest, now }), []);
    });

    test('codes written under an earlier secret match', async () => {
      const { newest } = await issueFor(store, 1);
      const now = newest.createdAt + SECOND;
      const earlierCodeMacs = [macOf(newest.id, 'other'), macOf(newest.id, 'right')];
      const candidates = [{ id: newest.id, codeMac: macOf(newest.id, 'wrong'), earlierCodeMacs }];
      assert.equal((await store.confirmByNumber({ ...newest, now, candidates })).kind, 'confirmed');
    });

    test('a canceled code is over: it does not confirm, is not sent and counts as nothing', async () => {
      const { newest } = await issueFor(store, 1);
      const now = newest.createdAt + SECOND;
      const wanted = { id: newest.id, accountId: newest.accountId, test: false, now };
      assert.equal(await store.cancel({ ...wanted, test: true }), false);
      assert.equal(await store.cancel({ ...wanted, accountId: unique('acc') }), false);
      assert.equal(await store.cancel({ ...wanted, id: 'ver_none' }), false);
      assert.equal(await store.cancel(wanted), true);
      assert.equal(await store.cancel(wanted), false);
      assert.deepEqual(await store.findLive({ ...newest, now }), []);
      assert.equal((await store.confirm(guessAt(newest, 'right', now))).kind, 'expired');
      assert.deepEqual(await check(store, newest, codeOf(newest), now), { kind: 'unknown' });
      // One whose message nobody has taken is given up without having failed.
      const silent = await issueOne(store, { accountId: newest.accountId, byNumber: true });
      assert.equal(await store.cancel({ ...silent, now }), true);
      // The message that is under way is settled like that of a confirmed code.
      await store.settle(settlement(newest, FAILOVER, [{}]));
      const claimed = await store.claim(now + VALID_FOR, now + VALID_FOR + LEASE, 1_000);
      assert.ok(claimed.every(({ id }) => id !== newest.id));
      const hour = { from: newest.createdAt - DAY, to: newest.createdAt + DAY };
      const rows = await store.tally({ accountId: newest.accountId, ...hour, by: [] });
      const counted = rows.map(({ confirmed, failed, mismatched }) => [confirmed, failed, mismatched]);
      assert.deepEqual(counted, [[0, 0, 0]]);
    });

    test('a confirmed code is not canceled', async () => {
      const { newest } = await issueFor(store, 1);
      await store.settle(settlement(newest, SUBMITTED, [{}]));
      const now = newest.createdAt + SECOND;
      await store.confirm(guessAt(newest, 'right', now));
      assert.equal(await store.cancel({ ...newest, now }), false);
      const found = await store.findArchived(seenByPeople(newest.accountId), newest.id, now);
      assert.equal(found?.verification.status, 'confirmed');
    });

    test('a code that the client brought is approved on its word, and no other', async () => {
      const { oldest, newest } = await issueFor(store, 2, { brought: true });
      const now = newest.createdAt + SECOND;
      const wanted = { id: newest.id, accountId: newest.accountId, test: false, now };
      assert.deepEqual(await store.approve({ ...wanted, test: true }), { kind: 'unknown' });
      assert.deepEqual(await store.approve({ ...wanted, accountId: unique('acc') }), { kind: 'unknown' });
      assert.deepEqual(await store.approve({ ...wanted, id: 'ver_none' }), { kind: 'unknown' });
      const approved = await store.approve(wanted);
      assert.deepEqual('id' in approved && [approved.kind, approved.id], ['confirmed', newest.id]);
      assert.deepEqual(await store.approve(wanted), { kind: 'unknown' });
      assert.equal((await store.confirm(guessAt(oldest, 'right', now + 1))).kind, 'expired');
      const drawn = (await issueFor(store, 1)).newest;
      assert.deepEqual(await store.approve({ ...drawn, now }), { kind: 'not-brought' });
    });

    test('it is approved within the limits that a code is checked by', async () => {
      const { newest } = await issueFor(store, 1, { brought: true });
      const wanted = { ...newest, now: newest.createdAt + SECOND };
      const limits = [{ max: 2, windowMs: DAY }];
      for (let i = 0; i < 2; i++) await check(store, newest, wrong, wanted.now, { limits });
      assert.deepEqual(await store.approve({ ...wanted, limits }), { kind: 'attempts-exhausted' });
      assert.equal((await store.approve({ ...wanted, limits: undefined })).kind, 'confirmed');
    });

    test('any sequence of steps comes out as in the model', async () => {
      const codes = fc.constantFrom('a', 'b', 'c');
      const numbers = fc.constantFrom(0, 1);
      const step = fc.oneof(
        fc.record({ kind: fc.constant('issue' as const), number: numbers, code: codes }),
        fc.record({ kind: fc.constant('check' as const), number: numbers, code: codes }),
        fc.record({ kind: fc.constant('check' as const), number: numbers, code: codes }),
        fc.record({ kind: fc.constant('confirm' as const), nth: fc.nat(5), code: codes }),
        fc.record({ kind: fc.constant('cancel' as const), nth: fc.nat(5) }),
        // A clock may be set back.
        fc.record({
          kind: fc.constant('wait' as const),
          ms: fc.constantFrom(-3 * MINUTE, MINUTE, VALID_FOR / 2),
        }),
      );
      const steps: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 5, maxLength: 25 });
      await fc.assert(
        fc.asyncProperty(steps, async (wanted) => {
          const model = createNumberModel(store, Date.now() - 2 * 3_600_000);
          for (const each of wanted) {
            const { expected, got } = await model.take(each);
            assert.deepEqual(got, expected, JSON.stringify(each));
          }
        }),
        { numRuns: 30 },
      );
    });
  });
}
