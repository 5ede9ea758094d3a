/** Live and test never meet: whatever is found by an id, a number or an Idempotency-Key is of one account and one kind of key. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  guessAt,
  issueOne,
  LAX,
  macOf,
  newVerification,
  type OpenedStore,
  type OpenStore,
  SECOND,
  settlement,
  unique,
} from '../rig.ts';
import { countsOf } from '../statistics/counting.ts';

export function describeScope(open: OpenStore): void {
  suite('scope', () => {
    let opened: OpenedStore;
    let store: Store;

    before(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    after(() => opened.dispose());

    for (const isTest of [false, true]) {
      const kind = isTest ? 'test' : 'live';
      const issue = (wanted: Partial<NewVerification> = {}) => issueOne(store, { test: isTest, ...wanted });
      /** As a key of the other kind asks, of the same account. */
      const crossing = <T extends { readonly test: boolean }>(asked: T): T => ({ ...asked, test: !isTest });

      test(`a ${kind} code is unknown to keys of the other kind, right or wrong, and loses no guess`, async () => {
        const v = await issue();
        for (const code of ['right', 'wrong'] as const) {
          assert.deepEqual(await store.confirm(crossing(guessAt(v, code))), { kind: 'unknown' });
        }
        const found = await store.findArchived(v, v.id, v.createdAt + SECOND);
        assert.equal(found?.verification.guessesLeft, v.guesses);
        assert.deepEqual(await countsOf(store, { accountId: v.accountId }), { requested: 1 });
        const outcome = await store.confirm(guessAt(v, 'right'));
        assert.equal(outcome.kind === 'confirmed' && outcome.test, isTest ? true : undefined);
        assert.deepEqual(await store.confirm(crossing(guessAt(v, 'right'))), { kind: 'unknown' });
      });

      test(`what was judged of a ${kind} code is not repeated to keys of the other kind`, async () => {
        for (const code of ['right', 'wrong'] as const) {
          const v = await issue();
          const idempotency = { keyHash: unique('idem'), bodyHash: code };
          const guess = { ...guessAt(v, code), idempotency };
          const { kind: first } = await store.confirm(guess);
          assert.equal(first, code === 'right' ? 'confirmed' : 'mismatch');
          assert.deepEqual(await store.confirm(crossing(guess)), { kind: 'idempotency-mismatch' });
          const fresh = { keyHash: unique('idem'), bodyHash: code, earlier: [idempotency] };
          const asked = crossing({ ...guess, idempotency: fresh });
          assert.deepEqual(await store.confirm(asked), { kind: 'unknown' }, 'the other kind holds that hash');
          assert.equal((await store.confirm(guess)).kind, 'replayed');
        }
      });

      test(`a ${kind} request is not repeated to keys of the other kind`, async () => {
        const idempotency = { keyHash: unique('idem'), bodyHash: 'sms x' };
        const v = await issue({ idempotency });
        const again = newVerification({ accountId: v.accountId, test: isTest, idempotency });
        assert.deepEqual(await store.issue(crossing(again)), { kind: 'idempotency-mismatch' });
        assert.deepEqual(await store.findReplay(crossing({ ...again, idempotency })), {
          kind: 'idempotency-mismatch',
        });
        const fresh = { ...idempotency, keyHash: unique('idem'), earlier: [idempotency] };
        const asked = { ...again, idempotency: fresh };
        assert.equal(await store.findReplay(crossing(asked)), undefined);
        assert.equal((await store.findReplay(asked))?.kind, 'replayed');
        assert.deepEqual(await store.issue(crossing(asked)), { kind: 'issued' });
      });

      test(`a ${kind} code is not confirmed, approved or canceled by its number by keys of the other kind`, async () => {
        const v = await issue({ byNumber: true, brought: true });
        const { id, accountId, destinationHash, codeMac } = v;
        const now = v.createdAt + SECOND;
        const candidates = [{ id, codeMac, earlierCodeMacs: [] }];
        const number = { accountId, test: isTest, destinationHash, earlierDestinationHashes: [], now };
        assert.deepEqual(await store.confirmByNumber({ ...crossing(number), candidates }), {
          kind: 'unknown',
        });
        const one = { id, accountId, test: isTest, now };
        assert.deepEqual(await store.approve(crossing(one)), { kind: 'unknown' });
        assert.equal(await store.cancel(crossing(one)), false);
        const other = await issue({ accountId, test: !isTest, byNumber: true });
        const mixed = [
          { id: other.id, codeMac: macOf(other.id, 'wrong'), earlierCodeMacs: [] },
          ...candidates,
        ];
        const judged = await store.confirmByNumber({ ...crossing(number), candidates: mixed });
        assert.equal(judged.kind === 'mismatch' && judged.id, other.id, 'though the first is right');
        const outcome = await store.confirmByNumber({ ...number, candidates });
        assert.equal(outcome.kind === 'confirmed' && outcome.test, isTest ? true : undefined);
      });

      test(`a ${kind} verification and its message are seen by keys of its kind, and by people`, async () => {
        const v = await issue();
        const { id, accountId } = v;
        await store.settle(settlement(v, { kind: 'delivered', inbox: true }, [{ outcome: 'delivered' }]));
        const scope = { accountId, test: isTest };
        const people = { accountId, test: 'both' } as const;
        const now = v.createdAt + SECOND;
        const found = async (by: typeof scope | typeof people) =>
          (await store.findArchived(by, id, now))?.verification.id;
        assert.deepEqual(
          [await found(scope), await found(people), await found(crossing(scope))],
          [id, id, undefined],
        );
        for (const hashes of [null, [v.destinationHash]]) {
          const listed = async (by: typeof scope | typeof people) =>
            (await store.list(by, hashes, 10, Date.now())).map((message) => message.id);
          assert.deepEqual(
            [await listed(scope), await listed(people), await listed(crossing(scope))],
            [[id], [id], []],
          );
        }
      });
    }
  });
}
