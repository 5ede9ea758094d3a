/** Messages over several channels, held against a naive model: each step has the same effect in both. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { Store } from '../../../../src/store/port.ts';
import { dueOf, newAccount, newEndpoint } from '../events/rig.ts';
import {
  DAY,
  guessAt,
  issueOne,
  LAX,
  LEASE,
  MINUTE,
  type OpenStore,
  openFor,
  receipt,
  seenByPeople,
  settlement,
} from '../rig.ts';
import { createLegsModel, type Figure, type Settling } from './legs-model.ts';

type Step =
  | { readonly kind: 'issue' }
  | { readonly kind: 'wait'; readonly ms: number }
  /** At the time at which the next message is due, or now. */
  | { readonly kind: 'claim'; readonly onTime: boolean }
  | {
      readonly kind: 'settle';
      readonly which: number;
      readonly as: Settling;
      readonly carrier: string;
      readonly after: number;
      /** Or by one that may have lost its lease. */
      readonly byLast: boolean;
      /** The answer was lost, and it comes again. */
      readonly twice: boolean;
    }
  | {
      readonly kind: 'receive';
      readonly which: number;
      readonly attempt: number;
      readonly status: 'delivered' | 'undelivered';
    }
  | { readonly kind: 'renew'; readonly which: number }
  | { readonly kind: 'confirm'; readonly which: number }
  | { readonly kind: 'cancel'; readonly which: number };

const RUNS = Number(process.env.COUNTERSIGN_TEST_LEG_RUNS ?? 25);
const FIGURES: readonly Figure[] = [
  ...(['requested', 'submitted', 'delivered', 'undelivered', 'failed'] as const),
  ...(['failedAttempts', 'confirmed'] as const),
];

const which = fc.nat(1);
/** Some that a lease outlives, some that outlive one, and now and then a code. */
const ms = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 2 * LEASE }) },
  { weight: 1, arbitrary: fc.integer({ min: 8 * MINUTE, max: 11 * MINUTE }) },
);
const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('issue' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms }) },
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constant('claim' as const), onTime: fc.nat(4).map((one) => one > 0) }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('settle' as const),
        as: fc.oneof(
          { weight: 6, arbitrary: fc.constant<Settling>('waits') },
          { weight: 3, arbitrary: fc.constantFrom<Settling>('waits-for-receipt', 'refused') },
          { weight: 2, arbitrary: fc.constantFrom<Settling>('taken', 'arrived', 'again', 'failed') },
        ),
        carrier: fc.constantFrom('a', 'b'),
        after: ms,
        byLast: fc.nat(3).map((one) => one > 0),
        twice: fc.boolean(),
        which,
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('receive' as const),
        attempt: fc.nat(3),
        status: fc.constantFrom('delivered', 'undelivered', 'undelivered'),
        which,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('confirm' as const, 'cancel' as const, 'renew' as const),
        which,
      }),
    },
  ),
  { minLength: 20, maxLength: 60, size: 'max' },
);

