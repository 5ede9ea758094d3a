/** A guess that is repeated under its Idempotency-Key gets the same answer again, and costs nothing. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Guess, Idempotency, NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  guessAt,
  issueOne,
  LAX,
  MINUTE,
  mismatch,
  newVerification,
  type OpenedStore,
  type OpenStore,
  openFor,
  SECOND,
  tally,
  unique,
  withLimits,
} from '../rig.ts';
import { countsOf } from '../statistics/counting.ts';

const BUDGET = 50;
const RACERS = 500;

const RULES = withLimits({ failedGuessesPerDestination: [{ max: BUDGET, windowMs: DAY }] });

export function describeConfirmIdempotency(open: OpenStore): void {
  suite('idempotency of guesses', () => {
    let opened: OpenedStore;
    let store: Store;
    let stores: readonly Store[];

    before(async () => {
      opened = await open(RULES);
      store = opened.store;
      const second = await opened.second?.();
      stores = second === undefined ? [store] : [store, second];
    });
    after(() => opened.dispose());

    const newKey = (bodyHash = 'body'): Idempotency => ({ keyHash: unique('idem'), bodyHash });

    const keyed = (
      v: NewVerification,
      code: 'right' | 'wrong',
      idempotency = newKey(code),
      now?: number,
    ): Guess => ({ ...guessAt(v, code, now), idempotency });

    const replayOf = ({ destinationSealed, channel }: NewVerification, { now: confirmedAt }: Guess) => ({
      kind: 'replayed',
      first: { kind: 'confirmed', channel, destinationSealed, confirmedAt },
    });

    const counted = async (v: NewVerification) => {
      const { confirmed = 0, mismatched = 0 } = await countsOf(store, { accountId: v.accountId });
      return [confirmed, mismatched];
    };

    test('a confirmation is answered again on every connection, and counted once', async () => {
      const v = await issueOne(store, { channel: 'voice' });
      const guess = keyed(v, 'right');
      assert.equal((await store.confirm(guess)).kind, 'confirmed');
      for (const each of stores) {
        assert.deepEqual(await each.confirm({ ...guess, now: guess.now + MINUTE }), replayOf(v, guess));
      }
      assert.deepEqual(await counted(v), [1, 0]);
      assert.deepEqual(await store.confirm(guessAt(v, 'right')), { kind: 'already-confirmed' });
      assert.deepEqual(await store.confirm(keyed(v, 'right')), { kind: 'already-confirmed' });
    });

    test('a confirmation is answered again after the code has expired', async () => {
      const v = await issueOne(store);
      const guess = keyed(v, 'right');
      await store.confirm(guess);
      assert.deepEqual(await store.confirm({ ...guess, now: v.expiresAt + MINUTE }), replayOf(v, guess));
    });

    test('a wrong guess is answered again, and uses up nothing', async () => {
      const v = await issueOne(store);
      const guess = keyed(v, 'wrong');
      const first = { kind: 'mismatch', attemptsRemaining: 4 };
      assert.deepEqual(await store.confirm(guess), mismatch(4));
      for (let i = 0; i < 10; i++) assert.deepEqual(await store.confirm(guess), { kind: 'replayed', first });
      assert.deepEqual(await counted(v), [0, 1]);
      assert.deepEqual(await store.confirm(guessAt(v, 'wrong')), mismatch(3));
      assert.deepEqual(await store.confirm(guess), { kind: 'replayed', first }, 'as it was then');
      assert.equal((await store.confirm(guessAt(v, 'right'))).kind, 'confirmed');
      assert.deepEqual(await store.confirm(guess), { kind: 'replayed', first });
    });

    test('the first of its answers says who asked for the code', async () => {
      const v = await issueOne(store, { clientNetwork: 'network' });
      const wrong = await store.confirm(keyed(v, 'wrong'));
      assert.equal(wrong.kind === 'mismatch' && wrong.clientNetwork, 'network');
      const right = await store.confirm(keyed(v, 'right'));
      assert.equal(right.kind === 'confirmed' && right.clientNetwork, 'network');
    });

    test('beside a new guess, under the same key of another account, it is answered again and kept', async () => {
      const [v, other] = [await issueOne(store), await issueOne(store)];
      const guess = keyed(v, 'wrong');
      await store.confirm(guess);
      const first = { kind: 'mismatch', attemptsRemaining: 4 };
      const answers = await Promise.all(
        [guess, keyed(other, 'wrong', guess.idempotency)].map((each) => store.confirm(each)),
      );
      assert.deepEqual(answers, [{ kind: 'replayed', first }, mismatch(4)]);
      assert.deepEqual(await store.confirm(guess), { kind: 'replayed', first });
    });

    test('another body under the same key is a mismatch, and changes nothing', async () => {
      const v = await issueOne(store);
      const first = keyed(v, 'wrong');
      await store.confirm(first);
      const other = keyed(v, 'right', { keyHash: first.idempotency?.keyHash ?? '', bodyHash: 'right' });
      assert.deepEqual(await store.confirm(other), { kind: 'idempotency-mismatch' });
      assert.deepEqual(await store.confirm(guessAt(v, 'wrong')), mismatch(3));
    });

    test('is looked for whatever the id of the guess, and an id that is none of ours takes no key', async () => {
      const v = await issueOne(store);
      const first = keyed(v, 'wrong');
      await store.confirm(first);
      const kindsUnder = async (idempotency: Idempotency, bodyHash = 'other') => {
        const kinds = [];
        for (const id of ['nobody', 'ver_1', 'ver_é', newVerification().id]) {
          const guess = { ...keyed(v, 'wrong'), id, idempotency: { ...idempotency, bodyHash } };
          kinds.push((await store.confirm(guess)).kind);
        }
        return new Set(kinds);
      };
      const { idempotency = newKey() } = first;
      assert.deepEqual(await kindsUnder(idempotency), new Set(['idempotency-mismatch']));
      const free = newKey();
      assert.deepEqual(await kindsUnder(free), new Set(['unknown']));
      assert.equal((await store.confirm(keyed(v, 'right', free))).kind, 'confirmed');
    });

    test('keys belong to an account', async () => {
      const idempotency = newKey();
      for (const code of ['wrong', 'right'] as const) {
        const v = await issueOne(store);
        const outcome = await store.confirm(keyed(v, code, idempotency));
        assert.equal(outcome.kind, code === 'right' ? 'confirmed' : 'mismatch');
      }
    });

    test('what comes of a guess changes nothing of the key of another account', async () => {
      const idempotency = newKey('right');
      const [v, wrong, expired] = [await issueOne(store), await issueOne(store), await issueOne(store)];
      const guess = keyed(v, 'right', idempotency);
      assert.equal((await store.confirm(guess)).kind, 'confirmed');
      assert.equal((await store.confirm(keyed(wrong, 'wrong', idempotency))).kind, 'mismatch');
      const late = keyed(expired, 'right', idempotency, expired.expiresAt);
      assert.equal((await store.confirm(late)).kind, 'expired');
      assert.deepEqual(await store.confirm(guess), replayOf(v, guess));
    });

    test('a guess that was not judged leaves its key free', async () => {
      const unissued = newVerification();
      const v = await issueOne(store, { accountId: unissued.accountId, guesses: 1 });
      const spent = await issueOne(store, { accountId: unissued.accountId, guesses: 0 });
      const idempotency = newKey();
      const used = await issueOne(store, { accountId: unissued.accountId });
      await store.confirm(guessAt(used, 'right'));
      const kinds = [];
      for (const guess of [
        keyed(unissued, 'right', idempotency),
        keyed(v, 'right', idempotency, v.expiresAt),
        keyed(spent, 'right', idempotency),
        keyed(used, 'right', idempotency),
        keyed(v, 'right', { ...idempotency, bodyHash: 'another' }),
      ]) {
        kinds.push((await store.confirm(guess)).kind);
      }
      assert.deepEqual(kinds, ['unknown', 'expired', 'attempts-exhausted', 'already-confirmed', 'confirmed']);
    });

    test('is kept for 24 hours to the millisecond, and then the same guess is a new one', async () => {
      const v = await issueOne(store);
      const guess = keyed(v, 'right');
      await store.confirm(guess);
      const at = (now: number) => store.confirm({ ...guess, now });
      assert.deepEqual(await at(guess.now + DAY - 1), replayOf(v, guess));
      assert.deepEqual(await at(guess.now + DAY), { kind: 'already-confirmed' });
    });

    test('an expired key can be used for another guess', async () => {
      const first = await issueOne(store);
      const guess = keyed(first, 'wrong');
      await store.confirm(guess);
      const { accountId } = first;
      const next = await issueOne(store, { accountId, createdAt: guess.now + DAY - SECOND });
      const again = keyed(next, 'right', { keyHash: guess.idempotency?.keyHash ?? '', bodyHash: 'right' });
      assert.equal(again.now, guess.now + DAY);
      assert.equal((await store.confirm(again)).kind, 'confirmed');
      assert.deepEqual(await store.confirm(again), replayOf(next, again));
    });

    test('survives a restart', async (t) => {
      const own = await openFor(t, open, LAX);
      const v = await issueOne(own.store);
      const guesses = [keyed(v, 'wrong'), keyed(v, 'right')];
      for (const guess of guesses) await own.store.confirm(guess);
      const again = await own.reopen();
      const outcomes = await Promise.all(guesses.map((guess) => again.confirm(guess)));
      assert.deepEqual(tally(outcomes), { replayed: 2 });
    });

    const race = (guessOf: (i: number) => Guess) =>
      Promise.all(
        Array.from({ length: RACERS }, (_, i) => (stores[i % stores.length] ?? store).confirm(guessOf(i))),
      );

    test(`${RACERS} right guesses under one key at once: all get the one confirmation`, async () => {
      const v = await issueOne(store);
      const guess = keyed(v, 'right');
      const outcomes = await race((i) => ({ ...guess, now: guess.now + i }));
      assert.deepEqual(tally(outcomes), { confirmed: 1, replayed: RACERS - 1 });
      const confirmed = outcomes.findIndex(({ kind }) => kind === 'confirmed');
      for (const [i, outcome] of outcomes.entries()) {
        if (i !== confirmed) assert.deepEqual(outcome, replayOf(v, { ...guess, now: guess.now + confirmed }));
      }
      assert.deepEqual(await counted(v), [1, 0]);
    });

    test(`${RACERS} wrong guesses under one key at once: one is used up`, async () => {
      const v = await issueOne(store);
      const guess = keyed(v, 'wrong');
      const outcomes = await race(() => guess);
      assert.deepEqual(tally(outcomes), { mismatch: 1, replayed: RACERS - 1 });
      for (const outcome of outcomes) {
        const first = { kind: 'mismatch', attemptsRemaining: 4 };
        assert.deepEqual(outcome, outcome.kind === 'replayed' ? { kind: 'replayed', first } : mismatch(4));
      }
      assert.deepEqual(await store.confirm(guessAt(v, 'wrong')), mismatch(3));
    });

    test('right guesses under one key and without one, all at once: exactly one confirms', async () => {
      const v = await issueOne(store);
      const guess = keyed(v, 'right');
      const outcomes = await race((i) => (i % 2 === 0 ? guess : guessAt(v, 'right')));
      assert.equal(tally(outcomes).confirmed, 1);
      const withKey = tally(outcomes.filter((_, i) => i % 2 === 0));
      const half = RACERS / 2;
      if (withKey.confirmed === 1) assert.deepEqual(withKey, { confirmed: 1, replayed: half - 1 });
      else assert.deepEqual(withKey, { 'already-confirmed': half });
    });

    test('wrong guesses at one verification, each under its own key, are used up one by one', async () => {
      const v = await issueOne(store);
      const guesses = Array.from({ length: 20 }, () => keyed(v, 'wrong'));
      const ask = () =>
        Promise.all(guesses.map((guess, i) => (stores[i % stores.length] ?? store).confirm(guess)));
      const first = await ask();
      const left = first.flatMap((each) => (each.kind === 'mismatch' ? [each.attemptsRemaining] : []));
      assert.deepEqual(left.sort(), [0, 1, 2, 3, 4]);
      assert.equal(tally(first)['attempts-exhausted'], 15);
      const again = await ask();
      for (const [i, outcome] of again.entries()) {
        const before = first[i];
        const expected =
          before?.kind === 'mismatch'
            ? { kind: 'replayed', first: { kind: 'mismatch', attemptsRemaining: before.attemptsRemaining } }
            : before;
        assert.deepEqual(outcome, expected);
      }
    });
  });
}
