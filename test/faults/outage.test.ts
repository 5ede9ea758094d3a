/** Carriers that fail and come back. Nothing is lost, nothing stalls, and no failure counts as a success. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, eventually, freshNumber } from '../acceptance/client.ts';
import { type Service, startService } from '../service.ts';
import { accept, answer, type Behaviour, type Gateway, hang, openGateway } from './gateway.ts';

const breaker = { failures: 3, resetAfter: '300ms' };
/** Carriers with short timeouts, so that an outage is noticed and over soon. One that must be asked only once has a long one. */
const impatient = { timeout: '500ms', breaker };

/** The `patient` gateway is for a country of its own. */
const startWith = (gateways: Record<string, Gateway>, extra: object = {}, patient?: Gateway) =>
  startService({
    config: {
      limits: { requestsPerKey: [] },
      delivery: { lease: '2s' },
      carriers: {
        ...Object.fromEntries(
          Object.entries(gateways).map(([name, { carrier }]) => [
            name,
            { ...carrier, ...impatient, ...extra },
          ]),
        ),
        ...(patient && { patient: { ...patient.carrier, breaker } }),
      },
      routes: [
        ...(patient ? [{ channel: 'sms', countries: ['AT'], carriers: ['patient'] }] : []),
        { channel: 'sms', carriers: Object.keys(gateways) },
      ],
    },
  });

async function verify(service: Service, number = freshNumber()): Promise<string> {
  const { status, json, text } = await service.client.verify(number);
  assert.equal(status, 200, text);
  return json.id ?? '';
}

const arrivals = (gateway: Gateway, id: string) => gateway.received.filter((message) => message.id === id);

const arrived = async (gateway: Gateway, id: string, times = 1) => {
  const messages = await eventually(async () => {
    const messages = arrivals(gateway, id);
    return messages.length >= times ? messages : undefined;
  }, 30_000);
  assert.ok(messages !== undefined, `${id} did not arrive ${times} times`);
  return messages;
};

async function assertConfirmable(service: Service, gateway: Gateway, id: string): Promise<void> {
  const [message] = await arrived(gateway, id);
  assert.equal((await service.client.confirm(id, message?.code ?? '')).status, 200);
}

