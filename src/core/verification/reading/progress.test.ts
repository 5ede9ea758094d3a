import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { ArchivedAttempt, FoundVerification } from './archive.ts';
import { progressOf, stateOfAttempt, type VerificationProgress } from './progress.ts';

const EXPIRES = 1_000;

type Made = 'accepted' | 'arrived' | 'temporary' | 'permanent' | 'delivered' | 'undelivered';

const UNSTATED = { price: null, currency: null, network: null };

/** `arrived` is an answer that the message has arrived; `delivered` and `undelivered` are receipts. */
function attempt(made: Made): ArchivedAttempt {
  const facts = {
    carrier: 'a',
    choice: null,
    startedAt: 0,
    endedAt: 1,
    reason: null,
    cost: 0,
    reference: null,
    channel: 'sms' as const,
  };
  if (made === 'delivered' || made === 'undelivered') {
    return { ...facts, outcome: 'accepted', receipt: { status: made, reason: null, at: 2, ...UNSTATED } };
  }
  return { ...facts, outcome: made === 'arrived' ? 'delivered' : made, receipt: null };
}

function found(
  made: readonly Made[],
  inQueue: boolean,
  confirmedAt: number | null = null,
  endedAt: number | null = null,
): FoundVerification {
  return {
    verification: {
      ...{ id: 'ver_1', accountId: 'acc_1', keyId: 'key_1', test: false, channel: 'sms', country: 'DE' },
      ...{ destinationSealed: '', brought: false },
      ...{ status: 'pending', carrier: null, asked: [], guessesLeft: 5, createdAt: 0, expiresAt: EXPIRES },
      ...{ endedAt, confirmedAt },
    },
    attempts: made.map(attempt),
    inQueue,
    ...{ detailsSealed: null, signals: null, verdict: null },
  };
}

/** Before and from its expiry on. */
const TABLE: readonly (readonly [
  Made[],
  inQueue: boolean,
  before: VerificationProgress,
  after: VerificationProgress,
])[] = [
  [[], true, 'queued', 'failed'],
  [[], false, 'failed', 'failed'],
  [['temporary'], true, 'queued', 'failed'],
  [['temporary', 'permanent'], false, 'failed', 'failed'],
  [['accepted'], false, 'submitted', 'expired'],
  [['accepted'], true, 'submitted', 'expired'],
  [['permanent', 'accepted'], false, 'submitted', 'expired'],
  [['delivered'], false, 'delivered', 'expired'],
  [['arrived'], false, 'delivered', 'expired'],
  [['undelivered'], false, 'undelivered', 'undelivered'],
  [['undelivered'], true, 'queued', 'undelivered'],
  [['undelivered', 'temporary'], false, 'undelivered', 'undelivered'],
  [['undelivered', 'accepted'], false, 'submitted', 'expired'],
  [['undelivered', 'delivered'], false, 'delivered', 'expired'],
];

suite('the progress of a verification', () => {
  for (const [made, inQueue, before, after] of TABLE) {
    test(`${made.join(', ') || 'nothing yet'}${inQueue ? ', in the queue' : ''}: ${before}, then ${after}`, () => {
      assert.equal(progressOf(found(made, inQueue), EXPIRES - 1), before);
      assert.equal(progressOf(found(made, inQueue), EXPIRES), after);
    });
  }

  for (const [made, inQueue, , after] of TABLE) {
    test(`${made.join(', ') || 'nothing yet'}: ${after} once it was ended, whatever a clock says`, () => {
      assert.equal(progressOf(found(made, inQueue, null, EXPIRES - 1), 1), after);
    });
  }

  const anything = fc.record({
    made: fc.array(
      fc.constantFrom<Made>('accepted', 'arrived', 'temporary', 'permanent', 'delivered', 'undelivered'),
      { maxLength: 4 },
    ),
    inQueue: fc.boolean(),
    now: fc.integer({ min: 0, max: 2 * EXPIRES }),
  });

  test('is confirmed once the code is, whatever else happened', () => {
    fc.assert(
      fc.property(anything, ({ made, inQueue, now }) => {
        assert.equal(progressOf(found(made, inQueue, 500), now), 'confirmed');
      }),
    );
  });

  test('does not depend on the order of the attempts, and never goes back to waiting once it is over', () => {
    fc.assert(
      fc.property(anything, ({ made, inQueue, now }) => {
        const told = progressOf(found(made, inQueue), now);
        assert.equal(progressOf(found(made.toReversed(), inQueue), now), told);
        const isWaiting = told === 'queued' || told === 'submitted' || told === 'delivered';
        if (now >= EXPIRES) assert.ok(!isWaiting, told);
        if (made.includes('arrived') || made.includes('delivered')) {
          assert.equal(told, now >= EXPIRES ? 'expired' : 'delivered');
        }
      }),
    );
  });
});

test('a receipt says more than the answer before it', () => {
  const arrived = attempt('arrived');
  assert.equal(stateOfAttempt(arrived), 'delivered');
  const receipt = { status: 'undelivered', reason: null, at: 2, ...UNSTATED } as const;
  assert.equal(stateOfAttempt({ ...arrived, receipt }), 'undelivered');
  assert.equal(stateOfAttempt(attempt('permanent')), 'failed');
});