/** Takes the steps in both, and holds one against the other after each. */
async function play(store: Store, wanted: readonly Step[]): Promise<void> {
  const model = createLegsModel();
  const accountId = await newAccount(store);
  const hook = await newEndpoint(store, accountId);
  const start = Date.now();
  let now = start;

  async function take(step: Step): Promise<void> {
    now++;
    if (step.kind === 'wait') {
      now += step.ms;
      return;
    }
    if (step.kind === 'issue') {
      model.issue(await issueOne(store, { accountId, createdAt: now }));
      return;
    }
    if (step.kind === 'claim') {
      if (step.onTime) now = Math.max(now, model.nextTime() ?? now);
      const expected = model.claim(now);
      const claimed = await store.claim(now, now + LEASE, 10_000);
      const own = claimed.filter((each) => each.accountId === accountId);
      const got = own.map(({ id, leg, fence, rounds, spentCarriers }) => {
        return { id, leg, fence, rounds, spent: spentCarriers.toSorted() };
      });
      assert.deepEqual(got, expected);
      return;
    }
    const one = model.messages.at(-1 - step.which);
    if (one === undefined) return;
    const { v } = one;
    switch (step.kind) {
      case 'settle': {
        const fence = [...one.holders.keys()].at(step.byLast ? -1 : 0);
        if (fence === undefined) return;
        const { attempt, next, since } = model.settle(one, fence, step.as, step.carrier, now, step.after);
        const { channel, carrier, outcome, reference } = attempt;
        const made = { channel, carrier, outcome, reference, startedAt: since, endedAt: now };
        const settled = settlement(v, next, [made], fence);
        await store.settle(settled);
        if (!step.twice || next.kind !== 'retry') return;
        if (fence === one.fence && one.place.kind !== 'over') model.follow(one, next, channel);
        await store.settle({ ...settled, attempts: [], charged: [] });
        return;
      }
      case 'receive': {
        const attempt = one.attempts.at(-1 - step.attempt);
        if (attempt === undefined || attempt.outcome !== 'accepted') return;
        const { carrier, reference } = attempt;
        const expected = model.receive(one, attempt, step.status, now);
        const outcome = await store.receive(
          receipt(now, { carrier, references: [reference], status: step.status }),
        );
        const noted = outcome.kind === 'applied' && outcome.requeued ? 'requeued' : 'noted';
        assert.equal(outcome.kind === 'duplicate' ? 'duplicate' : noted, expected);
        if (outcome.kind === 'applied') assert.equal(outcome.channel, attempt.channel ?? v.channel);
        return;
      }
      case 'renew': {
        const held = { id: v.id, fence: one.fence };
        const expected = model.renew(one, held.fence, now) ? [v.id] : [];
        assert.deepEqual([...(await store.renew([held], now + LEASE))], expected);
        return;
      }
      case 'confirm':
        if (!model.isClear(one)) return;
        assert.equal((await store.confirm(guessAt(v, 'right', now))).kind, model.confirm(one, now));
        return;
      case 'cancel': {
        const expected = model.cancel(one, now);
        assert.equal(await store.cancel({ id: v.id, accountId, test: false, now }), expected);
      }
    }
  }

  for (const step of [{ kind: 'issue' } as const, ...wanted]) {
    await take(step);
    for (const one of model.messages.slice(-3)) {
      const found = await store.findArchived(seenByPeople(accountId), one.v.id, now);
      assert.ok(found);
      const { verification, inQueue, attempts } = found;
      const made = attempts.map(({ carrier, channel, outcome, receipt: report }) =>
        [carrier, channel, outcome, report?.status].join(' '),
      );
      const got = { status: verification.status, inQueue, attempts: made.sort() };
      assert.deepEqual(got, model.show(one, now), `after ${JSON.stringify(step)}`);
    }
  }

  const from = start - (start % DAY);
  const rows = await store.tally({ from, to: from + 3 * DAY, by: ['channel'], accountId });
  const counted = rows.flatMap((row) =>
    FIGURES.filter((figure) => row[figure] > 0).map(
      (figure) => [`${figure} ${row.channel}`, row[figure]] as const,
    ),
  );
  assert.deepEqual(Object.fromEntries(counted), Object.fromEntries(model.figures));
  const told = await dueOf(store, hook, now + 20 * DAY);
  assert.deepEqual(
    told.map(({ type, verificationId, channel }) => `${type} ${verificationId} ${channel}`).sort(),
    model.told.toSorted(),
  );
}

const claim = { kind: 'claim', onTime: true } as const;
const settle = { kind: 'settle', which: 0, after: MINUTE, twice: false, carrier: 'a' } as const;

export function describeFallbackModel(open: OpenStore): void {
  suite('fallback as a model has it', () => {
    test('of two who lost their leases the newer one is named', async (t) => {
      const { store } = await openFor(t, open, LAX);
      await play(store, [
        claim,
        { ...settle, as: 'refused', byLast: true },
        claim,
        { ...settle, as: 'waits-for-receipt', carrier: 'b', byLast: false },
        claim,
        { ...settle, as: 'waits', byLast: false },
        { kind: 'confirm', which: 0 },
      ]);
    });

    test('random steps have the same effect in both', async (t) => {
      const { store } = await openFor(t, open, LAX);
      await fc.assert(
        fc.asyncProperty(steps, (wanted) => play(store, wanted)),
        { numRuns: RUNS, endOnFailure: true },
      );
    });
  });
}
