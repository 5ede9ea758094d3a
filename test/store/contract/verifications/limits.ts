import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import type { Limit } from '../../../../src/core/verification/limits.ts';
import type { IssueOutcome } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  issueOne,
  kindsOf,
  MINUTE,
  newVerification,
  type OpenedStore,
  type OpenStore,
  openFor,
  SECOND,
  unique,
  withLimits,
} from '../rig.ts';

const SENDS: readonly Limit[] = [
  { max: 2, windowMs: 10 * SECOND },
  { max: 4, windowMs: MINUTE },
];
const REQUESTS: Limit = { max: 3, windowMs: 5 * SECOND };
const RULES = withLimits({ sendsPerDestination: SENDS, requestsPerKey: [REQUESTS] });
const MIDNIGHT = Math.ceil(Date.now() / DAY) * DAY;

/** The limits in their simplest form: all times are kept, and counted again for each request. */
class Model {
  readonly #requests = new Map<string, number[]>();
  readonly #sends = new Map<string, number[]>();

  takeRequest(key: string, now: number) {
    const requests = timesOf(this.#requests, key);
    const [overKey] = reached(requests, [REQUESTS], now);
    if (overKey === undefined) requests.push(now);
    return overKey;
  }

  issue(key: string, destination: string, now: number): IssueOutcome {
    const overKey = this.takeRequest(key, now);
    if (overKey !== undefined) return { kind: 'limited', scope: 'key', ...overKey };
    const sends = timesOf(this.#sends, destination);
    const [last] = reached(sends, SENDS, now).sort((a, b) => b.retryAfterMs - a.retryAfterMs);
    if (last !== undefined) return { kind: 'limited', scope: 'destination', ...last };
    sends.push(now);
    return { kind: 'issued' };
  }
}

function timesOf(all: Map<string, number[]>, name: string): number[] {
  const times = all.get(name) ?? [];
  all.set(name, times);
  return times;
}

/** The limits that have no place left, with the time until an event leaves and frees one. */
function reached(times: readonly number[], limits: readonly Limit[], now: number) {
  return limits.flatMap((limit) => {
    const freeing = times.filter((time) => time > now - limit.windowMs).at(-limit.max);
    return freeing === undefined ? [] : [{ limit, retryAfterMs: freeing + limit.windowMs - now }];
  });
}

export function describeLimits(open: OpenStore): void {
  suite('limits', () => {
    let opened: OpenedStore;
    let store: Store;

    before(async () => {
      opened = await open(RULES);
      store = opened.store;
    });
    after(() => opened.dispose());

    test('are those of a naive model for any sequence of requests', async () => {
      const request = fc.record({
        key: fc.constantFrom('a', 'b'),
        // None: a request that writes nothing else.
        destination: fc.constantFrom('x', 'y', 'z', undefined),
        gap: fc.oneof(
          fc.integer({ min: 0, max: 3 * SECOND }),
          fc.constantFrom(0, 1, 4_999, 5_000, 9_999, 10_000, 10_001, 59_999, 60_000),
        ),
      });
      const start = fc.oneof(
        fc.constant(MIDNIGHT - 2 * SECOND),
        fc.integer({ min: MIDNIGHT, max: MIDNIGHT + DAY }),
      );
      await fc.assert(
        fc.asyncProperty(
          start,
          fc.array(request, { minLength: 5, maxLength: 25, size: 'max' }),
          async (begin, requests) => {
            const model = new Model();
            const run = unique('run');
            let now = begin;
            for (const { key, destination, gap } of requests) {
              now += gap;
              if (destination === undefined) {
                const refusal = await store.takeRequest(`${run} ${key}`, now);
                assert.deepEqual(refusal, model.takeRequest(key, now));
                continue;
              }
              const v = newVerification({
                keyId: `${run} ${key}`,
                destinationHash: `${run} ${destination}`,
                createdAt: now,
              });
              assert.deepEqual(await store.issue(v), model.issue(key, destination, now));
            }
          },
        ),
        { numRuns: 40 },
      );
    });

    test('a request that the destination refuses still counts for the key', async () => {
      const createdAt = Date.now();
      const keyId = unique('key');
      const destinationHash = unique('hash');
      for (let i = 0; i < 2; i++) await issueOne(store, { destinationHash, createdAt });
      const kinds = [];
      for (let i = 0; i < 4; i++) {
        const outcome = await store.issue(newVerification({ keyId, destinationHash, createdAt }));
        kinds.push(outcome.kind === 'limited' ? outcome.scope : outcome.kind);
      }
      assert.deepEqual(kinds, ['destination', 'destination', 'destination', 'key']);
    });

    test('of several requests at once as many are taken as there are places left', async () => {
      const [keyId, now] = [unique('key'), Date.now()];
      await issueOne(store, { keyId, createdAt: now });
      const refusals = await Promise.all(Array.from({ length: 5 }, () => store.takeRequest(keyId, now)));
      const refusal = { limit: REQUESTS, retryAfterMs: REQUESTS.windowMs };
      assert.deepEqual(refusals, [undefined, undefined, refusal, refusal, refusal]);
      const outcome = await store.issue(newVerification({ keyId, createdAt: now }));
      assert.deepEqual(outcome, { kind: 'limited', scope: 'key', ...refusal }, 'they count for codes, too');
    });

    test('of requests at once no more are taken than allowed, also where none is left from before', async () => {
      const [keyId, start] = [unique('key'), Date.now()];
      for (const now of [start, start + REQUESTS.windowMs]) {
        const refusals = await Promise.all(Array.from({ length: 9 }, () => store.takeRequest(keyId, now)));
        assert.equal(refusals.filter((refusal) => refusal === undefined).length, REQUESTS.max);
      }
    });

    test('a test key has its own limits, not those of destinations', async () => {
      const shared = { test: true, destinationHash: unique('hash'), createdAt: Date.now() };
      for (let i = 0; i < 6; i++) await issueOne(store, shared);
      const keyId = unique('key');
      for (let i = 0; i < 3; i++) await issueOne(store, { ...shared, keyId });
      const outcome = await store.issue(newVerification({ ...shared, keyId }));
      assert.equal(outcome.kind === 'limited' && outcome.scope, 'key');
    });

    test('of several sends at once as many are issued as there are places left', async () => {
      const [destinationHash, createdAt] = [unique('hash'), Date.now()];
      await issueOne(store, { destinationHash, createdAt });
      const outcomes = await Promise.all(
        Array.from({ length: 5 }, () => store.issue(newVerification({ destinationHash, createdAt }))),
      );
      assert.equal(outcomes.filter(({ kind }) => kind === 'issued').length, 1);
    });

    test('sends that were refused beside others take no place, now or later', async () => {
      const [destinationHash, start] = [unique('hash'), Date.now()];
      await issueOne(store, { destinationHash, createdAt: start });
      const send = (createdAt: number) => store.issue(newVerification({ destinationHash, createdAt }));
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => send(start + SECOND)));
      assert.equal(outcomes.filter(({ kind }) => kind === 'issued').length, 1);
      // The place of the first is free again, and no other.
      const later = start + 10 * SECOND;
      assert.equal((await send(later)).kind, 'issued');
      assert.equal((await send(later)).kind, 'limited');
    });

    test('what the limit of a key refused at the same moment takes the place of no send', async () => {
      const [keyId, destinationHash, createdAt] = [unique('key'), unique('hash'), Date.now()];
      for (let i = 0; i < REQUESTS.max; i++) await issueOne(store, { keyId, createdAt });
      const wanted = { destinationHash, createdAt };
      const asked = [{ ...wanted, keyId }, wanted, wanted, wanted];
      const outcomes = await Promise.all(asked.map((each) => store.issue(newVerification(each))));
      assert.deepEqual(
        outcomes.map((outcome) => (outcome.kind === 'limited' ? outcome.scope : outcome.kind)),
        ['key', 'issued', 'issued', 'destination'],
      );
    });

    test('sends under the previous secret count while it is rotated', async () => {
      const old = unique('hash');
      for (let i = 0; i < 2; i++) await issueOne(store, { destinationHash: old });
      const rotated = newVerification({ earlierDestinationHashes: [old] });
      assert.equal((await store.issue(rotated)).kind, 'limited');
      assert.equal((await store.issue(newVerification())).kind, 'issued');
    });

    test('a send that the new secret has no place for takes none under the previous one', async () => {
      const [current, previous] = [unique('hash'), unique('hash')];
      for (let i = 0; i < 2; i++) await issueOne(store, { destinationHash: current });
      const rotated = { destinationHash: current, earlierDestinationHashes: [previous] };
      for (let i = 0; i < 3; i++) assert.equal((await store.issue(newVerification(rotated))).kind, 'limited');
      for (let i = 0; i < 2; i++) await issueOne(store, { destinationHash: previous });
    });

    test('sends under each of three earlier hashes count, and take a place under each', async () => {
      const [current = '', ...earlier] = Array.from({ length: 4 }, () => unique('hash'));
      const [, older = '', oldest = ''] = earlier;
      await issueOne(store, { destinationHash: oldest });
      await issueOne(store, { destinationHash: older, earlierDestinationHashes: [oldest] });
      const now = { destinationHash: current, earlierDestinationHashes: earlier };
      assert.equal((await store.issue(newVerification(now))).kind, 'limited');

      const fresh = Array.from({ length: 4 }, () => unique('hash'));
      const [destinationHash = '', ...before] = fresh;
      await issueOne(store, { destinationHash, earlierDestinationHashes: before });
      await issueOne(store, { destinationHash, earlierDestinationHashes: before });
      assert.equal((await store.issue(newVerification({ destinationHash }))).kind, 'limited');
    });

    test('a send that has no place under one of four hashes takes none under the others', async () => {
      for (const full of [0, 1, 2, 3]) {
        const hashes = Array.from({ length: 4 }, () => unique('hash'));
        const [destinationHash = '', ...earlierDestinationHashes] = hashes;
        for (let i = 0; i < 2; i++) await issueOne(store, { destinationHash: hashes[full] ?? '' });
        const call = () => store.issue(newVerification({ destinationHash, earlierDestinationHashes }));
        const outcomes = await Promise.all([call(), call(), call()]);
        assert.deepEqual(new Set(kindsOf(outcomes)), new Set(['limited']));
        for (const hash of hashes.filter((_, i) => i !== full)) {
          for (let i = 0; i < 2; i++) await issueOne(store, { destinationHash: hash });
        }
      }
    });

    test('a window of a day is exact across midnight', async (t) => {
      const own = await openFor(t, open, withLimits({ sendsPerDestination: [{ max: 2, windowMs: DAY }] }));
      const destinationHash = unique('hash');
      const issueAt = (createdAt: number) => own.store.issue(newVerification({ destinationHash, createdAt }));
      await issueAt(MIDNIGHT);
      await issueAt(MIDNIGHT + 1);
      const limited = { kind: 'limited', scope: 'destination', limit: { max: 2, windowMs: DAY } } as const;
      assert.deepEqual(await issueAt(MIDNIGHT + DAY - 1), { ...limited, retryAfterMs: 1 });
      assert.deepEqual(await issueAt(MIDNIGHT + DAY), { kind: 'issued' });
      assert.deepEqual(await issueAt(MIDNIGHT + DAY), { ...limited, retryAfterMs: 1 });
      assert.deepEqual(await issueAt(MIDNIGHT + DAY + 1), { kind: 'issued' });
    });

    test('what one limit of a key refuses does not count against the others', async (t) => {
      const requestsPerKey = [
        { max: 2, windowMs: MINUTE },
        { max: 1, windowMs: SECOND },
      ];
      const own = await openFor(t, open, withLimits({ requestsPerKey }));
      const [keyId, start] = [unique('key'), Date.now()];
      const kinds: string[] = [];
      for (const offset of [0, 1, SECOND, 2 * SECOND]) {
        kinds.push((await own.store.issue(newVerification({ keyId, createdAt: start + offset }))).kind);
      }
      assert.deepEqual(kinds, ['issued', 'limited', 'issued', 'limited']);
    });

    test('of several limits of a key none is ever exceeded, and a refusal names one that is reached', async (t) => {
      const requestsPerKey = [
        { max: 2, windowMs: SECOND },
        { max: 3, windowMs: MINUTE },
      ];
      const own = await openFor(t, open, withLimits({ requestsPerKey }));
      const keyId = unique('key');
      const start = Date.now();
      const offsets = [0, 0, 0, SECOND, 2 * SECOND, MINUTE, MINUTE, MINUTE + SECOND, MINUTE + SECOND];
      const outcomes: IssueOutcome[] = [];
      for (const offset of offsets) {
        outcomes.push(await own.store.issue(newVerification({ keyId, createdAt: start + offset })));
      }
      const named = outcomes.map((outcome) =>
        outcome.kind === 'limited' ? outcome.limit.max : outcome.kind,
      );
      assert.deepEqual(named, ['issued', 'issued', 2, 'issued', 3, 'issued', 'issued', 'issued', 3]);
    });

    test('the short one of several limits of a key is exact, however much the long one allows', async (t) => {
      const [short, long] = [
        { max: 2, windowMs: SECOND },
        { max: 10, windowMs: MINUTE },
      ];
      const own = await openFor(t, open, withLimits({ requestsPerKey: [short, long] }));
      const [keyId, start] = [unique('key'), Date.now()];
      const take = (offset: number) => own.store.takeRequest(keyId, start + offset);
      for (const offset of [0, 1_500, 1_600]) assert.equal(await take(offset), undefined);
      assert.deepEqual(await take(1_700), { limit: short, retryAfterMs: 800 });
    });

    test('are optional', async (t) => {
      const none = { sendsPerDestination: [], failedGuessesPerDestination: [], requestsPerKey: [] };
      const own = await openFor(t, open, withLimits(none));
      const shared = { keyId: unique('key'), destinationHash: unique('hash') };
      const issued = Array.from({ length: 50 }, () => own.store.issue(newVerification(shared)));
      assert.deepEqual(new Set(kindsOf(await Promise.all(issued))), new Set(['issued']));
      assert.equal(await own.store.takeRequest(shared.keyId, Date.now()), undefined);
    });

    test('survive a restart', async (t) => {
      const own = await openFor(t, open, RULES);
      const createdAt = Date.now();
      const keyId = unique('key');
      const destinationHash = unique('hash');
      for (let i = 0; i < 2; i++) await issueOne(own.store, { keyId, destinationHash, createdAt });
      const again = await own.reopen();
      const scopes = [];
      for (let i = 0; i < 2; i++) {
        const outcome = await again.issue(newVerification({ keyId, destinationHash, createdAt }));
        scopes.push(outcome.kind === 'limited' && outcome.scope);
      }
      assert.deepEqual(scopes, ['destination', 'key']);
    });

    test('a failing neighbour does not disturb the limits of a key that is new', async () => {
      const taken = await issueOne(store);
      const createdAt = Date.now();
      const keyId = unique('key');
      const [failing, first] = await Promise.allSettled([
        store.issue({ ...newVerification(), id: taken.id }),
        store.issue(newVerification({ keyId, createdAt })),
      ]);
      assert.equal(failing.status, 'rejected');
      assert.deepEqual(first, { status: 'fulfilled', value: { kind: 'issued' } });
      const rest = [];
      for (let i = 0; i < 3; i++) rest.push(await store.issue(newVerification({ keyId, createdAt })));
      assert.deepEqual(kindsOf(rest), ['issued', 'issued', 'limited']);
    });
  });
}
