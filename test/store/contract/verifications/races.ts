/** Many calls at once, spread over two connections where the store allows them. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  guessAt,
  issueOne,
  MINUTE,
  newVerification,
  type OpenedStore,
  type OpenStore,
  SECOND,
  someAtATime,
  tally,
  unique,
  untilServed,
  withLimits,
} from '../rig.ts';

const IDS = 100;
const CALLS = 600;
const GUESSES = 5;
const BUDGET = 20;
const SENDS = 4;
const REQUESTS = 3;

const RULES = withLimits({
  sendsPerDestination: [{ max: SENDS, windowMs: 10 * MINUTE }],
  failedGuessesPerDestination: [{ max: BUDGET, windowMs: DAY }],
  requestsPerKey: [{ max: REQUESTS, windowMs: 10 * SECOND }],
});

export function describeRaces(open: OpenStore): void {
  suite('races', () => {
    let opened: OpenedStore;
    let stores: Store[];

    before(async () => {
      opened = await open(RULES);
      const second = await opened.second?.();
      stores = second === undefined ? [opened.store] : [opened.store, second];
    });
    after(() => opened.dispose());

    /** Mixes the calls of all the ids; returns the answers by id. */
    async function race<T>(ids: number, call: (store: Store, id: number, nth: number) => Promise<T>) {
      const byId = Array.from({ length: ids }, (): T[] => []);
      await someAtATime([...Array(CALLS).keys()], async (i) => {
        const id = i % ids;
        // Neighbouring calls of one id go to different connections.
        const store = stores[(i + Math.floor(i / ids)) % stores.length] ?? opened.store;
        byId[id]?.push(await untilServed(() => call(store, id, Math.floor(i / ids))));
      });
      return byId;
    }

    const issueMany = (count: number, wanted: (i: number) => Parameters<typeof newVerification>[0]) =>
      Promise.all(Array.from({ length: count }, (_, i) => issueOne(opened.store, wanted(i))));

    test('of simultaneous right codes exactly one confirms', async () => {
      const verifications = await issueMany(IDS, () => ({ guesses: GUESSES }));
      const answers = await race(IDS, (store, id) => {
        const v = verifications[id] ?? newVerification();
        return store.confirm(guessAt(v, 'right'));
      });
      for (const outcomes of answers) {
        assert.deepEqual(tally(outcomes), { confirmed: 1, 'already-confirmed': CALLS / IDS - 1 });
      }
    });

    test('of simultaneous wrong codes never more are judged than allowed, each with its own count', async () => {
      const verifications = await issueMany(IDS, () => ({ guesses: GUESSES }));
      const answers = await race(IDS, (store, id) => {
        const v = verifications[id] ?? newVerification();
        return store.confirm(guessAt(v, 'wrong'));
      });
      for (const outcomes of answers) {
        assert.deepEqual(tally(outcomes), { mismatch: GUESSES, 'attempts-exhausted': CALLS / IDS - GUESSES });
        const left = outcomes.flatMap((each) => (each.kind === 'mismatch' ? [each.attemptsRemaining] : []));
        assert.deepEqual(left.sort(), [0, 1, 2, 3, 4]);
      }
    });

    test('right and wrong codes together: one success at most, within the guesses', async () => {
      const verifications = await issueMany(IDS, () => ({ guesses: 2 }));
      const answers = await race(IDS, (store, id, nth) => {
        const v = verifications[id] ?? newVerification();
        return store.confirm(guessAt(v, (id + nth) % 3 === 0 ? 'right' : 'wrong'));
      });
      for (const outcomes of answers) {
        const { confirmed = 0, mismatch = 0, 'already-confirmed': turnedAway = 0 } = tally(outcomes);
        assert.ok(confirmed <= 1);
        assert.ok(confirmed + mismatch <= 2);
        assert.ok(confirmed === 1 || turnedAway === 0);
      }
    });

    test('the guesses of a destination are bounded over all its codes', async () => {
      const destinations = Array.from({ length: IDS / SENDS }, () => unique('hash'));
      const verifications = await issueMany(IDS, (i) => ({
        destinationHash: destinations[i % destinations.length] ?? '',
        guesses: 100,
      }));
      const answers = await race(IDS, (store, id) => {
        const v = verifications[id] ?? newVerification();
        return store.confirm(guessAt(v, 'wrong'));
      });
      for (const start of destinations.keys()) {
        const outcomes = answers.filter((_, id) => id % destinations.length === start).flat();
        assert.deepEqual(tally(outcomes), {
          mismatch: BUDGET,
          'attempts-exhausted': outcomes.length - BUDGET,
        });
      }
    });

    test('a destination is never sent more than its limit', async () => {
      const createdAt = Date.now();
      const destinations = Array.from({ length: IDS }, () => unique('hash'));
      const answers = await race(IDS, (store, id) =>
        store.issue(newVerification({ destinationHash: destinations[id] ?? '', createdAt })),
      );
      for (const outcomes of answers) {
        assert.deepEqual(tally(outcomes), { issued: SENDS, limited: CALLS / IDS - SENDS });
      }
    });

    test('a key never gets more requests than its limit', async () => {
      const createdAt = Date.now();
      const keys = Array.from({ length: IDS }, () => unique('key'));
      const answers = await race(IDS, (store, id) =>
        store.issue(newVerification({ keyId: keys[id] ?? '', createdAt })),
      );
      for (const outcomes of answers) {
        assert.deepEqual(tally(outcomes), { issued: REQUESTS, limited: CALLS / IDS - REQUESTS });
      }
    });

    for (const keys of [1, IDS]) {
      test(`each idempotency key makes one verification (${keys} at once)`, async () => {
        const depth = await opened.store.depth();
        const accountId = unique('acc');
        const hashes = Array.from({ length: keys }, () => unique('idem'));
        const answers = await race(keys, async (store, id) => {
          const v = newVerification({
            accountId,
            idempotency: { keyHash: hashes[id] ?? '', bodyHash: 'sms x' },
          });
          const outcome = await store.issue(v);
          return { kind: outcome.kind, id: outcome.kind === 'replayed' ? outcome.id : v.id };
        });
        for (const outcomes of answers) {
          assert.deepEqual(tally(outcomes), { issued: 1, replayed: CALLS / keys - 1 });
          assert.equal(new Set(outcomes.map(({ id }) => id)).size, 1);
        }
        assert.equal(await opened.store.depth(), depth + keys);
      });
    }

    test('a delivery is leased to one claim at a time', async () => {
      const now = Date.now() + DAY;
      await issueMany(IDS, () => ({ createdAt: now, leaseUntil: now, expiresAt: now + MINUTE }));
      const claims = Array.from({ length: 20 }, (_, i) => {
        const store = stores[i % stores.length] ?? opened.store;
        return store.claim(now, now + SECOND, 10);
      });
      const claimed = await Promise.all(claims);
      for (const each of claimed) assert.ok(each.length <= 10, `${each.length} of 10`);
      const ids = claimed.flat().map(({ id }) => id);
      assert.equal(ids.length, IDS);
      assert.equal(new Set(ids).size, IDS);
    });
  });
}
