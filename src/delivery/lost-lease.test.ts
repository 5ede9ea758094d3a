/** A node that has lost the lease of a delivery must not send it: the code was confirmed, or another node sends it. */
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { Carrier, Outcome } from '../core/sending/carrier.ts';
import type { Delivery, Settlement } from '../core/sending/delivery.ts';
import {
  ACCEPTED,
  claimedAgain,
  emptyQueue,
  messageWith,
  NO_FUNDS,
  scriptedCarrier,
  settled,
  startDispatcher,
  TEMPORARY,
  until,
} from './fixture.ts';
import type { GateOptions } from './gate/gate.ts';

/**
 * A dispatcher whose queue renews only the leases of `kept`, and has `due`. After the carrier, messages go to `next`. Its turns come
 * when the test says so: while a machine stands still, leases that last for moments would be lost for another reason.
 */
function dispatch(
  t: TestContext,
  kept: readonly string[],
  options: Partial<GateOptions>,
  next: readonly Carrier[] = [],
  due: Delivery[] = [],
) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const settlements: Settlement[] = [];
  let renewals = 0;
  const queue = emptyQueue({
    claim: async () => due.splice(0),
    renew: async (held) => {
      renewals++;
      return new Set(held.map(({ id }) => id).filter((id) => kept.includes(id)));
    },
    settle: async (settlement) => {
      settlements.push(settlement);
      return [];
    },
  });
  const answers: ((outcome: Outcome) => void)[] = [];
  const carrier = scriptedCarrier('smsc', () => new Promise((resolve) => answers.push(resolve)));
  const gateOptions = (each: Carrier) => (each === carrier ? options : {});
  const { dispatcher } = startDispatcher([carrier, ...next], { queue, gateOptions });
  t.after(() => dispatcher.stop(0));
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    await settled();
  };
  const renewed = async () => {
    for (const wanted of [1, 2]) {
      // Much sooner than this lease needs: what was erased is not to wait for it.
      await pass(5_000);
      assert.equal(renewals, wanted);
    }
  };
  return { dispatcher, carrier, answers, settlements, pass, renewed };
}

