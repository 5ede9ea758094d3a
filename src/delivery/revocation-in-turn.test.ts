/** What went by an earlier channel is taken back when nothing is in the way of the next one any more, and not before. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Charge } from '../core/budgets/budget.ts';
import { StoreUnavailable } from '../core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { HASTY_CLOCK } from '../core/seams/clock-fixture.ts';
import type { Carrier, Outcome, OutgoingMessage, Revocation } from '../core/sending/carrier.ts';
import { carrierOn } from '../core/sending/carrier-on.ts';
import { DailyCap } from '../core/sending/daily-cap.ts';
import type { DeliveryQueue, Settlement } from '../core/sending/delivery.ts';
import {
  ACCEPTED,
  claimedAgain,
  emptyQueue,
  messageWith,
  NO_FUNDS,
  type ScriptedCarrier,
  scriptedCarrier,
  startDispatcher,
  TEMPORARY,
  until,
} from './fixture.ts';

type Wishes = Partial<Parameters<typeof startDispatcher>[1]>;

interface Case extends Omit<Wishes, 'queue'> {
  /** Of the next channel. */
  readonly sms?: readonly Carrier[];
  readonly came?: Revocation;
  readonly queue?: Partial<DeliveryQueue>;
  readonly spentCarriers?: readonly string[];
  /** A message that goes by the next channel before. */
  readonly before?: boolean;
}

const THROTTLED: Outcome = { ...TEMPORARY, throttled: true, retryAfterMs: 60_000 };

/** One message that went over RCS, and is now to go by SMS. */
async function goOn({
  sms = [scriptedCarrier('sms', () => ACCEPTED)],
  came = 'revoked',
  queue = {},
  spentCarriers = [],
  before = false,
  ...wishes
}: Case) {
  /** What was done, in order. */
  const done: string[] = [];
  const settlements: Settlement[] = [];
  const rcs: Carrier = {
    ...scriptedCarrier('rcs', () => ACCEPTED),
    revoke: async () => {
      done.push('taken back');
      return came;
    },
  };
  const noted = sms.map((carrier) => ({
    ...carrier,
    submit(message: OutgoingMessage, deadline: Parameters<Carrier['submit']>[1]) {
      done.push(`asked ${carrier.name}`);
      return carrier.submit(message, deadline);
    },
  }));
  const spent = ['rcs', ...spentCarriers].map((name) => carrierOn(name, 'sms'));
  const awaited = [{ carrier: 'rcs', channel: null, reference: 'r1' }];
  const due = [{ ...claimedAgain(messageWith({ id: 'ver_rcs' })), leg: 1, awaited, spentCarriers: spent }];
  const wanted = before ? 2 : 1;
  const store = emptyQueue({
    claim: async () => (settlements.length === wanted - 1 ? due.splice(0) : []),
    renew: async (leases) => new Set(leases.map(({ id }) => id)),
    settle: async (settlement) => {
      settlements.push(settlement);
      return [];
    },
    ...queue,
  });
  const { dispatcher } = startDispatcher([...noted, rcs], {
    queue: store,
    dispatcherClock: HASTY_CLOCK,
    open: ({ id, expiresAt }) => messageWith({ id, expiresAt, fallback: { leg: 1, from: 'rcs' } }),
    ...wishes,
  });
  if (before) dispatcher.accept(messageWith(), Date.now(), performance.now(), NO_FUNDS);
  await until(() => settlements.length === wanted);
  await dispatcher.stop(0);
  return { done, settled: settlements.at(-1) };
}

const capWith = (takeQuota: () => Promise<number>, returned: number[] = []) =>
  new DailyCap(
    { takeQuota, returnQuota: async (_name, _day, count) => void returned.push(count) },
    'sms',
    2,
    SYSTEM_CLOCK,
  );
const lackingOf = (charges: readonly Charge[]) => ({ charges, prices: { sms: 7 } });
const lacking = lackingOf([]);
const DAY: Charge = {
  ...{ kind: 'account', subject: 'acc_1', per: 'day', startsAt: 0, endsAt: 86_400_000 },
  ...{ money: 1, messages: null },
};
const away = () => Promise.reject(new StoreUnavailable('gone'));
const ofSms = (options: object) => (carrier: Carrier) => (carrier.name === 'rcs' ? {} : options);
const downLink = (): ScriptedCarrier => ({
  ...scriptedCarrier('sms', () => ACCEPTED),
  link: { trouble: 'refused', watch: () => {} },
});

suite('taking back, in turn', () => {
  test('comes right before the first carrier of the next channel, and once', async () => {
    const sms = [scriptedCarrier('a', () => TEMPORARY), scriptedCarrier('b', () => ACCEPTED)];
    const { done, settled } = await goOn({ sms });
    assert.deepEqual(done, ['taken back', 'asked a', 'asked b']);
    assert.equal(settled?.next.kind, 'submitted');
  });

  const obstacles: Record<string, () => Case> = {
    'the day of the carrier is used up': () => ({ gateOptions: ofSms({ cap: capWith(async () => 0) }) }),
    'nobody can tell whether it is': () => ({ gateOptions: ofSms({ cap: capWith(away) }) }),
    'there is no place on its route': () => ({ capOf: () => capWith(async () => 0) }),
    'no budget has room': () => ({
      findLack: ({ carrier }) => (carrier === 'rcs' ? undefined : lackingOf([DAY])),
      queue: { reserveMore: async () => ({ full: 0 }) },
    }),
    'a budget has no price': () => ({ findLack: () => 'no-price' }),
    'the budgets cannot be asked': () => ({ findLack: () => lacking, queue: { reserveMore: away } }),
    'the link is down': () => ({ sms: [downLink()] }),
    'the carrier wants a pause': () => ({
      before: true,
      sms: [scriptedCarrier('sms', () => THROTTLED)],
    }),
    'its breaker is open': () => ({
      before: true,
      sms: [scriptedCarrier('sms', () => TEMPORARY)],
      gateOptions: ofSms({ breaker: { failures: 1, resetAfter: 60_000 } }),
    }),
    'one has failed for good, and the other wants a pause': () => ({
      before: true,
      spentCarriers: ['b'],
      sms: [scriptedCarrier('a', () => THROTTLED), scriptedCarrier('b', () => ACCEPTED)],
    }),
  };
  for (const [obstacle, prepare] of Object.entries(obstacles)) {
    test(`does not come while ${obstacle}`, async () => {
      assert.ok(!(await goOn(prepare())).done.includes('taken back'));
    });
  }

  test('leaves what has arrived, and gives back the places', async () => {
    const [ofCarrier, ofRoute]: [number[], number[]] = [[], []];
    const caps = [capWith(async () => 1, ofCarrier), capWith(async () => 1, ofRoute)] as const;
    const { done, settled } = await goOn({
      came: 'arrived',
      gateOptions: ofSms({ cap: caps[0] }),
      capOf: () => caps[1],
    });
    assert.deepEqual(done, ['taken back']);
    assert.deepEqual(settled?.next, { kind: 'submitted', failover: true });
    assert.deepEqual([settled?.attempts, settled?.charged], [[], []]);
    for (const cap of caps) await cap.stop();
    assert.deepEqual([ofCarrier, ofRoute], [[1], [1]]);
  });
});
