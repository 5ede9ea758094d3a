/** The dispatcher over a real store, with scripted carriers. */
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { StoreUnavailable } from '../core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { HASTY_CLOCK } from '../core/seams/clock-fixture.ts';
import type { Outcome, OutgoingMessage } from '../core/sending/carrier.ts';
import type { Delivery, DeliveryQueue, Settlement } from '../core/sending/delivery.ts';
import {
  ACCEPTED,
  claimedAgain,
  emptyQueue,
  hang,
  inTurn,
  LEASE,
  messageWith,
  NO_FUNDS,
  openRig,
  PERMANENT,
  scriptedCarrier,
  settled,
  startDispatcher,
  TEMPORARY,
  until,
} from './fixture.ts';

const message = messageWith({ id: 'v1' });

suite('dispatcher', () => {
  test('a new message is handed over at once, without reading the queue', async () => {
    await using rig = await openRig();
    const smsc = scriptedCarrier('smsc', () => ({ kind: 'delivered' }));
    const { dispatcher, deliveryMetrics } = rig.dispatch([smsc]);
    await rig.send(dispatcher, message);
    await settled();
    assert.deepEqual(smsc.submitted, ['v1']);
    await rig.emptied();
    assert.deepEqual(deliveryMetrics.told, ['attempted delivered', 'submitted smsc', 'delivered smsc']);
  });

  test('messages that another node left in the queue are claimed and sent', async () => {
    await using rig = await openRig();
    const smsc = scriptedCarrier('smsc', () => ACCEPTED);
    await rig.issue(message, Date.now());
    rig.dispatch([smsc]);
    await rig.emptied();
    assert.deepEqual(smsc.submitted, ['v1']);
  });

  test('a message that could not be sent is tried again', async () => {
    await using rig = await openRig();
    const smsc = scriptedCarrier('smsc', inTurn(TEMPORARY, ACCEPTED));
    await rig.send(rig.dispatch([smsc]).dispatcher, message);
    await rig.emptied();
    assert.deepEqual(smsc.submitted, ['v1', 'v1']);
  });

  test('a carrier that throws counts as a temporary failure', async () => {
    await using rig = await openRig();
    let calls = 0;
    const smsc = scriptedCarrier('smsc', () => {
      if (++calls === 1) throw new Error('a bug');
      return ACCEPTED;
    });
    const { dispatcher, deliveryMetrics } = rig.dispatch([smsc]);
    await rig.send(dispatcher, message);
    await rig.emptied();
    assert.equal(calls, 2);
    const attempts = deliveryMetrics.told.filter((line) => !line.startsWith('depth'));
    assert.deepEqual(attempts.slice(0, 3), ['attempted temporary', 'erred Error', 'attempted accepted']);
  });

  test('a message that every carrier refuses has failed', async () => {
    await using rig = await openRig();
    const carriers = ['a', 'b'].map((name) => scriptedCarrier(name, () => PERMANENT));
    const { dispatcher, deliveryMetrics } = rig.dispatch(carriers);
    await rig.send(dispatcher, message);
    await rig.emptied();
    const refused = ['attempted permanent', 'erred refused'];
    assert.deepEqual(deliveryMetrics.told, [...refused, ...refused, 'failed DE']);
  });

  test('a message that no carrier could be asked for goes back into the queue', async (t) => {
    const settlements: Settlement[] = [];
    const queue = emptyQueue({
      settle: async (settlement) => {
        settlements.push(settlement);
        return [];
      },
    });
    const smsc = scriptedCarrier('smsc', () => TEMPORARY);
    const gateOptions = () => ({ breaker: { failures: 1, resetAfter: 60_000 } });
    const { dispatcher } = startDispatcher([smsc], { queue, gateOptions });
    t.after(() => dispatcher.stop(0));
    for (const id of ['v1', 'v2']) {
      dispatcher.accept(messageWith({ id }), Date.now(), performance.now(), NO_FUNDS);
      await until(() => settlements.some((settlement) => settlement.id === id));
    }
    const told = settlements.map(({ attempts, next }) => [attempts.length, next.kind]);
    assert.deepEqual(told, [
      [1, 'retry'],
      [0, 'retry'],
    ]);
  });

  test('messages beyond the capacity go back into the queue, and are sent when there is room', async () => {
    await using rig = await openRig();
    const answers: ((outcome: Outcome) => void)[] = [];
    const smsc = scriptedCarrier('smsc', () => new Promise((resolve) => answers.push(resolve)));
    const { dispatcher } = rig.dispatch([smsc], { capacity: 2 });
    for (const id of ['v1', 'v2', 'v3', 'v4']) await rig.send(dispatcher, messageWith({ id }));
    await settled();
    assert.deepEqual(smsc.submitted, ['v1', 'v2']);
    await until(async () => {
      for (const answer of answers.splice(0)) answer(ACCEPTED);
      return (await rig.store.depth()) === 0;
    });
    assert.deepEqual(smsc.submitted.toSorted(), ['v1', 'v2', 'v3', 'v4']);
  });

  test('no more is claimed than there is room for', async () => {
    await using rig = await openRig();
    const asked: number[] = [];
    const queue: DeliveryQueue = {
      ...rig.store,
      claim: async (...[now, leaseUntil, limit]) => {
        asked.push(limit);
        return rig.store.claim(now, leaseUntil, limit);
      },
    };
    const { dispatcher } = rig.dispatch([scriptedCarrier('smsc', hang)], { queue, capacity: 3 });
    await rig.send(dispatcher, message);
    // Writing it may take longer than the first claim is away.
    asked.length = 0;
    await until(() => asked.length > 0);
    assert.equal(asked[0], 2);
  });

  test('what is claimed belongs to its node for a lease', async () => {
    let claimed: readonly [now: number, leaseUntil: number] | undefined;
    const queue = emptyQueue({
      claim: async (...[now, leaseUntil]) => {
        claimed ??= [now, leaseUntil];
        return [];
      },
    });
    const { dispatcher } = startDispatcher([], { queue });
    await until(() => claimed !== undefined);
    await dispatcher.stop(0);
    assert.ok(claimed !== undefined);
    const [now, leaseUntil] = claimed;
    assert.equal(leaseUntil - now, LEASE);
  });

  test('what a budget keeps money for is told to the carrier, also of a message that was claimed', async () => {
    const reserved: unknown[] = [];
    const smsc = scriptedCarrier('smsc', (taken) => {
      reserved.push(taken.reserved);
      return ACCEPTED;
    });
    const waiting = [{ ...claimedAgain(message), reservation: { charges: [], prices: {} } }];
    const queue = emptyQueue({ claim: async () => waiting.splice(0) });
    const { dispatcher } = startDispatcher([smsc], { queue });
    await until(() => reserved.length > 0);
    await dispatcher.stop(0);
    assert.deepEqual(reserved, [true]);
  });

  test('nothing is claimed while a claim is under way: it would not know what that one brings', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const claims: (() => void)[] = [];
    const queue = emptyQueue({ claim: () => new Promise((resolve) => claims.push(() => resolve([]))) });
    const { dispatcher } = startDispatcher([], { queue });
    for (const wanted of [1, 1, 1]) {
      t.mock.timers.tick(1_000);
      assert.equal(claims.length, wanted);
    }
    claims[0]?.();
    await settled();
    t.mock.timers.tick(1_000);
    assert.equal(claims.length, 2);
    claims[1]?.();
    await dispatcher.stop(0);
  });

  test('what could not be claimed, for the store was away, is claimed when it is back', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let claims = 0;
    const queue = emptyQueue({
      claim: async () => {
        claims += 1;
        throw new StoreUnavailable('the disk is full');
      },
    });
    const { dispatcher, logged } = startDispatcher([], { queue });
    for (const wanted of [1, 2, 3]) {
      t.mock.timers.tick(250);
      await settled();
      assert.equal(claims, wanted);
    }
    assert.equal(logged.length, 3);
    await dispatcher.stop(0);
  });

  test('what a carrier says about a number is not passed on with it', async () => {
    await using rig = await openRig();
    const smsc = scriptedCarrier('smsc', () => ({ kind: 'permanent', reason: '+4915112345678 is unknown' }));
    const { dispatcher, deliveryMetrics } = rig.dispatch([smsc]);
    await rig.send(dispatcher, message);
    await rig.emptied();
    assert.ok(deliveryMetrics.told.includes('erred +[number] is unknown'));
  });

  test('a sent message is settled once the store is back, and not sent again', async () => {
    await using rig = await openRig();
    const { store } = rig;
    const settlements: Settlement[] = [];
    const back = Promise.withResolvers<void>();
    const flaky: DeliveryQueue = {
      ...store,
      settle: async (settlement) => {
        if (settlements.push(settlement) === 1) throw new StoreUnavailable('the disk is full');
        await back.promise;
        return store.settle(settlement);
      },
    };
    const smsc = scriptedCarrier('smsc', () => ACCEPTED);
    const { dispatcher, deliveryMetrics } = rig.dispatch([smsc], { queue: flaky });
    await rig.send(dispatcher, message);
    await until(() => settlements.length > 0);
    assert.equal(await store.depth(), 1);
    back.resolve();
    await until(() => deliveryMetrics.told.includes('submitted smsc'));
    assert.equal(settlements.length, 2);
    assert.equal(await store.depth(), 0);
    assert.deepEqual(smsc.submitted, ['v1']);
    assert.equal(deliveryMetrics.told.filter((each) => each === 'submitted smsc').length, 1);
  });

  test('a message that cannot be settled is given up once its code has expired', async () => {
    await using rig = await openRig();
    let tries = 0;
    const queue = emptyQueue({
      settle: async () => {
        tries++;
        throw new StoreUnavailable('the disk is full');
      },
    });
    const { dispatcher, logged } = rig.dispatch([scriptedCarrier('smsc', () => ACCEPTED)], {
      queue,
      dispatcherClock: SYSTEM_CLOCK,
    });
    const brief = messageWith({ id: 'v1', expiresAt: Date.now() + 200 });
    dispatcher.accept(brief, Date.now(), performance.now(), NO_FUNDS);
    await until(() => logged.some((line) => line.startsWith('a delivery failed unexpectedly')));
    assert.equal(tries, 2);
  });

  test('a slow carrier does not delay the messages of another', async () => {
    await using rig = await openRig();
    const slow = scriptedCarrier('slow', hang);
    const quick = scriptedCarrier('quick', () => ({ kind: 'delivered' }));
    const { dispatcher } = rig.dispatch([slow, quick]);
    for (const [i, accountId] of Array(20).fill(['slow', 'quick']).flat().entries()) {
      await rig.send(dispatcher, messageWith({ id: `v${i}`, accountId }));
    }
    await until(async () => quick.submitted.length === 20 && (await rig.store.depth()) === 20);
    assert.equal(slow.submitted.length, 10, 'its concurrency');
  });

  test('a delivery that cannot be opened does not block the others', async () => {
    await using rig = await openRig();
    const smsc = scriptedCarrier('smsc', () => ACCEPTED);
    await rig.issue(messageWith({ id: 'bad' }), 0);
    await rig.issue(messageWith({ id: 'good' }), 1);
    const { logged } = rig.dispatch([smsc], {
      open: ({ id }) => {
        if (id === 'bad') throw new TypeError('482913');
        return messageWith({ id });
      },
    });
    await until(async () => smsc.submitted.length === 1 && (await rig.store.depth()) === 1);
    assert.deepEqual(smsc.submitted, ['good']);
    assert.match(
      logged[0] ?? '',
      /^a delivery cannot be opened \{"verification":"bad","error":\{"name":"TypeError","stack":" +at open /,
    );
    assert.doesNotMatch(logged[0] ?? '', /482913/);
  });

  /** What becomes of a delivery that this node claims. */
  async function settledOf(
    t: TestContext,
    delivery: Partial<Delivery>,
    open: () => OutgoingMessage,
  ): Promise<Settlement[]> {
    const due = [{ ...claimedAgain(message), ...delivery }];
    const settlements: Settlement[] = [];
    const queue = emptyQueue({
      claim: async () => due.splice(0),
      settle: async (settlement) => {
        settlements.push(settlement);
        return [];
      },
    });
    const { dispatcher } = startDispatcher([], { queue, open, dispatcherClock: HASTY_CLOCK });
    t.after(() => dispatcher.stop(0));
    await until(() => settlements.length > 0);
    return settlements;
  }

  test('a delivery that cannot be opened goes back before its lease ends, for a node that can', async (t) => {
    const begun = Date.now();
    const [settlement, ...more] = await settledOf(t, { fence: 3 }, () => {
      throw new TypeError('of a later version');
    });
    assert.deepEqual(more, []);
    assert.ok(settlement?.next.kind === 'retry' && settlement.fence === 3);
    assert.ok(settlement.next.dueAt > begun && settlement.next.dueAt < begun + LEASE);
  });

  test('what is to go on by a channel that is not configured here waits for a node that has it, as long as its code is of use', async (t) => {
    const awaited = [{ carrier: 'rcs', channel: null, reference: 'r1' }];
    const goesOn = (expiresAt: number) =>
      settledOf(t, { leg: 1, awaited }, () => messageWith({ id: message.id, expiresAt }));
    const [waiting] = await goesOn(Date.now() + 60_000);
    assert.ok(waiting?.next.kind === 'retry' && waiting.next.leg === undefined);
    const [over] = await goesOn(Date.now());
    assert.equal(over?.next.kind, 'submitted');
  });
});
