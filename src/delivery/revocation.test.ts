/** What an earlier channel has not delivered is taken back before the next one has its turn. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StoreUnavailable } from '../core/errors/store-failure.ts';
import { createManualClock } from '../core/seams/clock-fixture.ts';
import type { Revocation, TakenMessage } from '../core/sending/carrier.ts';
import type { AwaitedAttempt, DeliveryQueue, ReceiptOutcome } from '../core/sending/delivery.ts';
import { emptyQueue, messageWith, NO_FUNDS, rememberingMetrics } from './fixture.ts';
import type { Gate } from './gate/gate.ts';
import { LeasedDelivery } from './leased-delivery.ts';
import { takingBack } from './revocation.ts';

const LEASE = 15_000;
const APPLIED: ReceiptOutcome = {
  kind: 'applied',
  status: 'undelivered',
  channel: 'rcs',
  country: 'DE',
  carrier: 'google',
  latencyMs: 1,
  requeued: false,
};

/** It went over RCS first, and is now to go by SMS. */
const message = messageWith({ fallback: { leg: 1, from: 'rcs' } });
const RCS: AwaitedAttempt = { carrier: 'google', channel: null, reference: 'r1' };

interface Wishes {
  readonly awaited?: readonly AwaitedAttempt[];
  readonly queue?: Partial<DeliveryQueue>;
  /** What the platform does when asked. */
  readonly came?: () => Promise<Revocation>;
  /** What the one does that was there before a reload. */
  readonly before?: () => Promise<Revocation>;
}

function prepare({ awaited = [RCS], queue = {}, came = async () => 'revoked', before }: Wishes) {
  const asked: TakenMessage[] = [];
  const waited: number[] = [];
  const received: unknown[] = [];
  const clock = {
    ...createManualClock(),
    after(ms: number, call: () => void) {
      waited.push(ms);
      return setTimeout(call);
    },
  };
  const leased = { id: message.id, fence: 3, rounds: 0, spentCarriers: [], funds: NO_FUNDS };
  const held = new LeasedDelivery(leased, clock, clock.steady(), LEASE);
  const revoke = (taken: TakenMessage) => {
    asked.push(taken);
    return came();
  };
  const gates: Gate[] = [
    { ...bare('google'), revoke },
    { ...bare('smsc'), takesBack: false, revoke: () => undefined },
    ...(before ? [{ ...bare('google'), revoke: before }] : []),
  ];
  const deliveryMetrics = rememberingMetrics();
  const store = emptyQueue({
    renew: async (leases) => new Set(leases.map(({ id }) => id)),
    receive: async (receipt) => {
      received.push(receipt);
      return APPLIED;
    },
    ...queue,
  });
  const taking = takingBack(message, awaited, held, {
    ...{ clock, gates, queue: store, deliveryMetrics, lease: LEASE },
  });
  return { taking, held, asked, waited, received, deliveryMetrics };
}

const bare = (name: string) => ({
  ...{ name, silent: false, admits: () => true, takesBack: true },
  submit: () => ({ kind: 'passed', reason: 'stopping' }) as const,
  abort() {},
});

