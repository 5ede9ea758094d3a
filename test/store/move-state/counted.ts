/** What counts against limits and budgets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { periodOf } from '../../../src/core/budgets/budget.ts';
import type { NewVerification } from '../../../src/core/verification/verification.ts';
import type { Store } from '../../../src/store/port.ts';
import {
  DAY,
  FAILOVER,
  guessAt,
  HOUR,
  issueOne,
  LAX,
  MINUTE,
  newVerification,
  SECOND,
  settlement,
  unique,
  withLimits,
} from '../contract/rig.ts';
import { lookAt } from '../postgres/rig.ts';
import { assertSame, copied } from './copy.ts';

/** Numbers that look random and are the same in each run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield Math.floor(state / 2 ** 12);
  }
}

export function describeCounted(): void {
  test('limits, guesses and idempotency keys answer as before', async (t) => {
    const rules = withLimits({
      requestsPerKey: [{ max: 12, windowMs: HOUR }],
      sendsPerDestination: [
        { max: 3, windowMs: MINUTE },
        { max: 6, windowMs: HOUR },
      ],
      failedGuessesPerDestination: [{ max: 4, windowMs: HOUR }],
    });
    const random = numbers(17);
    const upTo = (count: number) => random.next().value % count;
    const accountId = unique('acc');
    const start = Date.now() - 5 * MINUTE;
    const made: NewVerification[] = [];
    /** The call number `n` of a script of mixed calls. */
    const callAt = (n: number): ((store: Store) => Promise<unknown>) => {
      const now = start + n * SECOND;
      const guessed = made[upTo(Math.max(1, made.length))];
      if (guessed !== undefined && upTo(3) === 0) {
        const code = upTo(4) === 0 ? 'right' : 'wrong';
        return (store) => store.confirm(guessAt(guessed, code, now));
      }
      const verification = newVerification({
        accountId,
        keyId: `key_${upTo(6)}`,
        destinationHash: `destination ${upTo(8)}`,
        createdAt: now,
        guesses: 3,
        idempotency: upTo(3) === 0 ? { keyHash: `idempotency ${upTo(9)}`, bodyHash: 'body' } : null,
      });
      made.push(verification);
      return (store) => store.issue(verification);
    };
    // Counts for longer than the limits of the service.
    const limits = [{ max: 1, windowMs: DAY }];
    const { accountId: owner, destinationHash } = newVerification();
    const own = { accountId: owner, destinationHash };
    const longAgo = newVerification({ ...own, limits, createdAt: start - 20 * HOUR });
    const sides = await copied(t, rules, async (store) => {
      await store.issue(longAgo);
      await store.confirm({ ...guessAt(longAgo, 'wrong'), limits });
      for (let n = 0; n < 150; n++) await callAt(n)(store);
    });
    await assertSame(sides, (store) => store.issue(newVerification({ ...own, limits, createdAt: start })));
    const fresh = newVerification({ ...own, createdAt: start });
    await assertSame(sides, (store) => store.issue(fresh));
    await assertSame(sides, (store) => store.confirm({ ...guessAt(fresh, 'right'), limits }));
    for (let n = 150; n < 300; n++) await assertSame(sides, callAt(n));
    for (const each of made)
      await assertSame(sides, (store) => store.confirm(guessAt(each, 'right', start + 5 * MINUTE)));
  });

  test('while a secret is rotated, sends and failures count under both hashes', async (t) => {
    const rules = withLimits({
      sendsPerDestination: [{ max: 3, windowMs: HOUR }],
      failedGuessesPerDestination: [{ max: 3, windowMs: DAY }],
    });
    const at = Date.now() - MINUTE;
    const accountId = unique('acc');
    const before = { accountId, destinationHash: 'old' };
    const since = { accountId, destinationHash: 'new', earlierDestinationHashes: ['old'] };
    const issued: NewVerification[] = [];
    const sides = await copied(t, rules, async (store) => {
      issued.push(await issueOne(store, { ...before, createdAt: at }));
      issued.push(await issueOne(store, { ...since, createdAt: at + SECOND }));
      for (const each of issued) await store.confirm(guessAt(each, 'wrong'));
    });
    assert.deepEqual(
      await lookAt(
        sides.url,
        'SELECT hash, cardinality(sends) AS sends, cardinality(failures) AS failures FROM destination ORDER BY hash',
      ),
      [
        { hash: 'new', sends: 1, failures: 1 },
        { hash: 'old', sends: 2, failures: 2 },
      ],
    );
    const [, second] = issued;
    assert.ok(second !== undefined);
    for (const createdAt of [at + 2 * SECOND, at + 3 * SECOND]) {
      const next = newVerification({ ...since, createdAt });
      await assertSame(sides, (store) => store.issue(next));
    }
    for (let i = 0; i < 3; i++) await assertSame(sides, (store) => store.confirm(guessAt(second, 'wrong')));
  });

  test('of an erased verification only its send goes along', async (t) => {
    const rules = withLimits({ sendsPerDestination: [{ max: 2, windowMs: HOUR }] });
    const createdAt = Date.now() - MINUTE;
    const { destinationHash } = newVerification();
    const sides = await copied(t, rules, async (store) => {
      const [{ id }] = [await issueOne(store, { destinationHash, createdAt }), await issueOne(store)];
      const erasure = { ids: [id], destinationHashes: [destinationHash], receiptIds: [], now: Date.now() };
      await store.transact([{ erase: erasure }]);
    });
    assert.equal(sides.counts.get('verifications'), 1);
    const again = newVerification({ destinationHash, createdAt });
    await assertSame(sides, (store) => store.issue(again));
    assert.equal((await sides.copy.confirm(guessAt(again, 'right'))).kind, 'confirmed');
    const more = newVerification({ destinationHash, createdAt });
    await assertSame(sides, (store) => store.issue(more));
    assert.deepEqual(await sides.copy.confirm(guessAt(more, 'right')), { kind: 'unknown' });
  });

  test('requests are numbered from the rings of all limits', async (t) => {
    const rules = withLimits({
      requestsPerKey: [
        { max: 40, windowMs: HOUR },
        { max: 3, windowMs: SECOND },
      ],
    });
    const at = Date.now() - MINUTE;
    const keyId = unique('key');
    const sides = await copied(t, rules, async (store) => {
      for (let n = 0; n < 35; n++)
        await issueOne(store, { keyId, createdAt: at + SECOND * Math.floor(n / 3) });
    });
    const [log] = await lookAt<{ requests: string }>(sides.url, 'SELECT requests FROM key_usage');
    assert.equal(log?.requests, '35');
    for (let n = 35; n < 45; n++) {
      const next = newVerification({ keyId, createdAt: at + SECOND * n });
      await assertSame(sides, (store) => store.issue(next));
    }
  });

  test('what is reserved in budgets stays reserved, and comes back once', async (t) => {
    const now = Date.now();
    const charges = (['day', 'month'] as const).map((per) => ({
      ...{ kind: 'account', subject: 'acc', per, money: 310, messages: null },
      ...periodOf(per, now),
    }));
    const reservation = { charges, prices: { smsc: 100, other: 50 } };
    const made: NewVerification[] = [];
    const sides = await copied(t, LAX, async (store) => {
      for (let i = 0; i < 2; i++) made.push(await issueOne(store, { createdAt: now, reservation }));
      for (const v of made) await store.settle(settlement(v, FAILOVER, [{}]));
    });
    const next = newVerification({ createdAt: now, reservation });
    const used = (store: Store) => store.budgetUse(now, []).then((uses) => uses.map(({ money }) => money));
    assert.deepEqual(await used(sides.copy), [300, 300]);
    await assertSame(sides, (store) => store.issue(next));
    for (const v of made) await assertSame(sides, (store) => store.confirm(guessAt(v, 'right')));
    await assertSame(sides, used);
    assert.deepEqual(await used(sides.copy), [200, 200]);
  });
}
