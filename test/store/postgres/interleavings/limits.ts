/** What is the last of something is given once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { periodOf, type Reservation } from '../../../../src/core/budgets/budget.ts';
import {
  DAY,
  guessAt,
  issueOne,
  LEASE,
  mismatch,
  newVerification,
  SUBMITTED,
  settlement,
  tally,
  unique,
} from '../../contract/rig.ts';
import { lookAt } from '../rig.ts';
import type { Interleaver } from './rig.ts';

/** Two carriers that charge 1 each, and a budget for that many messages, or for that much money. */
function budgetOf(messages: number | null, money: number | null = null): Reservation {
  const per = 'month';
  const charge = { kind: 'test', subject: unique('budget'), per, money, messages } as const;
  return { charges: [{ ...charge, ...periodOf(per, Date.now()) }], prices: { one: 1, other: 1 } };
}

const IS_CHARGE = ({ charges: [charge] }: Reservation) => `subject = '${charge?.subject}'`;

export function describeLastOnes(rig: Interleaver): void {
  const { heldUp, waiting, twoNodes } = rig;

  test('the last send of a destination is given once', async (t) => {
    const [a, b] = await twoNodes(t, { sendsPerDestination: [{ max: 2, windowMs: DAY }] });
    const { destinationHash } = await issueOne(a);
    const outcomes = await heldUp(
      `SELECT FROM destination WHERE hash = '${destinationHash}' FOR UPDATE`,
      () => [a, b].map((node) => node.issue(newVerification({ destinationHash }))),
    );
    assert.deepEqual(tally(outcomes), { issued: 1, limited: 1 });
  });

  test('the last room in a budget is given once', async (t) => {
    const [a, b] = await twoNodes(t, {});
    const reservation = budgetOf(2);
    await issueOne(a, { reservation });
    const outcomes = await heldUp(`SELECT FROM budget_use WHERE ${IS_CHARGE(reservation)} FOR UPDATE`, () =>
      [a, b].map((node) => node.issue(newVerification({ reservation }))),
    );
    assert.deepEqual(tally(outcomes), { issued: 1, exhausted: 1 });
  });

  test('the last room in a budget is given once: not to a message that may cost more, too', async (t) => {
    const [a, b] = await twoNodes(t, {});
    const now = Date.now();
    const reservation = budgetOf(null, 3);
    const v = await issueOne(a, { reservation });
    await a.settle({ ...settlement(v, { kind: 'retry', dueAt: now }), charged: ['one', 'other'] });
    const claimed = await a.claim(now, now + LEASE, 10);
    const { fence } = claimed.find(({ id }) => id === v.id) ?? { fence: -1 };
    const more = { ...reservation, prices: { one: 1 } };
    const another = newVerification({ reservation: more });
    const outcomes = await heldUp<unknown>(
      `SELECT FROM budget_use WHERE ${IS_CHARGE(reservation)} FOR UPDATE`,
      () => [
        b.issue(another).then(({ kind }) => kind),
        // The carriers charged for a round that has failed, so the next one takes 1 more.
        waiting(1).then(() => a.reserveMore({ id: v.id, fence, more })),
      ],
    );
    const rows = await lookAt(rig.url, `SELECT money::int FROM budget_use WHERE ${IS_CHARGE(reservation)}`);
    assert.deepEqual([outcomes, rows], [['issued', { full: 0 }], [{ money: 3 }]]);
  });

  test('two settlements give back to a budget once', async (t) => {
    const [a, b] = await twoNodes(t, {});
    const reservation = budgetOf(2);
    const v = await issueOne(a, { reservation });
    // The budget is locked last: one waits for it, the other for what that one has locked before.
    await heldUp(`SELECT FROM budget_use WHERE ${IS_CHARGE(reservation)} FOR UPDATE`, () =>
      [a, b].map((node) => node.settle({ ...settlement(v, SUBMITTED), charged: ['one'] })),
    );
    const rows = await lookAt(rig.url, `SELECT money::int FROM budget_use WHERE ${IS_CHARGE(reservation)}`);
    assert.deepEqual(rows, [{ money: 1 }]);
  });

  test('the last place of a key is given once', async (t) => {
    const [a, b] = await twoNodes(t, { requestsPerKey: [{ max: 2, windowMs: DAY }] });
    const { keyId } = await issueOne(a);
    const outcomes = await heldUp(`SELECT FROM key_usage WHERE key_id = '${keyId}' FOR UPDATE`, () =>
      [a, b].map((node) => node.issue(newVerification({ keyId }))),
    );
    assert.deepEqual(tally(outcomes), { issued: 1, limited: 1 });
  });

  for (const code of ['wrong', 'right'] as const) {
    test(`the last guess of a destination is judged once (the other code is ${code})`, async (t) => {
      const [a, b] = await twoNodes(t, { failedGuessesPerDestination: [{ max: 2, windowMs: DAY }] });
      const destinationHash = unique('hash');
      const [first, second] = [
        await issueOne(a, { destinationHash }),
        await issueOne(a, { destinationHash }),
      ];
      await a.confirm(guessAt(first, 'wrong'));
      const outcomes = await heldUp(
        `SELECT FROM destination WHERE hash = '${destinationHash}' FOR UPDATE`,
        () => [a.confirm(guessAt(first, 'wrong')), b.confirm(guessAt(second, code))],
      );
      const [wrong, other] = outcomes.map(({ kind }) => kind);
      // The right one may come first; then it clears the count, and the wrong one is judged against that.
      if (other === 'confirmed') assert.deepEqual(outcomes[0], mismatch(1));
      else assert.deepEqual([wrong, other].sort(), ['attempts-exhausted', 'mismatch']);
    });
  }

  test('while a secret is rotated, who waits for one hash of a destination holds no other', async (t) => {
    // In the order of the keys the new hash comes first, and the old one is written first.
    const [current, previous] = [`a ${unique('hash')}`, `b ${unique('hash')}`];
    const hashes = { destinationHash: current, earlierDestinationHashes: [previous] };
    const [a, b] = await twoNodes(t, { sendsPerDestination: [{ max: 9, windowMs: DAY }] });
    await issueOne(a, hashes);
    const free: number[] = [];
    const outcomes = await heldUp(`SELECT FROM destination WHERE hash = '${current}' FOR UPDATE`, () => [
      a.issue(newVerification(hashes)),
      waiting(1).then(async () => {
        const rows = await lookAt(
          rig.url,
          `SELECT FROM destination WHERE hash = '${previous}' FOR UPDATE SKIP LOCKED`,
        );
        free.push(rows.length);
        // A node that has swapped its secrets already, and so the roles of the two.
        return b.issue(newVerification({ destinationHash: previous, earlierDestinationHashes: [current] }));
      }),
    ]);
    assert.deepEqual(free, [1]);
    assert.deepEqual(tally(outcomes), { issued: 2 });
  });

  test('one Idempotency-Key: the second waits for what becomes of the first', async (t) => {
    const [a, b] = await twoNodes(t, { sendsPerDestination: [{ max: 1, windowMs: DAY }] });
    const { destinationHash } = await issueOne(a);
    const accountId = unique('acc');
    const idempotency = { keyHash: unique('idem'), bodyHash: 'sms x' };
    // The first will be refused by its destination's limit; the second must not be answered with its verification.
    const outcomes = await heldUp(
      `SELECT FROM destination WHERE hash = '${destinationHash}' FOR UPDATE`,
      () => {
        const first = a.issue(newVerification({ accountId, idempotency, destinationHash }));
        return [first, waiting(1).then(() => b.issue(newVerification({ accountId, idempotency })))];
      },
    );
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['limited', 'issued'],
    );
  });
}
