/** Leases that the store answers late, written, claimed or renewed: its answer is about the moment when it was asked. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createManualClock } from '../core/seams/clock-fixture.ts';
import type { Carrier, Deadline, Outcome } from '../core/sending/carrier.ts';
import type { Delivery } from '../core/sending/delivery.ts';
import {
  ACCEPTED,
  claimedAgain,
  emptyQueue,
  hang,
  messageWith,
  NO_FUNDS,
  scriptedCarrier,
  settled,
  startDispatcher,
} from './fixture.ts';

const LEASE = 15_000;

/** Two messages are held here: one is at its carrier, the other waits for its place. Their leases are being renewed. */
async function renewing(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const clock = createManualClock();
  const renewals: ((kept: readonly string[]) => void)[] = [];
  const due: Delivery[] = [];
  const queue = emptyQueue({
    claim: async () => due.splice(0),
    renew: () => new Promise((resolve) => renewals.push((kept) => resolve(new Set(kept)))),
  });
  const answers: ((outcome: Outcome) => void)[] = [];
  const carrier = scriptedCarrier('smsc', () => new Promise((resolve) => answers.push(resolve)));
  const gateOptions = () => ({ concurrency: 1 });
  const { dispatcher } = startDispatcher([carrier], { queue, gateOptions, clock, lease: LEASE });
  t.after(() => dispatcher.stop(0));
  for (const id of ['first', 'second'])
    dispatcher.accept(messageWith({ id }), clock.now(), clock.steady(), NO_FUNDS);
  t.mock.timers.tick(LEASE / 3);
  await settled();
  assert.equal(renewals.length, 1);
  return {
    clock,
    /** The store says which leases it has renewed, and the carrier takes the first message. */
    async answer(kept: readonly string[]) {
      renewals[0]?.(kept);
      await settled();
      answers[0]?.(ACCEPTED);
      await settled();
      return carrier.submitted;
    },
    async claimAgain(id: string) {
      due.push(claimedAgain(messageWith({ id })));
      t.mock.timers.tick(1_000);
      await settled();
      assert.deepEqual(due, []);
    },
  };
}

for (const { passed, sent } of [
  { passed: LEASE - 1, sent: ['first', 'second'] },
  { passed: LEASE, sent: ['first'] },
]) {
  test(`a renewed lease counts from before the store was asked (${passed} ms)`, async (t) => {
    const { clock, answer } = await renewing(t);
    clock.pass(passed);
    assert.deepEqual(await answer(['first', 'second']), sent);
  });
}

for (const { passed, sent } of [
  { passed: LEASE - 1, sent: ['due'] },
  { passed: LEASE, sent: [] },
]) {
  test(`a claimed lease counts from before the store was asked (${passed} ms)`, async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const clock = createManualClock();
    const due = [claimedAgain(messageWith({ id: 'due' }))];
    const queue = emptyQueue({
      claim: async () => {
        clock.pass(passed);
        return due.splice(0);
      },
    });
    const carrier = scriptedCarrier('smsc', () => ACCEPTED);
    const { dispatcher } = startDispatcher([carrier], { queue, clock, lease: LEASE });
    t.after(() => dispatcher.stop(0));
    t.mock.timers.tick(1_000);
    await settled();
    assert.deepEqual(due, []);
    assert.deepEqual(carrier.submitted, sent);
  });
}

for (const { passed, sent } of [
  { passed: LEASE - 1, sent: ['new'] },
  { passed: LEASE, sent: [] },
]) {
  test(`the lease of a new message counts from before the store was asked (${passed} ms)`, async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const clock = createManualClock();
    const carrier = scriptedCarrier('smsc', () => ACCEPTED);
    const { dispatcher } = startDispatcher([carrier], { queue: emptyQueue({}), clock, lease: LEASE });
    t.after(() => dispatcher.stop(0));
    const [createdAt, asked] = [clock.now(), clock.steady()];
    clock.pass(passed);
    dispatcher.accept(messageWith({ id: 'new' }), createdAt, asked, NO_FUNDS);
    await settled();
    assert.deepEqual(carrier.submitted, sent);
  });
}

test('a lease is renewed by the clock of the store, whatever this machine’s says', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const clock = createManualClock(Date.now() - 3_600_000);
  const asked: number[] = [];
  const queue = emptyQueue({
    renew: async (_held, leaseUntil) => {
      asked.push(leaseUntil);
      return new Set();
    },
  });
  // Short, so that it is renewed sooner than others.
  const lease = 3_000;
  const { dispatcher } = startDispatcher([scriptedCarrier('smsc', hang)], { queue, clock, lease });
  t.after(() => dispatcher.stop(0));
  dispatcher.accept(messageWith(), clock.now(), clock.steady(), NO_FUNDS);
  t.mock.timers.tick(lease / 3);
  await settled();
  assert.deepEqual(asked, [clock.now() + lease]);
});

test('a lease claimed again in the meantime is not lost with the old one', async (t) => {
  const { answer, claimAgain } = await renewing(t);
  await claimAgain('second');
  assert.deepEqual(await answer(['first']), ['first', 'second']);
});

test('a lease that was not renewed is lost', async (t) => {
  const { answer } = await renewing(t);
  assert.deepEqual(await answer(['first']), ['first']);
});

test('a carrier that sends later, or in parts, can see when the lease is over, and when it holds again', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const clock = createManualClock();
  const seen: Deadline[] = [];
  const carrier: Carrier = {
    ...scriptedCarrier('smsc', hang),
    submit: (_message, deadline) => {
      seen.push(deadline);
      return new Promise<Outcome>(() => {});
    },
  };
  const queue = emptyQueue({ renew: async (held) => new Set(held.map(({ id }) => id)) });
  const { dispatcher } = startDispatcher([carrier], { queue, clock, lease: LEASE });
  t.after(() => dispatcher.stop(0));
  dispatcher.accept(messageWith(), clock.now(), clock.steady(), NO_FUNDS);
  await settled();
  const wanted = () => seen.map((deadline) => deadline.wanted);
  clock.pass(LEASE - 1);
  assert.deepEqual(wanted(), [true]);
  clock.pass(1);
  assert.deepEqual(wanted(), [false]);
  t.mock.timers.tick(LEASE / 3);
  await settled();
  assert.deepEqual(wanted(), [true]);
});
