/** Calls that come at once may be carried out together: each keeps what is its own, and gets its own answer. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Charge, periodOf } from '../../../../src/core/budgets/budget.ts';
import type { ReceiptOutcome } from '../../../../src/core/sending/delivery.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  FAILOVER,
  guessAt,
  HOUR,
  issueOne,
  kindsOf,
  MINUTE,
  macOf,
  newVerification,
  type OpenedStore,
  type OpenStore,
  receipt,
  SECOND,
  settlement,
  unique,
  withLimits,
} from '../rig.ts';

const SENDS = 2;
const RULES = withLimits({ sendsPerDestination: [{ max: SENDS, windowMs: 10 * MINUTE }] });
const ONE_GUESS = [{ max: 1, windowMs: HOUR }];

export function describeAtOnce(open: OpenStore): void {
  suite('calls at once', () => {
    let opened: OpenedStore;
    let store: Store;

    before(async () => {
      opened = await open(RULES);
      store = opened.store;
    });
    after(() => opened.dispose());

    /** One between others that have nothing of what it has. */
    const issueAmongOthers = async (wanted: Partial<NewVerification>) => {
      const all = [newVerification(), newVerification(wanted), newVerification()];
      const outcomes = await Promise.all(all.map((each) => store.issue(each)));
      const [first, own, last] = kindsOf(outcomes);
      assert.deepEqual([first, last], ['issued', 'issued']);
      return { own, all };
    };

    test('a budget holds for the one that has it', async () => {
      const now = Date.now();
      const charge: Charge = {
        ...{ kind: unique('kind'), subject: 'one', money: null, messages: 1, per: 'day' },
        ...periodOf('day', now),
      };
      const reservation = { charges: [charge], prices: { smsc: 1 } };
      assert.equal((await issueAmongOthers({ createdAt: now, reservation })).own, 'issued');
      assert.equal((await issueAmongOthers({ createdAt: now, reservation })).own, 'exhausted');
    });

    test('an Idempotency-Key is that of its request', async () => {
      const accountId = unique('acc');
      const idempotency = { keyHash: unique('idem'), bodyHash: 'sms x' };
      assert.equal((await issueAmongOthers({ accountId, idempotency })).own, 'issued');
      assert.equal((await issueAmongOthers({ accountId, idempotency })).own, 'replayed');
    });

    test('an earlier hash of a number counts', async () => {
      const destinationHash = unique('hash');
      for (let i = 0; i < SENDS; i++) await issueOne(store, { destinationHash });
      assert.equal((await issueAmongOthers({ earlierDestinationHashes: [destinationHash] })).own, 'limited');
    });

    test('a code that is to be found by its number is', async () => {
      const { all } = await issueAmongOthers({ byNumber: true });
      const [, v] = all;
      assert.ok(v !== undefined);
      const { accountId, destinationHash, createdAt } = v;
      const number = { accountId, test: v.test, destinationHash, earlierDestinationHashes: [] };
      const found = await store.findLive({ ...number, now: createdAt + SECOND });
      assert.deepEqual(
        found.map(({ id }) => id),
        [v.id],
      );
    });

    for (const place of [0, 1]) {
      test(`the limits of an account are not those of another (${place})`, async () => {
        const strict = await issueOne(store);
        const { destinationHash } = strict;
        await store.confirm({ ...guessAt(strict, 'wrong'), limits: ONE_GUESS });
        const lax = await issueOne(store);
        for (let i = 0; i < 2; i++) await store.confirm(guessAt(lax, 'wrong'));
        const guesses = [guessAt(lax, 'right')].toSpliced(place, 0, {
          ...guessAt(strict, 'right'),
          limits: ONE_GUESS,
        });
        const outcomes = await Promise.all(guesses.map((guess) => store.confirm(guess)));
        const kinds = outcomes.map(({ kind }) => kind);
        assert.deepEqual(kinds, ['confirmed'].toSpliced(place, 0, 'attempts-exhausted'));

        const [byStrict, byLax] = [
          await issueOne(store, { destinationHash, accountId: strict.accountId, byNumber: true }),
          await issueOne(store, { byNumber: true }),
        ];
        await store.confirm(guessAt(byLax, 'wrong'));
        const byNumber = (v: NewVerification, limits?: typeof ONE_GUESS) => {
          const { accountId, destinationHash, createdAt } = v;
          const candidates = [{ id: v.id, codeMac: macOf(v.id, 'right'), earlierCodeMacs: [] }];
          const number = { accountId, test: v.test, destinationHash, earlierDestinationHashes: [] };
          return store.confirmByNumber({ ...number, candidates, now: createdAt + SECOND, limits });
        };
        const calls = [() => byNumber(byLax)].toSpliced(place, 0, () => byNumber(byStrict, ONE_GUESS));
        const judged = await Promise.all(calls.map((call) => call()));
        assert.deepEqual(
          judged.map(({ kind }) => kind),
          kinds,
        );
      });
    }

    for (const early of [true, false]) {
      test(`each ${early ? 'early' : 'late'} receipt has its own answer`, async () => {
        const now = Date.now();
        // The newest first: what is carried out together may be sorted by ids.
        const messages = [
          { v: await issueOne(store, { createdAt: now + SECOND, country: 'FR' }), status: 'undelivered' },
          { v: await issueOne(store, { createdAt: now, country: 'DE' }), status: 'delivered' },
        ] as const;
        const receive = () =>
          Promise.all(
            messages.map(({ v, status }) =>
              store.receive(receipt(now + 5 * SECOND, { references: [v.id], status })),
            ),
          );
        const settle = () =>
          Promise.all(messages.map(({ v }) => store.settle(settlement(v, FAILOVER, [{ reference: v.id }]))));
        const inShort = (outcome?: ReceiptOutcome) =>
          outcome?.kind === 'applied' ? `${outcome.status} ${outcome.country}` : outcome?.kind;
        const [before, after] = early
          ? [await receive(), (await settle()).map((each) => each[0])]
          : [(await settle()).flat(), await receive()];
        assert.deepEqual(before.map(inShort), early ? ['early', 'early'] : []);
        assert.deepEqual(after.map(inShort), ['undelivered FR', 'delivered DE']);
      });
    }
  });
}
