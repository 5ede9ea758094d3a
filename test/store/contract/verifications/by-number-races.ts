/** Many guesses at a number at once, spread over two connections where the store allows them. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { NumberOutcome } from '../../../../src/core/verification/by-number/number-store.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  guessAt,
  issueOne,
  LAX,
  MINUTE,
  newVerification,
  type OpenedStore,
  type OpenStore,
  SECOND,
  tally,
  untilServed,
  withLimits,
} from '../rig.ts';
import { check, codeOf } from './by-number.ts';

/** Checks of one number go one after the other, and a store lets none of them wait for more than some seconds. */
const CALLS = 100;
const CODES = 3;
const GUESSES = 4;
const BUDGET = 10;

export function describeByNumberRaces(open: OpenStore): void {
  suite('races for a number', () => {
    let opened: OpenedStore;
    let stores: Store[];

    before(async () => {
      opened = await open(
        withLimits({
          ...LAX.limits,
          failedGuessesPerDestination: [{ max: BUDGET, windowMs: DAY }],
        }),
      );
      const second = await opened.second?.();
      stores = second === undefined ? [opened.store] : [opened.store, second];
    });
    after(() => opened.dispose());

    const storeOf = (nth: number): Store => stores[nth % stores.length] ?? opened.store;

    /** Codes of one number, the last of which is returned on its own too. */
    async function issueFor(guesses: number, isTest = false) {
      const { accountId, destinationHash, createdAt } = newVerification();
      const codes: NewVerification[] = [];
      for (let i = 0; i < CODES; i++) {
        const made = { accountId, destinationHash, guesses, byNumber: true, test: isTest };
        codes.push(await issueOne(opened.store, { ...made, createdAt: createdAt + i }));
      }
      const newest = codes.at(-1);
      if (newest === undefined) throw new Error('no code was issued');
      return { codes, newest };
    }

    const race = (call: (store: Store, nth: number) => Promise<NumberOutcome>) =>
      Promise.all(Array.from({ length: CALLS }, (_, nth) => untilServed(() => call(storeOf(nth), nth))));

    // No limit counts what test keys send, so no row of the number orders these.
    for (const isTest of [false, true]) {
      const kind = isTest ? 'test' : 'live';
      test(`of simultaneous right codes of one number exactly one is approved (${kind})`, async () => {
        const { codes, newest } = await issueFor(GUESSES, isTest);
        const answers = await race((store, nth) =>
          check(store, newest, codeOf(codes[nth % CODES] ?? newest), newest.createdAt + MINUTE),
        );
        assert.deepEqual(tally(answers), { confirmed: 1, unknown: CALLS - 1 });
        const now = newest.createdAt + 2 * MINUTE;
        const later = await Promise.all(codes.map((v) => opened.store.confirm(guessAt(v, 'right', now))));
        assert.deepEqual(tally(later), { 'already-confirmed': 1, expired: CODES - 1 });
      });
    }

    test('of simultaneous wrong codes never more are judged than the guesses of all codes', async () => {
      const { codes, newest } = await issueFor(2);
      const answers = await race((store) => check(store, newest, (id) => `nothing ${id}`));
      assert.deepEqual(tally(answers), { mismatch: 2 * CODES, 'attempts-exhausted': CALLS - 2 * CODES });
      for (const v of codes) {
        const judged = answers.filter((answer) => 'id' in answer && answer.id === v.id);
        assert.equal(judged.length, 2);
      }
    });

    test('nor more than the budget of the number, by number and by id together', async () => {
      const { codes, newest } = await issueFor(GUESSES);
      const outcomes = await Promise.all(
        Array.from({ length: CALLS }, (_, nth) =>
          nth % 2 === 0
            ? check(storeOf(nth >> 1), newest, (id) => `nothing ${id}`)
            : storeOf(nth >> 1).confirm(guessAt(codes[nth % CODES] ?? newest, 'wrong')),
        ),
      );
      assert.deepEqual(tally(outcomes), { mismatch: BUDGET, 'attempts-exhausted': CALLS - BUDGET });
    });

    test('by number and by id, and canceled meanwhile: one success at most', async () => {
      const rounds = await Promise.all(
        Array.from({ length: 40 }, async (_, round) => {
          const { codes, newest } = await issueFor(GUESSES);
          const now = newest.createdAt + SECOND;
          const answers = await Promise.all([
            check(storeOf(round), newest, codeOf(newest), now),
            storeOf(round + 1).confirm(guessAt(newest, 'right', now)),
            storeOf(round + 1)
              .cancel({ ...newest, now })
              .then((done) => ({ kind: done ? 'canceled' : 'not' })),
            check(storeOf(round + 1), newest, codeOf(codes[0] ?? newest), now),
          ]);
          const { confirmed = 0, canceled = 0 } = tally(answers);
          const ofNewest = answers.filter(
            (answer, i) =>
              answer.kind === 'confirmed' && (i === 1 || ('id' in answer && answer.id === newest.id)),
          );
          assert.ok(ofNewest.length + canceled <= 1, JSON.stringify(answers));
          return confirmed;
        }),
      );
      assert.ok(rounds.every((confirmed) => confirmed <= 2));
    });
  });
}
