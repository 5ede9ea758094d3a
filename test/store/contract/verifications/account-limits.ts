import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { Limit } from '../../../../src/core/verification/limits.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  guessAt,
  HOUR,
  issueOne,
  kindsOf,
  MINUTE,
  macOf,
  newVerification,
  type OpenStore,
  openFor,
  SECOND,
  tally,
  unique,
  withLimits,
} from '../rig.ts';

const SENDS: readonly Limit[] = [{ max: 4, windowMs: MINUTE }];
const GUESSES: readonly Limit[] = [{ max: 6, windowMs: MINUTE }];
const RULES = withLimits({ sendsPerDestination: SENDS, failedGuessesPerDestination: GUESSES });
const MIDNIGHT = Math.ceil(Date.now() / DAY) * DAY;

/** Of accounts: stricter than the store's, looser, with windows of up to a day, several, and none. */
const LISTS: readonly (readonly Limit[] | undefined)[] = [
  undefined,
  [{ max: 1, windowMs: 10 * SECOND }],
  [{ max: 100, windowMs: DAY }],
  [
    { max: 2, windowMs: 10 * SECOND },
    { max: 6, windowMs: HOUR },
  ],
];

/** So many simultaneous wrong guesses at fresh codes of the destination, two for each code. */
async function guessWrong(
  store: Store,
  shared: Partial<NewVerification>,
  limits: readonly Limit[],
  count: number,
) {
  const codes = await Promise.all(
    Array.from({ length: Math.ceil(count / 2) }, () => issueOne(store, { ...shared, guesses: 2 })),
  );
  const guesses = codes.flatMap((v) => [guessAt(v, 'wrong'), guessAt(v, 'wrong')]);
  return Promise.all(guesses.map((guess) => store.confirm({ ...guess, limits })));
}