suite('a lost lease', () => {
  test('a message that waits for a place is not sent, the others are', async (t) => {
    const { dispatcher, carrier, answers, settlements, renewed } = dispatch(t, ['a', 'c'], {
      concurrency: 1,
    });
    for (const id of ['a', 'lost', 'c'])
      dispatcher.accept(messageWith({ id }), Date.now(), performance.now(), NO_FUNDS);
    await settled();
    await renewed();
    answers[0]?.(ACCEPTED);
    await until(() => carrier.submitted.length === 2);
    assert.deepEqual(carrier.submitted, ['a', 'c']);
    answers[1]?.(ACCEPTED);
    await dispatcher.stop(5_000);
    assert.ok(!settlements.some(({ id }) => id === 'lost'), 'it is for its new holder to settle');
  });

  test('a message with a reservation that was not sent says that it cost nothing', async (t) => {
    const { dispatcher, answers, settlements, renewed } = dispatch(t, ['a'], { concurrency: 1 });
    const funds = { ...NO_FUNDS, reservation: { charges: [], prices: {} } };
    for (const id of ['a', 'lost'])
      dispatcher.accept(messageWith({ id, reserved: true }), Date.now(), performance.now(), funds);
    await settled();
    await renewed();
    answers[0]?.(ACCEPTED);
    await dispatcher.stop(5_000);
    assert.deepEqual(
      settlements.map(({ id, fence, attempts, charged }) => [id, fence, attempts.length, charged]),
      [
        ['a', 0, 1, ['smsc']],
        ['lost', 0, 0, []],
      ],
    );
  });

  test('a message that waits for its turn is not sent, the next one is', async (t) => {
    const rate = { max: 1, windowMs: 500 };
    const { dispatcher, carrier, answers, renewed } = dispatch(t, ['a', 'c'], { rate });
    for (const id of ['a', 'lost', 'c'])
      dispatcher.accept(messageWith({ id }), Date.now(), performance.now(), NO_FUNDS);
    await renewed();
    await until(() => carrier.submitted.length === 2);
    assert.deepEqual(carrier.submitted, ['a', 'c']);
    for (const answer of answers) answer(ACCEPTED);
    await dispatcher.stop(5_000);
  });

  test('an attempt under way may finish', async (t) => {
    const { dispatcher, carrier, answers, settlements, renewed } = dispatch(t, [], {});
    dispatcher.accept(messageWith({ id: 'lost' }), Date.now(), performance.now(), NO_FUNDS);
    await settled();
    await renewed();
    answers[0]?.(ACCEPTED);
    await dispatcher.stop(5_000);
    assert.deepEqual(carrier.submitted, ['lost']);
    assert.equal(settlements[0]?.attempts[0]?.outcome, 'accepted');
  });

  test('while the service stops, no other carrier is tried after a failed attempt either', async (t) => {
    const next = scriptedCarrier('next', () => ACCEPTED);
    const { dispatcher, answers, renewed } = dispatch(t, [], {}, [next]);
    dispatcher.accept(messageWith({ id: 'lost' }), Date.now(), performance.now(), NO_FUNDS);
    await settled();
    const stopped = dispatcher.stop(60_000);
    await renewed();
    answers[0]?.(TEMPORARY);
    await stopped;
    assert.deepEqual(next.submitted, []);
  });

  test('after a failed attempt no other carrier is tried', async (t) => {
    const next = scriptedCarrier('next', () => ACCEPTED);
    const { dispatcher, answers, settlements, renewed } = dispatch(t, [], {}, [next]);
    dispatcher.accept(messageWith({ id: 'lost' }), Date.now(), performance.now(), NO_FUNDS);
    await settled();
    await renewed();
    answers[0]?.(TEMPORARY);
    await dispatcher.stop(5_000);
    assert.deepEqual(next.submitted, []);
    assert.equal(settlements[0]?.attempts[0]?.outcome, 'temporary');
  });

  test('a message that this node claimed again while it waited is sent once', async (t) => {
    const due = [claimedAgain(messageWith({ id: 'late' }))];
    const { dispatcher, carrier, answers, pass } = dispatch(t, ['a', 'late'], { concurrency: 1 }, [], due);
    for (const id of ['a', 'late'])
      dispatcher.accept(messageWith({ id }), Date.now(), performance.now(), NO_FUNDS);
    await pass(1_000);
    assert.deepEqual(due, []);
    answers[0]?.({ kind: 'delivered' });
    await until(() => carrier.submitted.length === 2);
    answers[1]?.({ kind: 'delivered' });
    await settled();
    assert.deepEqual(carrier.submitted, ['a', 'late']);
  });

  test('a message that came back before its settlement was answered goes on to the next carrier at once', async (t) => {
    const due: Delivery[] = [];
    const late: (() => void)[] = [];
    const queue = emptyQueue({
      claim: async () => due.splice(0),
      // Written, and its receipt too; but the answer is still on its way.
      settle: async ({ id, next }) => {
        if (next.kind !== 'submitted') return [];
        due.push({ ...claimedAgain(messageWith({ id })), spentCarriers: ['smsc'] });
        return new Promise((resolve) => late.push(() => resolve([])));
      },
    });
    const carrier = scriptedCarrier('smsc', () => ACCEPTED);
    const next = scriptedCarrier('next', () => ({ kind: 'delivered' }));
    const { dispatcher } = startDispatcher([carrier, next], { queue });
    t.after(() => {
      for (const answer of late) answer();
      return dispatcher.stop(0);
    });
    dispatcher.accept(messageWith({ id: 'back' }), Date.now(), performance.now(), NO_FUNDS);
    await until(() => next.submitted.length === 1);
    assert.deepEqual([carrier.submitted, next.submitted], [['back'], ['back']]);
  });
});