const metric = async (service: Service, name: string) =>
  (await service.client.get('/metrics', { key: null })).text
    .split('\n')
    .filter((line) => line.startsWith(`countersign_verifications_${name}_total{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

/** How often the carrier was asked in vain. */
const tries = async (service: Service) => {
  const { text } = await service.client.get('/metrics', { key: null });
  const series = /^countersign_carrier_attempts_total\{carrier="gateway",outcome="temporary"\} (\d+)$/m;
  return Number(series.exec(text)?.[1] ?? 0);
};

/** How many were submitted, once none is under way. */
async function settled(service: Service): Promise<number> {
  const asked = await metric(service, 'requested');
  const done = async () => (await metric(service, 'submitted')) + (await metric(service, 'failed'));
  assert.ok(await eventually(async () => (await done()) === asked || undefined, 30_000));
  return metric(service, 'submitted');
}

suite('one gateway', { concurrency: false }, () => {
  let gateway: Gateway;
  let service: Service;
  before(async () => {
    gateway = await openGateway();
    service = await startWith({ gateway }, {}, gateway);
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await gateway[Symbol.asyncDispose]();
  });

  test('messages that it could not take while it was down arrive when it is back', async () => {
    await gateway.close();
    const ids = await Promise.all(Array.from({ length: 20 }, () => verify(service)));
    // Until the breaker opens, and then again each time it lets one through.
    const areTried = async () => (await tries(service)) >= breaker.failures + 2 || undefined;
    assert.ok(await eventually(areTried, 30_000), 'they were tried');
    assert.equal(await metric(service, 'submitted'), 0, 'an outage is no success');
    await gateway.open();
    for (const id of ids) await assertConfirmable(service, gateway, id);
    for (const [level, message] of [
      ['warn', 'carrier set aside: its messages fail one after the other'],
      ['info', 'carrier in use again'],
    ]) {
      const line = await eventually(async () =>
        service
          .logs()
          .split('\n')
          .find((each) => each.includes(`"${message}"`)),
      );
      const { level: itsLevel, carrier, reason } = JSON.parse(line ?? '{}');
      assert.deepEqual([itsLevel, carrier], [level, 'gateway']);
      assert.match(reason, /^connection failed: ECONN/);
    }
  });

  for (const [what, behaviour] of Object.entries({ 'answers 500': answer(500), hangs: hang })) {
    test(`a message is tried again until it takes it, while it ${what}`, async () => {
      const submitted = await settled(service);
      gateway.behave(behaviour);
      const id = await verify(service);
      await arrived(gateway, id, 2);
      assert.equal(await metric(service, 'submitted'), submitted);
      gateway.behave(accept);
      assert.ok(
        await eventually(
          async () => ((await metric(service, 'submitted')) === submitted + 1 ? true : undefined),
          30_000,
        ),
      );
      await assertConfirmable(service, gateway, id);
    });
  }

  test('a permanent refusal by every carrier ends the delivery', async () => {
    const submitted = await settled(service);
    gateway.behave(answer(400));
    const id = await verify(service, '+436641234567');
    assert.ok(await eventually(async () => ((await metric(service, 'failed')) === 1 ? true : undefined)));
    gateway.behave(accept);
    await sleep(1_500);
    assert.equal(arrivals(gateway, id).length, 1, 'it is not tried again');
    assert.equal(await metric(service, 'submitted'), submitted);
  });
});

const FAILURES: Readonly<Record<string, Behaviour | 'away'>> = {
  'is away': 'away',
  'answers 500': answer(500),
  'answers 429': answer(429),
  'refuses for good': answer(400),
  hangs: hang,
};
/** A country for each failure, whose route leads to the carrier that fails so and then to the second. */
const NUMBERS = [
  ['DE', '+4915112345678'],
  ['FR', '+33612345678'],
  ['US', '+12025550123'],
  ['ES', '+34612345678'],
  ['CH', '+41781234567'],
] as const;

suite('the second carrier takes over', { concurrency: false }, () => {
  const parts = new AsyncDisposableStack();
  const firsts = new Map<string, Gateway>();
  let second: Gateway;
  let service: Service;
  before(async () => {
    const carriers: Record<string, object> = {};
    const routes: object[] = [];
    for (const [i, [what, behaviour]] of Object.entries(FAILURES).entries()) {
      const gateway = parts.use(await openGateway());
      if (behaviour === 'away') await gateway.close();
      else gateway.behave(behaviour);
      firsts.set(what, gateway);
      carriers[`first${i}`] = { ...gateway.carrier, ...impatient };
      routes.push({ channel: 'sms', countries: [NUMBERS[i]?.[0]], carriers: [`first${i}`, 'second'] });
    }
    second = parts.use(await openGateway());
    service = parts.use(
      await startService({
        config: {
          carriers: { ...carriers, second: { ...second.carrier, breaker } },
          routes,
        },
      }),
    );
  });
  after(() => parts.disposeAsync());

  for (const [i, what] of Object.keys(FAILURES).entries()) {
    test(`when the first ${what}`, async () => {
      const { status, json, text } = await service.client.verify(NUMBERS[i]?.[1] ?? '');
      assert.equal(status, 200, text);
      const id = json.id ?? '';
      await assertConfirmable(service, second, id);
      await sleep(200);
      assert.equal(arrivals(second, id).length, 1, 'the telephone rings once');
      const asked = firsts.get(what)?.received.some((message) => message.id === id);
      assert.equal(asked, what !== 'is away', 'the first was asked');
    });
  }
});

test('a message that hangs does not block the others', async () => {
  await using gateway = await openGateway();
  await using service = await startWith({ gateway }, { timeout: '20s' });
  const held = freshNumber();
  gateway.behave((message, response, request) => {
    if (message.to !== held) accept(message, response, request);
  });
  const { json } = await service.client.verify(held);
  await arrived(gateway, json.id ?? '');
  for (let i = 0; i < 20; i++) await assertConfirmable(service, gateway, await verify(service));
});

test('SIGTERM under load breaks no promise', async (t) => {
  await using gateway = await openGateway();
  await using service = await startWith({ gateway });
  gateway.behave((message, response, request) => {
    setTimeout(() => accept(message, response, request), 50);
  });
  const client = createClient(service);
  const ids: string[] = [];
  let stopping = false;
  const work = async () => {
    for (;;) {
      try {
        const { status, json, text } = await client.verify(freshNumber());
        if (status === 200) ids.push(json.id ?? '');
        else assert.equal(status, 503, text);
      } catch (error) {
        assert.ok(stopping, String(error));
        return;
      }
    }
  };
  const clients = Array.from({ length: 16 }, work);
  await sleep(1_000);
  stopping = true;
  assert.equal(await service.stop(), 0);
  await Promise.all(clients);
  client.close();
  t.diagnostic(`${ids.length} answered 200`);
  await service.restart();
  for (const id of ids) await arrived(gateway, id);
});

test('doctor says how a failing carrier is doing, and why', async () => {
  await using failing = await openGateway();
  await using other = await openGateway();
  failing.behave(answer(500));
  await using service = await startWith({ failing, other });
  const ids = await Promise.all(Array.from({ length: 10 }, () => verify(service)));
  for (const id of ids) await assertConfirmable(service, other, id);
  // What the nodes see of their carriers is written down every few seconds, and each look at it is a command.
  const carriers = await eventually(async () => {
    await sleep(1_000);
    const lines = (await service.command('doctor')).split('\n');
    const about = (name: string) => lines.find((line) => line.includes(`carrier ${name}:`)) ?? '';
    return about('failing').includes('breaker open') ? [about('failing'), about('other')] : undefined;
  }, 20_000);
  assert.match(carriers?.[0] ?? '', /took nothing in the last hour.*last error .* ago .*500/);
  assert.match(carriers?.[0] ?? '', /^warn .*; set aside on \S+ \(HTTP 500\)/);
  assert.doesNotMatch(carriers?.[1] ?? '', /^warn|set aside/);
  assert.match(carriers?.[1] ?? '', /took 10 in the last hour, 100 % of those requested.*100 % confirmed/);
});