export function describeAccountLimits(open: OpenStore): void {
  suite('limits of an account', () => {
    test('hold in place of those of the store, as in a naive model', async (t) => {
      const { store } = await openFor(t, open, RULES);
      const request = fc.record({
        destination: fc.integer({ min: 0, max: LISTS.length - 1 }),
        gap: fc.oneof(
          fc.integer({ min: 0, max: 20 * SECOND }),
          fc.constantFrom(0, 1, 9_999, 10_000, 59_999, 60_000, HOUR - 1, HOUR),
        ),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(request, { minLength: 10, maxLength: 30, size: 'max' }),
          async (requests) => {
            const run = unique('run');
            const sends = LISTS.map((): number[] => []);
            let now = MIDNIGHT - HOUR;
            for (const { destination, gap } of requests) {
              now += gap;
              const own = sends[destination] ?? [];
              const limits = LISTS[destination];
              const reached = (limits ?? SENDS).flatMap((limit) => {
                const freeing = own.filter((time) => time > now - limit.windowMs).at(-limit.max);
                return freeing === undefined ? [] : [{ limit, retryAfterMs: freeing + limit.windowMs - now }];
              });
              const [last] = reached.sort((a, b) => b.retryAfterMs - a.retryAfterMs);
              const v = newVerification({ destinationHash: `${run} ${destination}`, createdAt: now, limits });
              const outcome = await store.issue(v);
              if (last === undefined) {
                assert.deepEqual(outcome, { kind: 'issued' });
                own.push(now);
              } else {
                assert.deepEqual(outcome, { kind: 'limited', scope: 'destination', ...last });
              }
            }
          },
        ),
        { numRuns: 30 },
      );
    });

    test('are exact under a race, also among calls of accounts with other limits and with none', async (t) => {
      const { store } = await openFor(t, open, RULES);
      const createdAt = Date.now();
      const destinations = LISTS.map((limits, i) => ({
        limits,
        destinationHash: unique('hash'),
        allowed: [4, 1, 100, 2][i] ?? 0,
      }));
      const calls = Array.from({ length: 400 }, (_, i) => {
        const { limits, destinationHash } = destinations[i % destinations.length] ?? {};
        return store.issue(newVerification({ limits, destinationHash: destinationHash ?? '', createdAt }));
      });
      const kinds = kindsOf(await Promise.all(calls));
      for (const [index, { allowed }] of destinations.entries()) {
        const own = kinds.filter((_, i) => i % destinations.length === index);
        assert.equal(own.filter((kind) => kind === 'issued').length, allowed);
      }
    });

    const guesses = {
      'by id': (store: Store, v: NewVerification, limits: readonly Limit[] | undefined) =>
        store.confirm({ ...guessAt(v, 'wrong'), limits }),
      'under a key': (store: Store, v: NewVerification, limits: readonly Limit[] | undefined) =>
        store.confirm({
          ...guessAt(v, 'wrong'),
          limits,
          idempotency: { keyHash: unique('idem'), bodyHash: 'guess' },
        }),
      'by number': (store: Store, v: NewVerification, limits: readonly Limit[] | undefined) => {
        const { id, codeMac: _, accountId, test: isTest, now } = guessAt(v, 'wrong');
        const candidates = [{ id, codeMac: macOf(id, 'wrong'), earlierCodeMacs: [] }];
        const { destinationHash } = v;
        const number = { accountId, test: isTest, destinationHash, earlierDestinationHashes: [], now };
        return store.confirmByNumber({ ...number, candidates, limits });
      },
    };
    for (const [how, guess] of Object.entries(guesses)) {
      test(`those of guesses ${how} are those of their account, whatever others guess at the same moment`, async (t) => {
        const { store } = await openFor(t, open, RULES);
        const codes = await Promise.all(LISTS.map(() => issueOne(store, { guesses: 100, byNumber: true })));
        const calls = Array.from({ length: 80 }, (_, i) => {
          const v = codes[i % codes.length];
          assert.ok(v);
          return guess(store, v, LISTS[i % codes.length]);
        });
        const outcomes = await Promise.all(calls);
        const judged = codes.map(
          (_, index) =>
            outcomes.filter(({ kind }, i) => i % codes.length === index && kind === 'mismatch').length,
        );
        assert.deepEqual(judged, [6, 1, 20, 2]);
      });
    }

    test('more lists than a store prepares for in advance all apply', async (t) => {
      const { store } = await openFor(t, open, RULES);
      const createdAt = Date.now();
      for (let round = 0; round < 2; round++) {
        const calls = Array.from({ length: 150 }, (_, i) => {
          const limits = [{ max: 1, windowMs: HOUR + i }];
          return store.issue(newVerification({ limits, destinationHash: `same ${i}`, createdAt }));
        });
        const kinds = new Set(kindsOf(await Promise.all(calls)));
        assert.deepEqual(kinds, new Set([round === 0 ? 'issued' : 'limited']));
      }
    });

    for (const [max, judged] of [
      [3, 3],
      [50, 6],
    ] as const) {
      test(`a budget of ${max} wrong guesses beside one of 6 lets ${judged} be judged, however many race`, async (t) => {
        const { store } = await openFor(t, open, withLimits({ failedGuessesPerDestination: GUESSES }));
        const limits = [...GUESSES, { max, windowMs: HOUR }];
        const shared = { destinationHash: unique('hash'), createdAt: Date.now() };
        const last = await issueOne(store, shared);
        const outcomes = await guessWrong(store, shared, limits, 40);
        assert.deepEqual(tally(outcomes), { mismatch: judged, 'attempts-exhausted': 40 - judged });
        const lowest = Math.min(
          ...outcomes.map((outcome) => (outcome.kind === 'mismatch' ? outcome.attemptsRemaining : 99)),
        );
        assert.equal(lowest, 0, 'the last guess says that it was the last');
        const right = await store.confirm({ ...guessAt(last, 'right'), limits });
        assert.equal(right.kind, 'attempts-exhausted');
      });
    }

    test('a success also clears the failed guesses of the longer window', async (t) => {
      const { store } = await openFor(t, open, withLimits({ failedGuessesPerDestination: GUESSES }));
      const limits = [{ max: 2, windowMs: DAY }];
      const shared = { destinationHash: unique('hash'), createdAt: MIDNIGHT - SECOND };
      const [first, second] = [await issueOne(store, shared), await issueOne(store, shared)];
      const confirm = async (v: NewVerification, code: 'right' | 'wrong', now: number) =>
        (await store.confirm({ ...guessAt(v, code, now), limits })).kind;
      assert.equal(await confirm(first, 'wrong', MIDNIGHT - 1), 'mismatch');
      assert.equal(await confirm(first, 'right', MIDNIGHT + MINUTE), 'confirmed');
      const kinds = [];
      for (let i = 0; i < 3; i++) kinds.push(await confirm(second, 'wrong', MIDNIGHT + 2 * MINUTE));
      assert.deepEqual(kinds, ['mismatch', 'mismatch', 'attempts-exhausted']);
    });

    test('a window of a day is remembered, even if the store’s own are shorter', async (t) => {
      const { store } = await openFor(t, open, RULES);
      const limits = [{ max: 2, windowMs: DAY }];
      // Within one day (UTC), and over midnight.
      for (const begin of [MIDNIGHT - DAY + SECOND, MIDNIGHT - DAY / 2]) {
        const shared = { destinationHash: unique('hash'), limits };
        for (const createdAt of [begin, begin + HOUR]) await issueOne(store, { ...shared, createdAt });
        const guessed = await issueOne(store, { destinationHash: unique('hash'), createdAt: begin });
        for (let i = 0; i < 2; i++) await store.confirm({ ...guessAt(guessed, 'wrong'), limits });
        const later = begin + 23 * HOUR;
        while (await store.purge(later));
        assert.equal((await store.issue(newVerification({ ...shared, createdAt: later }))).kind, 'limited');
        const { destinationHash } = guessed;
        const again = await issueOne(store, { destinationHash, createdAt: later });
        const refused = await store.confirm({ ...guessAt(again, 'right'), limits });
        assert.equal(refused.kind, 'attempts-exhausted');
      }
    });

    test('what a window of a day counts is remembered, whatever calls with shorter ones come between', async (t) => {
      const { store } = await openFor(t, open, RULES);
      const long = [{ max: 3, windowMs: DAY }];
      const short = [{ max: 100, windowMs: MINUTE }];
      const shared = { destinationHash: unique('hash') };
      // As by two nodes of which one has the new configuration, and the other the one before.
      const begin = MIDNIGHT - DAY + SECOND;
      for (const [i, limits] of [long, short, long].entries())
        await issueOne(store, { ...shared, limits, createdAt: begin + i * HOUR });
      const later = begin + 3 * HOUR;
      const again = newVerification({ ...shared, limits: long, createdAt: later });
      assert.equal((await store.issue(again)).kind, 'limited');

      const guessed = await issueOne(store, {
        destinationHash: unique('hash'),
        createdAt: later,
        guesses: 9,
      });
      const guess = async (limits: readonly Limit[], now: number) =>
        (await store.confirm({ ...guessAt(guessed, 'wrong', now), limits })).kind;
      for (const [i, limits] of [long, short, long].entries())
        assert.equal(await guess(limits, later + (1 + 2 * i) * MINUTE), 'mismatch');
      assert.equal(await guess(long, later + 7 * MINUTE), 'attempts-exhausted');
    });
  });
}
