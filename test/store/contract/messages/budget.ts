/** Failed guesses are counted per destination over all its codes: a new secret does not reset them (NIST SP 800-63B). */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  guessAt,
  HOUR,
  issueOne,
  MINUTE,
  type OpenedStore,
  type OpenStore,
  openFor,
  SECOND,
  unique,
  withLimits,
} from '../rig.ts';

const RULES = withLimits({
  failedGuessesPerDestination: [
    { max: 4, windowMs: HOUR },
    { max: 6, windowMs: DAY },
  ],
});

export function describeBudget(open: OpenStore): void {
  suite('failed guesses per destination', () => {
    let opened: OpenedStore;
    let store: Store;

    before(async () => {
      opened = await open(RULES);
      store = opened.store;
    });
    after(() => opened.dispose());

    /** More codes for the destination of another verification. */
    const another = (v: NewVerification, wanted: Partial<NewVerification> = {}) =>
      issueOne(store, { accountId: v.accountId, destinationHash: v.destinationHash, ...wanted });

    const remaining = async (v: NewVerification, now?: number) => {
      const outcome = await store.confirm(guessAt(v, 'wrong', now));
      return outcome.kind === 'mismatch' ? outcome.attemptsRemaining : outcome.kind;
    };

    test('are shared by its codes, and shown if fewer than the guesses of the code', async () => {
      const first = await issueOne(store);
      const second = await another(first);
      assert.equal(await remaining(first), 3);
      assert.equal(await remaining(second), 2);
      assert.equal(await remaining(first), 1);
      assert.equal(await remaining(second), 0);
      assert.equal(await remaining(first), 'attempts-exhausted');
      assert.deepEqual(await store.confirm(guessAt(second, 'right')), { kind: 'attempts-exhausted' });
    });

    test('a test code is judged however many there were, and clears none of them', async () => {
      const live = await issueOne(store);
      for (const left of [3, 2, 1]) assert.equal(await remaining(live), left);
      const tried = await another(live, { test: true });
      assert.equal((await store.confirm(guessAt(tried, 'right'))).kind, 'confirmed');
      assert.equal(await remaining(live), 0);
      const again = await another(live, { test: true });
      assert.equal((await store.confirm(guessAt(again, 'right'))).kind, 'confirmed');
    });

    test('a success clears those of the longest window', async (t) => {
      const failedGuessesPerDestination = [
        { max: 9, windowMs: HOUR },
        { max: 2, windowMs: 5 * DAY },
      ];
      const own = await openFor(t, open, withLimits({ failedGuessesPerDestination }));
      const at = Date.now();
      const v = await issueOne(own.store, { expiresAt: at + 5 * DAY, createdAt: at });
      const { accountId, destinationHash } = v;
      await own.store.confirm(guessAt(v, 'wrong', at));
      const later = at + 4 * DAY;
      assert.equal((await own.store.confirm(guessAt(v, 'right', later))).kind, 'confirmed');
      const next = await issueOne(own.store, { accountId, destinationHash, createdAt: later });
      const outcomes = [];
      for (let i = 0; i < 3; i++) outcomes.push(await own.store.confirm(guessAt(next, 'wrong')));
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['mismatch', 'mismatch', 'attempts-exhausted'],
      );
    });

    test('the guesses of the code are shown if they are fewer', async () => {
      const v = await issueOne(store, { guesses: 2 });
      assert.equal(await remaining(v), 1);
      assert.equal(await remaining(v), 0);
      assert.equal(await remaining(v), 'attempts-exhausted');
    });

    test('when they are used up a new code can be sent, but not guessed', async () => {
      const v = await issueOne(store);
      for (let i = 0; i < 4; i++) await remaining(v);
      const fresh = await another(v);
      assert.deepEqual(await store.confirm(guessAt(fresh, 'right')), { kind: 'attempts-exhausted' });
    });

    test('other destinations are not affected', async () => {
      const v = await issueOne(store);
      for (let i = 0; i < 5; i++) await remaining(v);
      const neighbour = await issueOne(store, { accountId: v.accountId });
      assert.equal((await store.confirm(guessAt(neighbour, 'right'))).kind, 'confirmed');
    });

    test('a success clears those of its own destination only', async () => {
      const guessed = await issueOne(store);
      for (const left of [3, 2, 1]) assert.equal(await remaining(guessed), left);
      const neighbour = await issueOne(store, { accountId: guessed.accountId });
      assert.equal(await remaining(neighbour), 3);
      assert.equal((await store.confirm(guessAt(neighbour, 'right'))).kind, 'confirmed');
      assert.equal(await remaining(guessed), 0);
    });

    test('a refused guess is not counted', async () => {
      const v = await issueOne(store, { guesses: 100 });
      for (let i = 0; i < 10; i++) await remaining(v);
      const later = await another(v, { createdAt: v.createdAt + 2 * HOUR });
      assert.equal(await remaining(later), 1, 'four of six in a day are used, and this is the fifth');
    });

    test('each leaves its window to the ms', async () => {
      const v = await issueOne(store, { guesses: 100, expiresAt: Date.now() + 3 * HOUR });
      const first = v.createdAt + SECOND;
      for (let i = 0; i < 4; i++) await remaining(v, first + i * MINUTE);
      assert.equal(await remaining(v, first + HOUR - 1), 'attempts-exhausted');
      assert.equal(await remaining(v, first + HOUR), 0);
      assert.equal(await remaining(v, first + HOUR + 1), 'attempts-exhausted');
    });

    test('every window applies, across midnight too', async () => {
      const midnight = Math.ceil(Date.now() / DAY) * DAY;
      const start = midnight - 2 * HOUR;
      const v = await issueOne(store, { guesses: 100, createdAt: start, expiresAt: start + 3 * DAY });
      const guesses = [0, 1, 2].flatMap((hours) => [0, 1].map((ms) => start + hours * 90 * MINUTE + ms));
      for (const now of guesses) assert.notEqual(await remaining(v, now), 'attempts-exhausted');
      assert.equal(await remaining(v, start + DAY - 1), 'attempts-exhausted');
      assert.equal(await remaining(v, start + DAY), 0);
    });

    test('a success clears them', async () => {
      const v = await issueOne(store);
      for (let i = 0; i < 3; i++) await remaining(v);
      const next = await another(v);
      assert.equal((await store.confirm(guessAt(next, 'right'))).kind, 'confirmed');
      assert.equal(await remaining(await another(v)), 3);
    });

    test('a success of another destination does not', async () => {
      const v = await issueOne(store);
      for (let i = 0; i < 3; i++) await remaining(v);
      const neighbour = await issueOne(store, { accountId: v.accountId });
      await store.confirm(guessAt(neighbour, 'right'));
      assert.equal(await remaining(v), 0);
    });

    test('test mode is exempt', async () => {
      const v = await issueOne(store, { test: true, guesses: 20 });
      for (let left = 19; left >= 10; left--) assert.equal(await remaining(v), left);
      assert.equal((await store.confirm(guessAt(v, 'right'))).kind, 'confirmed');
    });

    test('those under the previous secret count while it is rotated, and a success clears both', async () => {
      const old = await issueOne(store);
      for (let i = 0; i < 3; i++) await remaining(old);
      const rotated = {
        destinationHash: unique('hash'),
        earlierDestinationHashes: [old.destinationHash],
      };
      const next = await another(old, rotated);
      assert.equal(await remaining(next), 0);
      assert.deepEqual(await store.confirm(guessAt(next, 'right')), { kind: 'attempts-exhausted' });

      const other = await issueOne(store);
      for (let i = 0; i < 3; i++) await remaining(other);
      const hashes = { destinationHash: unique('hash'), earlierDestinationHashes: [other.destinationHash] };
      const success = await another(other, hashes);
      assert.equal((await store.confirm(guessAt(success, 'right'))).kind, 'confirmed');
      assert.equal(await remaining(await another(other, hashes)), 3);
    });

    test('those under each of three earlier hashes count, and a success clears all', async () => {
      for (const place of [0, 1, 2]) {
        const v = await issueOne(store);
        for (let i = 0; i < 3; i++) await remaining(v);
        const list = [unique('hash'), unique('hash')].toSpliced(place, 0, v.destinationHash);
        const next = await another(v, { destinationHash: unique('hash'), earlierDestinationHashes: list });
        assert.equal(await remaining(next), 0);
        assert.deepEqual(await store.confirm(guessAt(next, 'right')), { kind: 'attempts-exhausted' });
      }

      const old = await issueOne(store);
      for (let i = 0; i < 3; i++) await remaining(old);
      const hashes = {
        destinationHash: unique('hash'),
        earlierDestinationHashes: [unique('hash'), old.destinationHash, unique('hash')],
      };
      const success = await another(old, hashes);
      assert.equal((await store.confirm(guessAt(success, 'right'))).kind, 'confirmed');
      assert.equal(await remaining(await another(old, hashes)), 3);
    });

    test('survive a restart', async (t) => {
      const own = await openFor(t, open, RULES);
      const v = await issueOne(own.store);
      for (let i = 0; i < 4; i++) await own.store.confirm(guessAt(v, 'wrong'));
      const again = await own.reopen();
      const { accountId, destinationHash } = v;
      const fresh = await issueOne(again, { accountId, destinationHash });
      assert.deepEqual(await again.confirm(guessAt(fresh, 'right')), { kind: 'attempts-exhausted' });
    });
  });
}