suite('taking back', () => {
  test('what was taken back is noted as undelivered, and its carrier is not asked again', async () => {
    const { taking, held, asked, waited, received, deliveryMetrics } = prepare({});
    assert.equal(await taking?.(), false);
    const { id, destination } = message;
    assert.deepEqual(asked, [{ id, channel: 'rcs', destination, reference: 'r1' }]);
    assert.equal(waited.length, 0);
    assert.equal(received.length, 1);
    assert.partialDeepStrictEqual(received[0], {
      ...{ carrier: 'google', references: ['r1'], status: 'undelivered', reason: 'taken-back', price: null },
    });
    assert.deepEqual(held.spentCarriers, ['google']);
    assert.ok(held.wanted);
    assert.deepEqual(deliveryMetrics.told, ['undelivered google']);
  });

  test('it is taken back once, whoever of the next channel is asked, and not before', async () => {
    const { taking, asked } = prepare({});
    assert.equal(asked.length, 0);
    assert.deepEqual([await taking?.(), await taking?.()], [false, false]);
    assert.equal(asked.length, 1);
  });

  test('of carriers of one name, before a reload and after, the one that knows it takes it back', async () => {
    const { taking, received } = prepare({ before: async () => 'revoked', came: async () => 'unknown' });
    assert.equal(await taking?.(), false);
    assert.equal(received.length, 1);
  });

  test('where both of them say so, it is noted once', async () => {
    const { taking, held, received, deliveryMetrics } = prepare({ before: async () => 'unless-arriving' });
    assert.equal(await taking?.(), false);
    assert.equal(received.length, 1);
    assert.deepEqual([held.spentCarriers, deliveryMetrics.told], [['google'], ['undelivered google']]);
  });

  test('a carrier that took it twice is noted for each, and is one', async () => {
    const { taking, held, received } = prepare({ awaited: [RCS, { ...RCS, reference: 'r2' }] });
    assert.equal(await taking?.(), false);
    assert.equal(received.length, 2);
    assert.deepEqual(held.spentCarriers, ['google']);
    // The store names each carrier once, and here one more than was known.
    assert.ok(held.precedes({ rounds: 0, spentCarriers: ['google', 'sms sms'] }));
  });

  test('what has arrived leaves nothing to send', async () => {
    const { taking, held, received } = prepare({ came: async () => 'arrived' });
    assert.equal(await taking?.(), true);
    assert.deepEqual([received, held.spentCarriers], [[], []]);
  });

  test('what may be arriving is given time to say so', async () => {
    const { taking, waited, received } = prepare({ came: async () => 'unless-arriving' });
    assert.equal(await taking?.(), false);
    assert.deepEqual([waited, received.length], [[1_500], 1]);
  });

  test('nothing goes after a receipt or a confirmation that came meanwhile', async () => {
    for (const came of ['revoked', 'unless-arriving', 'unknown'] as const) {
      const queue = { renew: async () => new Set<string>() };
      const { taking, held, received } = prepare({ queue, came: async () => came });
      assert.equal(await taking?.(), false);
      assert.ok(!held.wanted, came);
      assert.deepEqual(received, []);
    }
  });

  test('what nobody knows of is not noted, and keeps nobody from the next channel', async () => {
    const { taking, held, received } = prepare({ came: async () => 'unknown' });
    assert.equal(await taking?.(), false);
    assert.deepEqual([received, held.spentCarriers, held.wanted], [[], [], true]);
  });

  test('what a carrier took without a reference is asked for, but there is no receipt to write', async () => {
    const { taking, asked, received } = prepare({ awaited: [{ ...RCS, reference: null }] });
    assert.equal(await taking?.(), false);
    assert.deepEqual([asked.map(({ reference }) => reference), received], [[null], []]);
  });

  test('one of many that arrived is enough', async () => {
    const answers: Revocation[] = ['revoked', 'arrived'];
    const { taking, received } = prepare({
      awaited: [RCS, { ...RCS, reference: 'r2' }],
      came: async () => answers.shift() ?? 'unknown',
    });
    assert.equal(await taking?.(), true);
    assert.deepEqual(received, []);
  });

  test('a store that fails keeps nobody from the next channel: the round itself asks it again', async () => {
    const queue = { renew: () => Promise.reject(new StoreUnavailable('gone')) };
    const { taking, held } = prepare({ queue });
    assert.equal(await taking?.(), false);
    assert.ok(held.wanted);
  });

  test('nobody is asked about messages of the same channel, of unknown carriers, or of those that cannot', () => {
    for (const awaited of [
      [],
      [{ ...RCS, channel: 'sms' as const }],
      [{ ...RCS, carrier: 'gone' }],
      [{ ...RCS, carrier: 'smsc' }],
    ]) {
      const { taking, asked } = prepare({ awaited });
      assert.deepEqual([taking, asked], [undefined, []]);
    }
  });
});
