/** Carriers that fail and come back. Nothing is lost, nothing stalls, and no failure counts as a success. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, eventually, freshNumber } from '../acceptance/client.ts';
import { type Service, startService } from '../service.ts';
import { accept, answer, type Behaviour, type Gateway, hang, openGateway } from './gateway.ts';

/** Carriers with short timeouts, so that an outage is noticed and over soon. */
const impatient = { timeout: '500ms', breaker: { failures: 3, resetAfter: '300ms' } };

const startWith = (gateways: Record<string, Gateway>, extra: object = {}) =>
  startService({
    config: {
      limits: { requestsPerKey: [] },
      delivery: { lease: '2s' },
      carriers: Object.fromEntries(
        Object.entries(gateways).map(([name, { carrier }]) => [name, { ...carrier, ...impatient, ...extra }]),
      ),
      routes: [{ channel: 'sms', carriers: Object.keys(gateways) }],
    },
  });

async function verify(service: Service): Promise<string> {
  const { status, json, text } = await service.client.verify(freshNumber());
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

test('messages that a gateway could not take while it was down arrive when it is back', async () => {
  await using gateway = await openGateway();
  await using service = await startWith({ gateway });
  await gateway.close();
  const ids = await Promise.all(Array.from({ length: 20 }, () => verify(service)));
  await sleep(1_000);
  assert.equal(await metric(service, 'submitted'), 0, 'an outage is no success');
  await gateway.open();
  for (const id of ids) await assertConfirmable(service, gateway, id);
});

for (const [what, behaviour] of Object.entries({ 'answers 500': answer(500), hangs: hang })) {
  test(`a gateway that ${what} is tried again until it takes the message`, async () => {
    await using gateway = await openGateway();
    await using service = await startWith({ gateway });
    gateway.behave(behaviour);
    const id = await verify(service);
    await arrived(gateway, id, 2);
    assert.equal(await metric(service, 'submitted'), 0);
    gateway.behave(accept);
    assert.ok(
      await eventually(async () => ((await metric(service, 'submitted')) === 1 ? true : undefined), 30_000),
    );
    await assertConfirmable(service, gateway, id);
  });
}

const FAILURES: Readonly<Record<string, Behaviour | 'away'>> = {
  'is away': 'away',
  'answers 500': answer(500),
  'answers 429': answer(429),
  'refuses for good': answer(400),
  hangs: hang,
};

for (const [what, behaviour] of Object.entries(FAILURES)) {
  test(`the second carrier takes over when the first ${what}`, async () => {
    await using first = await openGateway();
    await using second = await openGateway();
    await using service = await startWith({ first, second });
    if (behaviour === 'away') await first.close();
    else first.behave(behaviour);
    const id = await verify(service);
    await assertConfirmable(service, second, id);
    await sleep(200);
    assert.equal(arrivals(second, id).length, 1, 'the telephone rings once');
  });
}

test('a permanent refusal by every carrier ends the delivery', async () => {
  await using gateway = await openGateway();
  await using service = await startWith({ gateway });
  gateway.behave(answer(400));
  const id = await verify(service);
  assert.ok(await eventually(async () => ((await metric(service, 'failed')) === 1 ? true : undefined)));
  gateway.behave(accept);
  await sleep(1_500);
  assert.equal(arrivals(gateway, id).length, 1, 'it is not tried again');
  assert.equal(await metric(service, 'submitted'), 0);
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
  const carriers = await eventually(async () => {
    const lines = (await service.command('doctor')).split('\n');
    const about = (name: string) => lines.find((line) => line.includes(`carrier ${name}:`)) ?? '';
    return about('failing').includes('breaker open') ? [about('failing'), about('other')] : undefined;
  }, 20_000);
  assert.match(carriers?.[0] ?? '', /took nothing in the last hour.*last error .* ago .*500/);
  assert.match(carriers?.[1] ?? '', /took 10 in the last hour, 100 % of those requested.*100 % confirmed/);
});
