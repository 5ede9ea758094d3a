/** Receipts, from a carrier to the real store. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Outcome } from '../core/sending/carrier.ts';
import { ACCEPTED, emptyQueue, messageWith, openRig, scriptedCarrier, settled, until } from './fixture.ts';

const message = messageWith({ id: 'v1' });

suite('dispatcher: receipts', () => {
  test('an undelivered receipt sends the message through the next carrier', async () => {
    await using rig = await openRig();
    const [first, second] = [
      scriptedCarrier('first', () => ACCEPTED),
      scriptedCarrier('second', () => ACCEPTED),
    ];
    const { dispatcher, receive, deliveryMetrics } = rig.dispatch([first, second]);
    await rig.send(dispatcher, message);
    await rig.emptied();
    assert.deepEqual([first.submitted, second.submitted], [['v1'], []]);
    await receive({
      carrier: 'first',
      references: ['r1'],
      recipients: ['+491700000000', '+4915112345678'],
      status: 'undelivered',
    });
    await until(() => second.submitted.length === 1);
    await rig.emptied();
    assert.deepEqual(first.submitted, ['v1']);
    assert.ok(deliveryMetrics.told.includes('undelivered first'));
  });

  test('a receipt about another recipient is not applied', async () => {
    await using rig = await openRig();
    const carriers = ['smsc', 'b'].map((name) => scriptedCarrier(name, () => ACCEPTED));
    const { dispatcher, receive, deliveryMetrics } = rig.dispatch(carriers);
    await rig.send(dispatcher, message);
    await rig.emptied();
    await receive({
      carrier: 'smsc',
      references: ['r1'],
      recipients: ['+491700000000'],
      status: 'delivered',
    });
    assert.ok(!deliveryMetrics.told.includes('delivered smsc'));
  });

  test('a receipt is found by any spelling of its reference', async () => {
    await using rig = await openRig();
    const smsc = scriptedCarrier('smsc', () => ACCEPTED);
    const { dispatcher, receive, deliveryMetrics } = rig.dispatch([smsc]);
    await rig.send(dispatcher, message);
    await rig.emptied();
    await receive({ carrier: 'smsc', references: ['other', 'r1'], status: 'delivered' });
    assert.ok(deliveryMetrics.told.includes('delivered smsc'));
  });

  test('a receipt that overtakes the answer of its carrier counts', async () => {
    await using rig = await openRig();
    const answers: ((outcome: Outcome) => void)[] = [];
    const smsc = scriptedCarrier('smsc', () => new Promise((resolve) => answers.push(resolve)));
    const { dispatcher, receive, deliveryMetrics } = rig.dispatch([smsc]);
    await rig.send(dispatcher, message);
    await settled();
    await receive({ carrier: 'smsc', references: ['r1'], status: 'delivered' });
    answers[0]?.(ACCEPTED);
    await until(() => deliveryMetrics.told.includes('delivered smsc'));
  });

  test('a price in the configured currency, or of nothing, has none of its own, so that it counts as the cost', async () => {
    await using rig = await openRig();
    const kept: unknown[] = [];
    const queue = emptyQueue({
      receive: async ({ price, currency, network }) => {
        kept.push([price, currency, network]);
        return { kind: 'early' };
      },
    });
    const { receive } = rig.dispatch([scriptedCarrier('smsc', () => ACCEPTED)], { queue });
    const receipt = { carrier: 'smsc', references: ['r1'], status: 'delivered' } as const;
    await receive({ ...receipt, price: { amount: 7_500, currency: 'EUR' } });
    await receive({ ...receipt, price: { amount: 7_500, currency: 'USD' }, network: '26201' });
    await receive({ ...receipt, price: { amount: 0, currency: 'USD' } });
    await receive(receipt);
    assert.deepEqual(kept, [
      [7_500, null, null],
      [7_500, 'USD', '26201'],
      [0, null, null],
      [null, null, null],
    ]);
  });
});
