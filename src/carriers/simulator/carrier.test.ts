import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, suite, test } from 'node:test';
import type { Carrier, OutgoingMessage, Receipt } from '../../core/carrier.ts';
import { StoreUnavailable } from '../../core/errors.ts';
import { MAGIC_DESTINATIONS, type MagicOutcome } from '../../core/magic.ts';
import { createSimulatorCarrier } from './carrier.ts';

suite('simulator', () => {
  let kept: OutgoingMessage[];
  let receipts: Receipt[];
  let logged: string[];
  let failure: Error | undefined;
  let carrier: Carrier;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    kept = [];
    receipts = [];
    logged = [];
    failure = undefined;
    carrier = createSimulatorCarrier(
      'simulator',
      async (message) => {
        if (failure) throw failure;
        kept.push(message);
      },
      {
        receive: async (receipt) => {
          if (failure) throw failure;
          receipts.push(receipt);
        },
        log: (_level, message) => logged.push(message),
      },
    );
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

  const submit = (message: OutgoingMessage, signal = new AbortController().signal) =>
    carrier.submit(message, signal);
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test('keeps a message and has it delivered', async () => {
    const message = messageTo('delivered');
    assert.deepEqual(await submit(message), { kind: 'delivered' });
    assert.deepEqual(kept, [message]);
  });

  test('magic destinations are ordinary ones to a live key', async () => {
    for (const outcome of MAGIC_DESTINATIONS.values()) {
      assert.deepEqual(await submit(messageTo(outcome, false)), { kind: 'delivered' });
    }
    assert.equal(kept.length, MAGIC_DESTINATIONS.size);
  });

  test('refused keeps nothing', async () => {
    assert.equal((await submit(messageTo('refused'))).kind, 'permanent');
    assert.equal(kept.length, 0);
  });

  test('undelivered is accepted, then reported', async () => {
    assert.deepEqual(await submit(messageTo('undelivered')), {
      kind: 'accepted',
      reference: 'ver_undelivered',
    });
    assert.deepEqual(receipts, []);
    mock.timers.tick(100);
    assert.deepEqual(receipts, [
      { carrier: 'simulator', references: ['ver_undelivered'], status: 'undelivered', reason: 'simulated' },
    ]);
    assert.equal(kept.length, 0);
  });

  test('a receipt that cannot be kept is logged and harms nobody', async () => {
    await submit(messageTo('undelivered'));
    failure = new Error('away');
    mock.timers.tick(100);
    await settled();
    assert.equal(logged.length, 1);
  });

  test('a stop takes back receipts not yet sent', async () => {
    await submit(messageTo('undelivered'));
    await carrier.stop();
    mock.timers.tick(1_000);
    assert.deepEqual(receipts, []);
  });

  test('slow is delivered after five seconds', async () => {
    const outcome = submit(messageTo('slow'));
    mock.timers.tick(4_999);
    await settled();
    assert.equal(kept.length, 0);
    mock.timers.tick(1);
    assert.deepEqual(await outcome, { kind: 'delivered' });
    assert.equal(kept.length, 1);
  });

  test('slow ends early at its deadline and at a stop', async () => {
    const deadline = new AbortController();
    const first = submit(messageTo('slow'), deadline.signal);
    deadline.abort();
    assert.equal((await first).kind, 'temporary');
    const second = submit(messageTo('slow'));
    await carrier.stop();
    assert.equal((await second).kind, 'temporary');
    assert.equal(kept.length, 0);
  });

  test('a store that cannot commit is temporary; a bug is not hidden', async () => {
    failure = new StoreUnavailable('disk full');
    assert.equal((await submit(messageTo('delivered'))).kind, 'temporary');
    failure = new TypeError('bug');
    await assert.rejects(submit(messageTo('delivered')), TypeError);
  });
});
