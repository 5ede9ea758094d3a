/** What an earlier channel has not delivered is taken back before the next one has its turn. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StoreUnavailable } from '../core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { createManualClock } from '../core/seams/clock-fixture.ts';
import type { Revocation, TakenMessage } from '../core/sending/carrier.ts';
import { DailyCap } from '../core/sending/daily-cap.ts';
import type { AwaitedAttempt, DeliveryQueue, ReceiptOutcome, Settlement } from '../core/sending/delivery.ts';
import {
  ACCEPTED,
  claimedAgain,
  emptyQueue,
  messageWith,
  NO_FUNDS,
  rememberingMetrics,
  scriptedCarrier,
  startDispatcher,
  until,
} from './fixture.ts';
import type { Gate } from './gate/gate.ts';
import { LeasedDelivery } from './leased-delivery.ts';
import { takeBack } from './revocation.ts';

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
  const taking = takeBack(message, awaited, held, {
    ...{ clock, gates, next: gates, queue: store, deliveryMetrics, lease: LEASE },
  });
  return { taking, held, asked, waited, received, deliveryMetrics };
}

const bare = (name: string) => ({
  ...{ name, silent: false, admits: true, isOfUse: () => true, takesBack: true },
  submit: () => ({ kind: 'passed', reason: 'stopping' }) as const,
  abort() {},
});

suite('taking back', () => {
  test('what was taken back is noted as undelivered, and its carrier is not asked again', async () => {
    const { taking, held, asked, waited, received, deliveryMetrics } = prepare({});
    assert.equal(await taking, false);
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

  test('of carriers of one name, before a reload and after, the one that knows it takes it back', async () => {
    const { taking, received } = prepare({ before: async () => 'revoked', came: async () => 'unknown' });
    assert.equal(await taking, false);
    assert.equal(received.length, 1);
  });

  test('what has arrived leaves nothing to send', async () => {
    const { taking, held, received } = prepare({ came: async () => 'arrived' });
    assert.equal(await taking, true);
    assert.deepEqual([received, held.spentCarriers], [[], []]);
  });

  test('what may be arriving is given time to say so', async () => {
    const { taking, waited, received } = prepare({ came: async () => 'unless-arriving' });
    assert.equal(await taking, false);
    assert.deepEqual([waited, received.length], [[1_500], 1]);
  });

  test('nothing goes after a receipt or a confirmation that came meanwhile', async () => {
    for (const came of ['revoked', 'unless-arriving', 'unknown'] as const) {
      const queue = { renew: async () => new Set<string>() };
      const { taking, held, received } = prepare({ queue, came: async () => came });
      assert.equal(await taking, false);
      assert.ok(!held.wanted, came);
      assert.deepEqual(received, []);
    }
  });

  test('what nobody knows of is not noted, and keeps nobody from the next channel', async () => {
    const { taking, held, received } = prepare({ came: async () => 'unknown' });
    assert.equal(await taking, false);
    assert.deepEqual([received, held.spentCarriers, held.wanted], [[], [], true]);
  });

  test('what a carrier took without a reference is asked for, but there is no receipt to write', async () => {
    const { taking, asked, received } = prepare({ awaited: [{ ...RCS, reference: null }] });
    assert.equal(await taking, false);
    assert.deepEqual([asked.map(({ reference }) => reference), received], [[null], []]);
  });

  test('one of many that arrived is enough', async () => {
    const answers: Revocation[] = ['revoked', 'arrived'];
    const { taking, received } = prepare({
      awaited: [RCS, { ...RCS, reference: 'r2' }],
      came: async () => answers.shift() ?? 'unknown',
    });
    assert.equal(await taking, true);
    assert.deepEqual(received, []);
  });

  test('a store that fails keeps nobody from the next channel: the round itself asks it again', async () => {
    const queue = { renew: () => Promise.reject(new StoreUnavailable('gone')) };
    const { taking, held } = prepare({ queue });
    assert.equal(await taking, false);
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

for (const places of [0, 1]) {
  test(`with ${places} places on the route of the next channel, ${places} messages are taken back`, async () => {
    const revoked: (string | null)[] = [];
    const settlements: Settlement[] = [];
    const rcs = {
      ...scriptedCarrier('rcs', () => ACCEPTED),
      revoke: async ({ reference }: TakenMessage) => {
        revoked.push(reference);
        return 'unknown' as const;
      },
    };
    const awaited: AwaitedAttempt = { carrier: 'rcs', channel: null, reference: 'r1' };
    const due = [{ ...claimedAgain(message), leg: 1, awaited: [awaited] }];
    const queue = emptyQueue({
      claim: async () => due.splice(0),
      renew: async (leases) => new Set(leases.map(({ id }) => id)),
      settle: async (settlement) => {
        settlements.push(settlement);
        return [];
      },
    });
    const quota = { takeQuota: async () => places, returnQuota: async () => {} };
    const cap = new DailyCap(quota, 'route', 2, SYSTEM_CLOCK);
    const { dispatcher } = startDispatcher([rcs, scriptedCarrier('sms', () => ACCEPTED)], {
      queue,
      open: ({ id, expiresAt }) =>
        messageWith({ id, accountId: 'sms', expiresAt, fallback: { leg: 1, from: 'rcs' } }),
      capOf: () => cap,
    });
    await until(() => settlements.length === 1);
    await dispatcher.stop(0);
    assert.equal(revoked.length, places);
  });
}

test('nothing is taken back while every carrier of the next channel wants a pause', async () => {
  const revoked: string[] = [];
  const settled: string[] = [];
  const rcs = {
    ...scriptedCarrier('rcs', () => ACCEPTED),
    revoke: async ({ id }: TakenMessage) => {
      revoked.push(id);
      return 'unknown' as const;
    },
  };
  const busy = scriptedCarrier('sms', () => ({
    ...{ kind: 'temporary', reason: 'too many', throttled: true, retryAfterMs: 60_000 },
  }));
  const awaited: AwaitedAttempt = { carrier: 'rcs', channel: null, reference: 'r1' };
  const waiting = ['ver_1', 'ver_2'].map((id) => ({
    ...claimedAgain(messageWith({ id })),
    ...{ leg: 1, awaited: [awaited] },
  }));
  const queue = emptyQueue({
    // One after the other: what comes of the first is known then.
    claim: async () => (settled.length + waiting.length === 2 ? waiting.splice(0, 1) : []),
    renew: async (leases) => new Set(leases.map(({ id }) => id)),
    settle: async ({ id }) => {
      settled.push(id);
      return [];
    },
  });
  const { dispatcher } = startDispatcher([rcs, busy], {
    queue,
    open: ({ id, expiresAt }) =>
      messageWith({ id, accountId: 'sms', expiresAt, fallback: { leg: 1, from: 'rcs' } }),
  });
  await until(() => settled.length === 2);
  await dispatcher.stop(0);
  assert.deepEqual([revoked, settled], [['ver_1'], ['ver_1', 'ver_2']]);
});

test('nothing is taken back while the day of every carrier of the next channel is used up, or nobody can tell', async () => {
  for (const takeQuota of [async () => 0, () => Promise.reject(new StoreUnavailable('gone'))]) {
    const revoked: string[] = [];
    const settled: string[] = [];
    const rcs = {
      ...scriptedCarrier('rcs', () => ACCEPTED),
      revoke: async ({ id }: TakenMessage) => {
        revoked.push(id);
        return 'revoked' as const;
      },
    };
    const awaited: AwaitedAttempt = { carrier: 'rcs', channel: null, reference: 'r1' };
    const due = [{ ...claimedAgain(message), leg: 1, awaited: [awaited] }];
    const queue = emptyQueue({
      claim: async () => due.splice(0),
      renew: async (leases) => new Set(leases.map(({ id }) => id)),
      settle: async ({ id }) => {
        settled.push(id);
        return [];
      },
    });
    const cap = new DailyCap({ takeQuota, returnQuota: async () => {} }, 'sms', 2, SYSTEM_CLOCK);
    const { dispatcher } = startDispatcher([rcs, scriptedCarrier('sms', () => ACCEPTED)], {
      queue,
      open: ({ id, expiresAt }) =>
        messageWith({ id, accountId: 'sms', expiresAt, fallback: { leg: 1, from: 'rcs' } }),
      gateOptions: ({ name }) => (name === 'sms' ? { cap } : {}),
    });
    await until(() => settled.length === 1);
    await dispatcher.stop(0);
    assert.deepEqual(revoked, []);
  }
});
