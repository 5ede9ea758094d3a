/** Leases whose renewal the store answers late: what it says is of the moment when it was asked. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Outcome } from '../core/carrier.ts';
import { createManualClock } from '../core/clock-fixture.ts';
import type { Delivery, DeliveryQueue } from '../core/delivery.ts';
import { Dispatcher } from './dispatcher.ts';
import { ACCEPTED, messageWith, OPEN_GATE, rememberingFunnel, scriptedCarrier, settled } from './fixture.ts';
import { createGate } from './gate.ts';

const LEASE = 15_000;

/** Two messages are held here: one is at its carrier, the other waits for its place. Their leases are being renewed. */
async function renewing(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const clock = createManualClock();
  const renewals: ((kept: readonly string[]) => void)[] = [];
  const due: Delivery[] = [];
  const queue: DeliveryQueue = {
    claim: async () => due.splice(0),
    renew: () => new Promise((resolve) => renewals.push((kept) => resolve(new Set(kept)))),
    settle: async () => [],
    receive: async () => ({ kind: 'early' }),
    depth: async () => 0,
  };
  const answers: ((outcome: Outcome) => void)[] = [];
  const carrier = scriptedCarrier('smsc', () => new Promise((resolve) => answers.push(resolve)));
  const gate = createGate(carrier, { ...OPEN_GATE, clock, concurrency: 1 }, () => {});
  const dispatcher = new Dispatcher(
    {
      queue,
      gates: [gate],
      choose: () => [{ gate, why: null }],
      clock,
      costOf: () => 0,
      open: ({ id }) => messageWith({ id }),
      recipientTags: (address) => [address],
      funnel: rememberingFunnel(),
      log: () => {},
    },
    { lease: LEASE, capacity: 100 },
  );
  dispatcher.start();
  t.after(() => dispatcher.stop(0));
  for (const id of ['first', 'second']) dispatcher.accept(messageWith({ id }), clock.now(), clock.steady());
  t.mock.timers.tick(LEASE / 3);
  await settled();
  assert.equal(renewals.length, 1);
  return {
    clock,
    /** The store says which it has renewed, and the carrier takes the first message. */
    async answer(kept: readonly string[]) {
      renewals[0]?.(kept);
      await settled();
      answers[0]?.(ACCEPTED);
      await settled();
      return carrier.submitted;
    },
    async claimAgain(id: string, fence: number) {
      const { accountId, test: isTest, channel, expiresAt } = messageWith();
      const sealed = { destinationSealed: 'sealed', codeSealed: 'sealed', settings: null };
      const at = { createdAt: clock.now(), expiresAt };
      const which = { id, accountId, test: isTest, channel, country: 'DE' };
      due.push({ ...which, ...sealed, ...at, fence, rounds: 0, spentCarriers: [] });
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
  test(`a lease that is renewed counts from before the store was asked (${passed} ms)`, async (t) => {
    const { clock, answer } = await renewing(t);
    clock.pass(passed);
    assert.deepEqual(await answer(['first', 'second']), sent);
  });
}

test('one that was claimed again meanwhile is not lost with the one before', async (t) => {
  const { answer, claimAgain } = await renewing(t);
  await claimAgain('second', 1);
  assert.deepEqual(await answer(['first']), ['first', 'second']);
});

test('one that was not renewed is lost', async (t) => {
  const { answer } = await renewing(t);
  assert.deepEqual(await answer(['first']), ['first']);
});
