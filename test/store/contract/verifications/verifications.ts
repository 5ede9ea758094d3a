import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Store } from '../../../../src/store/port.ts';
import {
  guessAt,
  issueOne,
  LAX,
  macOf,
  mismatch,
  newVerification,
  type OpenedStore,
  type OpenStore,
  SECOND,
  SUBMITTED,
  settlement,
  unique,
  VALID_FOR,
} from '../rig.ts';

export function describeVerifications(open: OpenStore): void {
  suite('verifications', () => {
    let opened: OpenedStore;
    let store: Store;

    before(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    after(() => opened.dispose());

    test('the right code confirms', async () => {
      const v = newVerification({ channel: 'voice', country: 'BR', clientNetwork: 'network' });
      assert.deepEqual(await store.issue(v), { kind: 'issued' });
      assert.deepEqual(await store.confirm(guessAt(v, 'right')), {
        kind: 'confirmed',
        channel: 'voice',
        country: 'BR',
        destinationSealed: v.destinationSealed,
        carrier: null,
        createdAt: v.createdAt,
        clientNetwork: 'network',
      });
    });

    test('an id that is taken is an error, never a refusal, and changes nothing', async () => {
      const v = await issueOne(store);
      for (const test of [false, true]) {
        await assert.rejects(store.issue(newVerification({ id: v.id, test, country: 'BR' })));
      }
      const outcome = await store.confirm(guessAt(v, 'right'));
      assert.equal(outcome.kind === 'confirmed' && outcome.country, v.country);
    });

    test('a confirmation names the carrier that took the message last', async () => {
      const v = await issueOne(store);
      await store.settle(
        settlement(v, SUBMITTED, [
          { carrier: 'first', outcome: 'temporary' },
          { carrier: 'second', outcome: 'accepted' },
        ]),
      );
      const outcome = await store.confirm(guessAt(v, 'right'));
      assert.equal(outcome.kind === 'confirmed' && outcome.carrier, 'second');
    });

    test('a wrong code uses up a guess, and a right one may follow', async () => {
      const v = await issueOne(store);
      assert.deepEqual(await store.confirm(guessAt(v, 'wrong')), mismatch(4));
      assert.equal((await store.confirm(guessAt(v, 'right'))).kind, 'confirmed');
    });

    test('a code is right by the whole of its MAC, not by a part of it', async () => {
      const codeMac = `2~${'m'.repeat(22)}`;
      const v = await issueOne(store, { codeMac, guesses: 100 });
      const differing = [...codeMac].map((_, i) => `${codeMac.slice(0, i)}x${codeMac.slice(i + 1)}`);
      for (const other of [...differing, codeMac.slice(0, -1), `${codeMac}m`]) {
        const { kind } = await store.confirm({ ...guessAt(v, 'wrong'), codeMac: other });
        assert.equal(kind, 'mismatch', other);
      }
      assert.equal((await store.confirm({ ...guessAt(v, 'right'), codeMac })).kind, 'confirmed');
    });

    test('a wrong code says who asked for the right one', async () => {
      const asker = { country: 'BR', clientNetwork: 'network' };
      for (const test of [false, true]) {
        const v = await issueOne(store, { ...asker, test });
        const told = { ...mismatch(4), ...asker, ...(test && { test: true }) };
        assert.deepEqual(await store.confirm(guessAt(v, 'wrong')), told);
      }
    });

    test('after the last guess even the right code is refused', async () => {
      const v = await issueOne(store, { guesses: 3 });
      for (const attemptsRemaining of [2, 1, 0]) {
        assert.deepEqual(await store.confirm(guessAt(v, 'wrong')), mismatch(attemptsRemaining));
      }
      assert.deepEqual(await store.confirm(guessAt(v, 'wrong')), { kind: 'attempts-exhausted' });
      assert.deepEqual(await store.confirm(guessAt(v, 'right')), { kind: 'attempts-exhausted' });
    });

    test('the last guess may be the right one', async () => {
      const v = await issueOne(store, { guesses: 2 });
      await store.confirm(guessAt(v, 'wrong'));
      assert.equal((await store.confirm(guessAt(v, 'right'))).kind, 'confirmed');
    });

    test('an id that never existed is unknown', async () => {
      assert.deepEqual(await store.confirm(guessAt(newVerification(), 'right')), { kind: 'unknown' });
    });

    test('an id of another account is unknown too, and costs its owner no guess', async () => {
      const v = await issueOne(store);
      const stranger = { ...guessAt(v, 'right'), accountId: unique('acc') };
      const strangersGuess = { ...guessAt(v, 'wrong'), accountId: stranger.accountId };
      for (const guess of [stranger, strangersGuess]) {
        assert.deepEqual(await store.confirm(guess), { kind: 'unknown' });
      }
      assert.deepEqual(await store.confirm(guessAt(v, 'wrong')), mismatch(4));
      await store.confirm(guessAt(v, 'right'));
      assert.deepEqual(await store.confirm(stranger), { kind: 'unknown' }, 'also once it is confirmed');
      assert.deepEqual(await store.confirm({ ...stranger, now: v.expiresAt }), { kind: 'unknown' });
    });

    test('a confirmed verification stays confirmed, whatever the code and the time', async () => {
      const v = await issueOne(store, { guesses: 1 });
      await store.confirm(guessAt(v, 'right'));
      for (const code of ['right', 'wrong'] as const) {
        for (const now of [v.createdAt + SECOND, v.expiresAt, v.expiresAt + VALID_FOR]) {
          assert.deepEqual(await store.confirm(guessAt(v, code, now)), { kind: 'already-confirmed' });
        }
      }
    });

    test('a code is valid until the ms before it expires', async () => {
      const inTime = await issueOne(store);
      const late = await issueOne(store);
      assert.equal((await store.confirm(guessAt(inTime, 'right', inTime.expiresAt - 1))).kind, 'confirmed');
      assert.deepEqual(await store.confirm(guessAt(late, 'right', late.expiresAt)), { kind: 'expired' });
      assert.deepEqual(await store.confirm(guessAt(late, 'wrong', late.expiresAt)), { kind: 'expired' });
    });

    test('expiry takes precedence over exhaustion', async () => {
      const v = await issueOne(store, { guesses: 1 });
      await store.confirm(guessAt(v, 'wrong'));
      assert.deepEqual(await store.confirm(guessAt(v, 'right', v.expiresAt)), { kind: 'expired' });
    });

    test('a second code for the same destination leaves the first valid', async () => {
      const first = await issueOne(store);
      const { accountId, destinationHash } = first;
      const second = await issueOne(store, { accountId, destinationHash });
      assert.equal((await store.confirm(guessAt(first, 'right'))).kind, 'confirmed');
      assert.equal((await store.confirm(guessAt(second, 'right'))).kind, 'confirmed');
    });

    test('a code issued under the previous secret confirms while that is known, and not after', async () => {
      const v = await issueOne(store);
      const underNewSecret = { ...guessAt(v, 'right'), codeMac: macOf(v.id, 'other') };
      assert.equal((await store.confirm(underNewSecret)).kind, 'mismatch');
      const wrong = { ...underNewSecret, earlierCodeMacs: [macOf(v.id, 'wrong')] };
      assert.equal((await store.confirm(wrong)).kind, 'mismatch');
      const right = { ...underNewSecret, earlierCodeMacs: [v.codeMac] };
      assert.equal((await store.confirm(right)).kind, 'confirmed');
    });

    test('an id is used once: of two calls at once the second fails, and its neighbours do not notice', async () => {
      const v = newVerification();
      const neighbours = Array.from({ length: 10 }, () => newVerification());
      const [first, second, ...others] = await Promise.allSettled(
        [v, { ...newVerification(), id: v.id }, ...neighbours].map((each) => store.issue(each)),
      );
      assert.deepEqual(first, { status: 'fulfilled', value: { kind: 'issued' } });
      assert.equal(second?.status, 'rejected');
      for (const other of others) {
        assert.deepEqual(other, { status: 'fulfilled', value: { kind: 'issued' } });
      }
      for (const each of [v, ...neighbours]) {
        assert.equal((await store.confirm(guessAt(each, 'right'))).kind, 'confirmed');
      }
    });

    test('what was issued and confirmed survives a restart', async (t) => {
      const own = await open(LAX);
      t.after(() => own.dispose());
      const kept = await issueOne(own.store);
      const confirmed = await issueOne(own.store);
      await own.store.confirm(guessAt(confirmed, 'right'));
      await own.store.confirm(guessAt(kept, 'wrong'));
      const again = await own.reopen();
      assert.deepEqual(await again.confirm(guessAt(confirmed, 'right')), { kind: 'already-confirmed' });
      assert.deepEqual(await again.confirm(guessAt(kept, 'wrong')), mismatch(3));
      assert.equal((await again.confirm(guessAt(kept, 'right'))).kind, 'confirmed');
    });
  });
}
