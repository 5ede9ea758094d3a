/** What is lacking is reserved before a carrier is asked, and a carrier that there is no room for is not asked. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Charge, Reservation } from '../core/budgets/budget.ts';
import type { FindLack } from '../core/budgets/funds.ts';
import { StoreUnavailable } from '../core/errors/store-failure.ts';
import type { DeliveryQueue, MoreReserved, Settlement } from '../core/sending/delivery.ts';
import {
  ACCEPTED,
  emptyQueue,
  messageWith,
  NO_FUNDS,
  scriptedCarrier,
  startDispatcher,
  TEMPORARY,
  until,
} from './fixture.ts';

const DAY: Charge = {
  ...{ kind: 'account', subject: 'acc_1', per: 'day', startsAt: 0, endsAt: 86_400_000 },
  ...{ money: 1, messages: null },
};

/** `b` is lacking until it is held. */
const lacksB: FindLack = ({ carrier, funds }) =>
  carrier === 'a' || funds.reservation?.prices.b === 7 ? undefined : { charges: [DAY], prices: { b: 7 } };

interface Case {
  readonly reserveMore?: DeliveryQueue['reserveMore'];
  readonly findLack?: FindLack;
}

/** One message over `a`, which fails, and `b`. */
async function send({ reserveMore = async () => 'reserved', findLack = lacksB }: Case) {
  const asked: MoreReserved[] = [];
  const settlements: Settlement[] = [];
  const reserved: unknown[] = [];
  const a = scriptedCarrier('a', (message) => {
    reserved.push(message.reserved);
    return TEMPORARY;
  });
  const b = scriptedCarrier('b', (message) => {
    reserved.push(message.reserved);
    return ACCEPTED;
  });
  const queue = emptyQueue({
    reserveMore: (wanted) => {
      asked.push(wanted);
      return reserveMore(wanted);
    },
    settle: async (settlement) => {
      settlements.push(settlement);
      return [];
    },
  });
  const { dispatcher } = startDispatcher([a, b], { queue, findLack });
  dispatcher.accept(messageWith(), Date.now(), performance.now(), NO_FUNDS);
  await until(() => settlements.length > 0);
  await dispatcher.stop(0);
  const [settled] = settlements;
  return { asked, reserved, sent: b.submitted.length, next: settled?.next.kind, charged: settled?.charged };
}

suite('budgets of a round', () => {
  const more: Reservation = { charges: [DAY], prices: { b: 7 } };

  test('only the carrier that is lacking is reserved, when its turn comes, and hears that it is', async () => {
    const { asked, reserved, ...rest } = await send({});
    assert.deepEqual(asked, [{ id: 'ver_1', fence: 0, more }]);
    assert.deepEqual(reserved, [undefined, true]);
    assert.deepEqual(rest, { sent: 1, next: 'submitted', charged: ['b'] });
  });

  test('without room, a price, the lease or the store, the message waits', async () => {
    const waiting = { sent: 0, next: 'retry', charged: [] };
    const outcomes: DeliveryQueue['reserveMore'][] = [
      async () => ({ full: 0 }),
      async () => 'not wanted',
      () => Promise.reject(new StoreUnavailable('away')),
    ];
    for (const reserveMore of outcomes) {
      const { sent, next, charged } = await send({ reserveMore });
      assert.deepEqual({ sent, next, charged }, waiting);
    }
    const { asked, sent, next, charged } = await send({
      findLack: ({ carrier }) => (carrier === 'a' ? undefined : 'no-price'),
    });
    assert.deepEqual({ asked, sent, next, charged }, { asked: [], ...waiting });
  });

  test('a message without room is told of once, however often it looks for some, and one that was sent is not', async () => {
    let looks = 0;
    const settled: string[] = [];
    let wanted: DeliveryQueue['reserveMore'] = async () => ({ full: 1 });
    const queue = emptyQueue({
      reserveMore: (asked) => {
        looks += 1;
        return wanted(asked);
      },
      settle: async ({ id }) => {
        settled.push(id);
        return [];
      },
    });
    const month: Charge = { ...DAY, kind: 'installation', per: 'month' };
    const lacks: FindLack = () => ({ charges: [DAY, month], prices: { a: 7 } });
    const { dispatcher, full } = startDispatcher([scriptedCarrier('a', () => ACCEPTED)], {
      queue,
      findLack: lacks,
    });
    const send = async (id: string) => {
      const before = settled.length;
      dispatcher.accept(messageWith({ id }), Date.now(), performance.now(), NO_FUNDS);
      await until(() => settled.length > before);
    };
    for (const id of ['ver_1', 'ver_2', 'ver_1', 'ver_1']) await send(id);
    wanted = async () => 'reserved';
    await send('ver_3');
    await dispatcher.stop(0);
    assert.deepEqual([looks, full], [5, ['installation', 'installation']]);
  });

  test('without room at one carrier, a message that another takes is not told of', async () => {
    const queue = emptyQueue({ reserveMore: async () => ({ full: 0 }) });
    const carriers = [scriptedCarrier('b', () => ACCEPTED), scriptedCarrier('a', () => ACCEPTED)];
    const { dispatcher, full } = startDispatcher(carriers, { queue, findLack: lacksB });
    dispatcher.accept(messageWith(), Date.now(), performance.now(), NO_FUNDS);
    await until(() => carriers[1]?.submitted.length === 1);
    await dispatcher.stop(0);
    assert.deepEqual(full, []);
  });
});
