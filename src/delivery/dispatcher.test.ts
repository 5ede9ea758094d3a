/** The dispatcher over a real store, with carriers that do as they are told. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import type { Outcome, OutgoingMessage } from '../core/carrier.ts';
import { SYSTEM_CLOCK } from '../core/clock.ts';
import type { DeliveryQueue, Settlement } from '../core/delivery.ts';
import { StoreUnavailable } from '../core/errors.ts';
import { Dispatcher } from './dispatcher.ts';
import {
  ACCEPTED,
  hang,
  inTurn,
  messageWith,
  OPEN_GATE,
  PERMANENT,
  rememberingFunnel,
  type ScriptedCarrier,
  scriptedCarrier,
  settled,
  TEMPORARY,
  until,
} from './fixture.ts';
import { createGate } from './gate.ts';

// By a name that is put together: delivery itself must not know what stands behind its port.
const { openSqliteStore } = await import(new URL('../store/sqlite/store.ts', import.meta.url).href);

type TestStore = DeliveryQueue & {
  issue(verification: object): Promise<{ readonly kind: string }>;
  close(): Promise<void>;
};

const LEASE = 60_000;
const RULES = {
  limits: { sendsPerDestination: [], failedGuessesPerDestination: [], requestsPerKey: [] },
  retention: { verifications: 86_400_000, simulatorMessages: 86_400_000, statistics: 86_400_000 },
};

suite('dispatcher', () => {
  let dataDir: string;
  let store: TestStore;
  let dispatchers: Dispatcher[];
  let logged: string[];
  let funnel: ReturnType<typeof rememberingFunnel>;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'countersign-dispatcher-'));
    store = await openSqliteStore({ dataDir, exclusive: true, ...RULES });
    dispatchers = [];
    logged = [];
    funnel = rememberingFunnel();
  });
  afterEach(async () => {
    await Promise.all(dispatchers.map((each) => each.stop(0)));
    await store.close();
    await rm(dataDir, { recursive: true });
  });

  function dispatch(
    carriers: readonly ScriptedCarrier[],
    { queue = store, capacity = 100 }: { queue?: DeliveryQueue; capacity?: number } = {},
  ): Dispatcher {
    const gates = carriers.map((carrier) => createGate(carrier, OPEN_GATE, () => {}));
    // Messages name the carriers they may go to; all of them if they name none.
    const choose = ({ accountId }: OutgoingMessage) => {
      const own = gates.filter(({ name }) => name === accountId);
      return (own.length > 0 ? own : gates).map((gate) => ({ gate, why: null }));
    };
    const dispatcher = new Dispatcher(
      {
        queue,
        gates,
        choose,
        clock: SYSTEM_CLOCK,
        costOf: () => 0,
        open: ({ id, accountId, expiresAt }) => messageWith({ id, accountId, expiresAt }),
        recipientTags: (address) => [`tag of ${address}`],
        funnel,
        log: (_level, message) => logged.push(message),
      },
      { lease: LEASE, capacity },
    );
    dispatchers.push(dispatcher);
    dispatcher.start();
    return dispatcher;
  }

  async function issue(id: string, wanted: { accountId?: string; leaseUntil?: number } = {}) {
    const createdAt = Date.now();
    const message = messageWith({ id, accountId: wanted.accountId ?? 'acc_1' });
    const outcome = await store.issue({
      id,
      accountId: message.accountId,
      keyId: 'key',
      test: false,
      channel: 'sms',
      country: 'DE',
      destinationHash: id,
      previousDestinationHash: null,
      destinationSealed: 'sealed',
      codeMac: 'mac',
      codeSealed: 'sealed',
      guesses: 5,
      createdAt,
      expiresAt: message.expiresAt,
      leaseUntil: wanted.leaseUntil ?? createdAt + LEASE,
      idempotency: null,
    });
    assert.equal(outcome.kind, 'issued');
    return { message, createdAt };
  }

  const emptied = () => until(async () => (await store.depth()) === 0);

  test('a fresh message is handed over at once, without a look into the queue', async () => {
    const smsc = scriptedCarrier('smsc', () => ({ kind: 'delivered' }));
    const dispatcher = dispatch([smsc]);
    const { message, createdAt } = await issue('v1');
    dispatcher.accept(message, createdAt, performance.now());
    await settled();
    assert.deepEqual(smsc.submitted, ['v1']);
    await emptied();
    assert.deepEqual(funnel.told, ['attempted delivered', 'submitted smsc', 'delivered smsc']);
  });

  test('what another left in the queue is claimed and sent', async () => {
    const smsc = scriptedCarrier('smsc', () => ACCEPTED);
    await issue('v1', { leaseUntil: Date.now() });
    dispatch([smsc]);
    await emptied();
    assert.deepEqual(smsc.submitted, ['v1']);
  });

  test('a message that could not be sent is tried again', async () => {
    const smsc = scriptedCarrier('smsc', inTurn(TEMPORARY, ACCEPTED));
    const { message, createdAt } = await issue('v1');
    dispatch([smsc]).accept(message, createdAt, performance.now());
    await emptied();
    assert.deepEqual(smsc.submitted, ['v1', 'v1']);
  });

  test('a carrier that throws counts as a temporary failure', async () => {
    let calls = 0;
    const smsc = scriptedCarrier('smsc', () => {
      if (++calls === 1) throw new Error('a bug');
      return ACCEPTED;
    });
    const { message, createdAt } = await issue('v1');
    dispatch([smsc]).accept(message, createdAt, performance.now());
    await emptied();
    assert.equal(calls, 2);
    assert.deepEqual(funnel.told.slice(0, 3), ['attempted temporary', 'erred Error', 'attempted accepted']);
  });

  test('an undelivered receipt sends the message through the next carrier', async () => {
    const [first, second] = [
      scriptedCarrier('first', () => ACCEPTED),
      scriptedCarrier('second', () => ACCEPTED),
    ];
    const dispatcher = dispatch([first, second]);
    const { message, createdAt } = await issue('v1');
    dispatcher.accept(message, createdAt, performance.now());
    await emptied();
    assert.deepEqual([first.submitted, second.submitted], [['v1'], []]);
    await dispatcher.receive({
      carrier: 'first',
      references: ['r1'],
      recipients: ['+491700000000', '+4915112345678'],
      status: 'undelivered',
    });
    await until(() => second.submitted.length === 1);
    await emptied();
    assert.deepEqual(first.submitted, ['v1']);
    assert.ok(funnel.told.includes('undelivered first'));
  });

  test('a receipt about another recipient is not applied', async () => {
    const dispatcher = dispatch([
      scriptedCarrier('smsc', () => ACCEPTED),
      scriptedCarrier('b', () => ACCEPTED),
    ]);
    const { message, createdAt } = await issue('v1');
    dispatcher.accept(message, createdAt, performance.now());
    await emptied();
    await dispatcher.receive({
      carrier: 'smsc',
      references: ['r1'],
      recipients: ['+491700000000'],
      status: 'delivered',
    });
    assert.ok(!funnel.told.includes('delivered smsc'));
  });

  test('a receipt that overtakes the answer of its carrier counts', async () => {
    const answers: ((outcome: Outcome) => void)[] = [];
    const smsc = scriptedCarrier('smsc', () => new Promise((resolve) => answers.push(resolve)));
    const dispatcher = dispatch([smsc]);
    const { message, createdAt } = await issue('v1');
    dispatcher.accept(message, createdAt, performance.now());
    await settled();
    await dispatcher.receive({ carrier: 'smsc', references: ['r1'], status: 'delivered' });
    answers[0]?.(ACCEPTED);
    await until(() => funnel.told.includes('delivered smsc'));
  });

  test('a message that every carrier refuses has failed', async () => {
    const { message, createdAt } = await issue('v1');
    dispatch([scriptedCarrier('a', () => PERMANENT), scriptedCarrier('b', () => PERMANENT)]).accept(
      message,
      createdAt,
      performance.now(),
    );
    await emptied();
    assert.ok(funnel.told.includes('failed DE'));
  });

  test('what is past the capacity goes back into the queue, and is sent when there is room', async () => {
    const answers: ((outcome: Outcome) => void)[] = [];
    const smsc = scriptedCarrier('smsc', () => new Promise((resolve) => answers.push(resolve)));
    const dispatcher = dispatch([smsc], { capacity: 2 });
    for (const id of ['v1', 'v2', 'v3', 'v4']) {
      const { message, createdAt } = await issue(id);
      dispatcher.accept(message, createdAt, performance.now());
    }
    await settled();
    assert.deepEqual(smsc.submitted, ['v1', 'v2']);
    await until(async () => {
      for (const answer of answers.splice(0)) answer(ACCEPTED);
      return (await store.depth()) === 0;
    });
    assert.deepEqual(smsc.submitted.toSorted(), ['v1', 'v2', 'v3', 'v4']);
  });

  test('a sent message is settled once the store is back, and not sent again', async () => {
    const settlements: Settlement[] = [];
    let away = true;
    const flaky: DeliveryQueue = {
      ...store,
      settle: async (settlement) => {
        settlements.push(settlement);
        if (away) throw new StoreUnavailable('the disk is full');
        return store.settle(settlement);
      },
    };
    const smsc = scriptedCarrier('smsc', () => ACCEPTED);
    const { message, createdAt } = await issue('v1');
    dispatch([smsc], { queue: flaky }).accept(message, createdAt, performance.now());
    await until(() => settlements.length === 1);
    assert.equal(await store.depth(), 1);
    away = false;
    await until(() => funnel.told.includes('submitted smsc'));
    assert.equal(settlements.length, 2);
    assert.equal(await store.depth(), 0);
    assert.deepEqual(smsc.submitted, ['v1']);
    assert.equal(funnel.told.filter((each) => each === 'submitted smsc').length, 1);
  });

  test('one slow carrier does not hold up the messages of another', async () => {
    const slow = scriptedCarrier('slow', hang);
    const quick = scriptedCarrier('quick', () => ({ kind: 'delivered' }));
    const dispatcher = dispatch([slow, quick]);
    for (const [i, accountId] of Array(20).fill(['slow', 'quick']).flat().entries()) {
      const { message, createdAt } = await issue(`v${i}`, { accountId });
      dispatcher.accept(message, createdAt, performance.now());
    }
    await until(async () => quick.submitted.length === 20 && (await store.depth()) === 20);
    assert.equal(slow.submitted.length, 10, 'its concurrency');
  });

  test('one delivery that cannot be opened does not hold up the others', async () => {
    const smsc = scriptedCarrier('smsc', () => ACCEPTED);
    const gate = createGate(smsc, OPEN_GATE, () => {});
    await issue('bad', { leaseUntil: 0 });
    await issue('good', { leaseUntil: 1 });
    const dispatcher = new Dispatcher(
      {
        queue: store,
        gates: [gate],
        choose: () => [{ gate, why: null }],
        clock: SYSTEM_CLOCK,
        costOf: () => 0,
        open: ({ id }) => {
          if (id === 'bad') throw new TypeError('482913');
          return messageWith({ id });
        },
        recipientTags: () => ['tag'],
        funnel,
        log: (_level, message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`),
      },
      { lease: LEASE, capacity: 100 },
    );
    dispatchers.push(dispatcher);
    dispatcher.start();
    await until(async () => smsc.submitted.length === 1 && (await store.depth()) === 1);
    assert.deepEqual(smsc.submitted, ['good']);
    assert.equal(logged.length, 1);
    assert.match(
      logged[0] ?? '',
      /^a delivery cannot be opened \{"verification":"bad","error":\{"name":"TypeError","stack":" +at open /,
    );
    assert.doesNotMatch(logged[0] ?? '', /482913/);
  });

  suite('stop', () => {
    test('finishes what is under way', async () => {
      const answers: ((outcome: Outcome) => void)[] = [];
      const smsc = scriptedCarrier('smsc', () => new Promise((resolve) => answers.push(resolve)));
      const dispatcher = dispatch([smsc]);
      const { message, createdAt } = await issue('v1');
      dispatcher.accept(message, createdAt, performance.now());
      await settled();
      const stopped = dispatcher.stop(60_000);
      answers[0]?.(ACCEPTED);
      await stopped;
      assert.equal(await store.depth(), 0);
    });

    test('takes nothing more', async () => {
      const smsc = scriptedCarrier('smsc', () => ACCEPTED);
      const dispatcher = dispatch([smsc]);
      await dispatcher.stop(0);
      const { message, createdAt } = await issue('v1', { leaseUntil: 0 });
      dispatcher.accept(message, createdAt, performance.now());
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.deepEqual(smsc.submitted, []);
    });

    test('cuts off what does not end in time, and gives it back at once', async () => {
      const dispatcher = dispatch([scriptedCarrier('smsc', hang)]);
      const { message, createdAt } = await issue('v1');
      dispatcher.accept(message, createdAt, performance.now());
      await dispatcher.stop(0);
      const now = Date.now();
      const [delivery] = await store.claim(now, now + LEASE, 10);
      assert.equal(delivery?.id, 'v1');
      assert.equal(delivery.rounds, 1);
    });

    test('does not begin with another carrier after it was cut off at one', { timeout: 5_000 }, async () => {
      const second = scriptedCarrier('second', (_message, signal) => {
        return new Promise((resolve) => {
          const end = () => resolve(TEMPORARY);
          signal.addEventListener('abort', end);
          setTimeout(end, 1_000);
        });
      });
      const dispatcher = dispatch([scriptedCarrier('first', hang), second]);
      const { message, createdAt } = await issue('v1');
      dispatcher.accept(message, createdAt, performance.now());
      await settled();
      await dispatcher.stop(0);
      assert.deepEqual(second.submitted, []);
    });
  });
});
