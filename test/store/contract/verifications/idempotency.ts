import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  guessAt,
  issueOne,
  kindsOf,
  LAX,
  MINUTE,
  newVerification,
  type OpenedStore,
  type OpenStore,
  openFor,
  SECOND,
  unique,
  withLimits,
} from '../rig.ts';

const RULES = withLimits({
  sendsPerDestination: [{ max: 2, windowMs: 10 * MINUTE }],
  requestsPerKey: [{ max: 3, windowMs: MINUTE }],
});
/** Of requests that are repeated for a short time only. */
const WINDOW = 30 * SECOND;

export function describeIdempotency(open: OpenStore): void {
  suite('idempotency', () => {
    let opened: OpenedStore;
    let store: Store;

    before(async () => {
      opened = await open(RULES);
      store = opened.store;
    });
    after(() => opened.dispose());

    const keyed = (wanted: Partial<NewVerification> = {}) =>
      newVerification({ idempotency: { keyHash: unique('idem'), bodyHash: 'sms x' }, ...wanted });

    /** The same request of the same client again: everything else is drawn again. */
    const repeat = (v: NewVerification, wanted: Partial<NewVerification> = {}) => {
      const { accountId, keyId, destinationHash, idempotency } = v;
      return newVerification({ accountId, keyId, destinationHash, idempotency, ...wanted });
    };

    const replayOf = ({ id, destinationSealed, channel }: NewVerification) =>
      ({ kind: 'replayed', id, destinationSealed, channel }) as const;

    test('a repetition gets the first answer, and writes nothing', async () => {
      const first = keyed({ channel: 'voice' });
      assert.deepEqual(await store.issue(first), { kind: 'issued' });
      const depth = await store.depth();
      const second = repeat(first);
      assert.deepEqual(await store.issue(second), replayOf(first));
      assert.equal(await store.depth(), depth);
      assert.deepEqual(await store.confirm(guessAt(second, 'right')), { kind: 'unknown' });
      assert.equal((await store.confirm(guessAt(first, 'right'))).kind, 'confirmed');
    });

    test('a repetition is answered even when a limit is reached', async () => {
      const first = keyed();
      const { accountId, keyId, destinationHash, createdAt } = first;
      await store.issue(first);
      await issueOne(store, { accountId, keyId, destinationHash, createdAt });
      const more = () => store.issue(newVerification({ accountId, keyId, destinationHash, createdAt }));
      assert.deepEqual(kindsOf([await more(), await more()]), ['limited', 'limited']);
      assert.deepEqual(await store.issue(repeat(first)), replayOf(first));
    });

    test('a repetition is found without being issued', async () => {
      const first = keyed();
      await store.issue(first);
      const asked = (wanted: Partial<NewVerification> = {}, bodyHash = first.idempotency?.bodyHash ?? '') => {
        const { accountId, test: isTest, createdAt } = repeat(first, wanted);
        const idempotency = { keyHash: first.idempotency?.keyHash ?? '', bodyHash };
        return { accountId, test: isTest, createdAt, idempotency };
      };
      assert.deepEqual(await store.findReplay(asked()), replayOf(first));
      assert.deepEqual(await store.findReplay(asked({}, 'another')), { kind: 'idempotency-mismatch' });
      assert.equal(await store.findReplay(asked({ accountId: unique('acc') })), undefined);
      assert.equal(await store.findReplay(asked({ createdAt: first.createdAt + DAY })), undefined);
    });

    test('a repetition counts against no limit', async () => {
      const first = keyed();
      const { keyId, destinationHash, createdAt } = first;
      await store.issue(first);
      for (let i = 0; i < 10; i++) assert.deepEqual(await store.issue(repeat(first)), replayOf(first));
      const outcomes = [];
      for (let i = 0; i < 3; i++) {
        outcomes.push(await store.issue(newVerification({ keyId, destinationHash, createdAt })));
      }
      const scopes = outcomes.map((outcome) => (outcome.kind === 'limited' ? outcome.scope : outcome.kind));
      assert.deepEqual(scopes, ['issued', 'destination', 'key']);
    });

    test('a repetition gets the same answer after the verification was confirmed or has expired', async () => {
      const first = keyed();
      await store.issue(first);
      await store.confirm(guessAt(first, 'right'));
      const late = repeat(first, { createdAt: first.expiresAt + MINUTE });
      assert.deepEqual(await store.issue(late), replayOf(first));
    });

    test('another body under the same key is a mismatch, and changes nothing', async () => {
      const first = keyed();
      await store.issue(first);
      const keyHash = first.idempotency?.keyHash ?? '';
      const other = repeat(first, { idempotency: { keyHash, bodyHash: 'sms y' } });
      assert.deepEqual(await store.issue(other), { kind: 'idempotency-mismatch' });
      assert.deepEqual(await store.confirm(guessAt(other, 'right')), { kind: 'unknown' });
      assert.deepEqual(await store.issue(repeat(first)), replayOf(first));
    });

    test('keys belong to an account', async () => {
      const first = keyed();
      await store.issue(first);
      const stranger = repeat(first, { accountId: unique('acc'), keyId: unique('key') });
      assert.deepEqual(await store.issue(stranger), { kind: 'issued' });
      const sameAccount = repeat(first, { keyId: unique('key') });
      assert.deepEqual(await store.issue(sameAccount), replayOf(first));
    });

    test('a refused request frees only its own key', async () => {
      const first = keyed();
      const { accountId, destinationHash, createdAt } = first;
      await store.issue(first);
      await issueOne(store, { destinationHash, createdAt });
      const refused = await store.issue(keyed({ accountId, destinationHash, createdAt }));
      assert.equal(refused.kind, 'limited');
      assert.deepEqual(await store.issue(repeat(first)), replayOf(first));
    });

    test('a refused request frees no key of another account', async () => {
      const first = keyed();
      const { createdAt } = first;
      await store.issue(first);
      const keyId = unique('key');
      for (let i = 0; i < 3; i++) await issueOne(store, { keyId, createdAt });
      const refused = await store.issue(repeat(first, { accountId: unique('acc'), keyId, createdAt }));
      assert.equal(refused.kind, 'limited');
      assert.deepEqual(await store.issue(repeat(first)), replayOf(first));
    });

    for (const scope of ['destination', 'key'] as const) {
      test(`a key is free again when the ${scope}'s limit refused its request`, async () => {
        const shared = scope === 'key' ? { keyId: unique('key') } : { destinationHash: unique('hash') };
        const createdAt = Date.now();
        for (let i = 0; i < (scope === 'key' ? 3 : 2); i++) await issueOne(store, { ...shared, createdAt });
        const refused = keyed({ ...shared, createdAt });
        const outcome = await store.issue(refused);
        assert.equal(outcome.kind === 'limited' && outcome.scope, scope);
        const keyHash = refused.idempotency?.keyHash ?? '';
        const later = repeat(refused, {
          createdAt: createdAt + 10 * MINUTE,
          idempotency: { keyHash, bodyHash: 'another body' },
        });
        assert.deepEqual(await store.issue(later), { kind: 'issued' });
      });
    }

    test('is kept for 24 hours to the millisecond, and then the same request is a new one', async () => {
      const first = keyed();
      await store.issue(first);
      const lastMoment = repeat(first, { createdAt: first.createdAt + DAY - 1 });
      assert.deepEqual(await store.issue(lastMoment), replayOf(first));
      const { accountId, test: isTest, idempotency } = first;
      assert.ok(idempotency);
      const found = (createdAt: number) =>
        store.findReplay({ accountId, test: isTest, createdAt, idempotency });
      assert.deepEqual(await found(lastMoment.createdAt), replayOf(first));
      assert.equal(await found(first.createdAt + DAY), undefined);
      const nextDay = repeat(first, { createdAt: first.createdAt + DAY });
      assert.deepEqual(await store.issue(nextDay), { kind: 'issued' });
      assert.deepEqual(await store.issue(repeat(first, { createdAt: nextDay.createdAt })), replayOf(nextDay));
    });

    /** As `keyed`, of a client that repeats within this time only. */
    const brief = (wanted: Partial<NewVerification> = {}, bodyHash = 'sms x') =>
      newVerification({ idempotency: { keyHash: unique('idem'), bodyHash, windowMs: WINDOW }, ...wanted });

    test('a request that says for how long is repeated until then, to the millisecond, and then is a new one', async () => {
      const first = brief();
      assert.deepEqual(await store.issue(first), { kind: 'issued' });
      const { accountId, test: isTest, idempotency } = first;
      assert.ok(idempotency);
      const find = (createdAt: number) =>
        store.findReplay({ accountId, test: isTest, createdAt, idempotency });
      const last = first.createdAt + WINDOW - 1;
      assert.deepEqual(await store.issue(repeat(first, { createdAt: last })), replayOf(first));
      assert.deepEqual(await find(last), replayOf(first));
      assert.equal(await find(last + 1), undefined);
      const second = repeat(first, { createdAt: last + 1 });
      assert.deepEqual(await store.issue(second), { kind: 'issued' });
      const { createdAt } = second;
      assert.deepEqual(await store.issue(repeat(first, { createdAt: createdAt + 1 })), replayOf(second));
      assert.equal((await store.confirm(guessAt(first, 'right'))).kind, 'confirmed');
    });

    test('limits hold for what comes after that time, and a refused request leaves no answer', async () => {
      const first = brief();
      await store.issue(first);
      const at = (createdAt: number) => store.issue(repeat(first, { createdAt }));
      const { createdAt } = first;
      assert.deepEqual(kindsOf([await at(createdAt + WINDOW)]), ['issued']);
      const third = createdAt + 2 * WINDOW;
      assert.deepEqual(kindsOf([await at(third), await at(third + 1)]), ['limited', 'limited']);
    });

    test('a hundred at once after that time are one new request', async () => {
      const first = brief({ test: true });
      await store.issue(first);
      const createdAt = first.createdAt + WINDOW;
      // Requests with one key go one after the other, and a store lets none of them wait for more than some seconds.
      const all = Array.from({ length: 100 }, () => repeat(first, { test: true, createdAt }));
      const outcomes = await Promise.all(all.map((each) => store.issue(each)));
      const issued = all.filter((_, i) => outcomes[i]?.kind === 'issued');
      assert.equal(issued.length, 1);
      const [second] = issued;
      assert.ok(second);
      for (const outcome of outcomes) {
        if (outcome.kind !== 'issued') assert.deepEqual(outcome, replayOf(second));
      }
    });

    test('beside requests that say nothing of it, each is repeated for its own time', async () => {
      const requests = [keyed(), brief(), keyed({ idempotency: null }), brief(), keyed()];
      await Promise.all(requests.map((each) => store.issue(each)));
      const later = Math.max(...requests.map(({ createdAt }) => createdAt)) + WINDOW;
      const outcomes = await Promise.all(
        requests.map((each) => store.issue(repeat(each, { createdAt: later }))),
      );
      assert.deepEqual(kindsOf(outcomes), ['replayed', 'issued', 'issued', 'issued', 'replayed']);
    });

    test('survives a restart', async (t) => {
      const own = await openFor(t, open, LAX);
      const first = keyed();
      await own.store.issue(first);
      const again = await own.reopen();
      assert.deepEqual(await again.issue(repeat(first)), replayOf(first));
    });
  });
}
