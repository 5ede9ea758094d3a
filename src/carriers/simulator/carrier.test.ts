import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, suite, test } from 'node:test';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import type { Carrier, Deadline, Outcome, OutgoingMessage, Receipt } from '../../core/sending/carrier.ts';
import { MAGIC_DESTINATIONS, type MagicOutcome } from '../../core/verification/magic.ts';
import { createSimulatorCarrier } from './carrier.ts';

suite('simulator', () => {
  let receipts: Receipt[];
  let logged: string[];
  let failure: Error | undefined;
  let carrier: Carrier;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    receipts = [];
    logged = [];
    failure = undefined;
    carrier = createSimulatorCarrier('simulator', {
      clock: SYSTEM_CLOCK,
      random: SYSTEM_RANDOM,
      receive: async (receipt) => {
        if (failure) throw failure;
        receipts.push(receipt);
      },
      log: (_level, message) => logged.push(message),
    });
    carrier.start();
  });

  afterEach(async () => {
    await carrier.stop();
    mock.timers.reset();
  });

  function messageTo(outcome: MagicOutcome, test = true): OutgoingMessage {
    const address = [...MAGIC_DESTINATIONS].find(([, magic]) => magic === outcome)?.[0] ?? '';
    return {
      id: `ver_${outcome}`,
      accountId: 'acc_1',
      test,
      channel: 'sms',
      destination: { address, kind: 'e164', country: 'US' },
      code: '482913',
      text: '482913 is your code',
      locale: 'en',
      expiresAt: Number.MAX_SAFE_INTEGER,
    };
  }

  const submit = async (message: OutgoingMessage, deadline: Deadline = new AbortController()) =>
    carrier.submit(message, deadline);
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test('a message arrives in the inbox', async () => {
    assert.deepEqual(await submit(messageTo('delivered')), { kind: 'delivered', inbox: true });
  });

  test('magic destinations are ordinary for a live key', async () => {
    for (const outcome of MAGIC_DESTINATIONS.values()) {
      assert.deepEqual(await submit(messageTo(outcome, false)), { kind: 'delivered', inbox: true });
    }
  });

  test('refused is permanent', async () => {
    assert.equal((await submit(messageTo('refused'))).kind, 'permanent');
  });

  test('undelivered is accepted, then reported', async () => {
    assert.deepEqual(await submit(messageTo('undelivered')), {
      kind: 'accepted',
      reference: 'ver_undelivered',
      receiptFollows: true,
    });
    assert.deepEqual(receipts, []);
    mock.timers.tick(100);
    assert.deepEqual(receipts, [
      { carrier: 'simulator', references: ['ver_undelivered'], status: 'undelivered', reason: 'simulated' },
    ]);
  });

  test('a receipt that cannot be stored is logged and does no harm', async () => {
    await submit(messageTo('undelivered'));
    failure = new Error('away');
    mock.timers.tick(100);
    await settled();
    assert.equal(logged.length, 1);
  });

  test('a stop cancels receipts not yet sent', async () => {
    await submit(messageTo('undelivered'));
    await carrier.stop();
    mock.timers.tick(1_000);
    assert.deepEqual(receipts, []);
  });

  test('slow arrives after five seconds', async () => {
    let outcome: Outcome | undefined;
    const submitted = submit(messageTo('slow')).then((settled) => {
      outcome = settled;
    });
    mock.timers.tick(4_999);
    await settled();
    assert.equal(outcome, undefined);
    mock.timers.tick(1);
    await submitted;
    assert.deepEqual(outcome, { kind: 'delivered', inbox: true });
  });

  test('slow ends early at its deadline and at a stop', async () => {
    const deadline = new AbortController();
    const first = submit(messageTo('slow'), deadline);
    deadline.abort();
    assert.equal((await first).kind, 'temporary');
    const second = submit(messageTo('slow'));
    await carrier.stop();
    assert.equal((await second).kind, 'temporary');
  });
});
