/** Carriers that fail and come back, and a service that is told to stop. Nothing is lost, and no failure counts as a success. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, eventually, freshNumber } from '../acceptance/client.ts';
import { type Service, startService } from '../service.ts';
import { accept, answer, type Gateway, openGateway } from './gateway.ts';

const breaker = { failures: 3, resetAfter: '300ms' };
/** Short, so that an outage is noticed and over soon. */
const impatient = { timeout: '500ms', breaker };

const startWith = (gateways: Record<string, Gateway>) =>
  startService({
    config: {
      limits: { requestsPerKey: [] },
      delivery: { lease: '2s' },
      carriers: Object.fromEntries(
        Object.entries(gateways).map(([name, { carrier }]) => [name, { ...carrier, ...impatient }]),
      ),
      routes: [{ channel: 'sms', carriers: Object.keys(gateways) }],
    },
  });

async function verify(service: Service): Promise<string> {
  const { status, json, text } = await service.client.verify(freshNumber());
  assert.equal(status, 200, text);
  return json.id ?? '';
}

const arrived = async (gateway: Gateway, id: string) => {
  const message = await eventually(
    async () => gateway.received.find((received) => received.id === id),
    30_000,
  );
  assert.ok(message !== undefined, `${id} did not arrive`);
  return message;
};

async function assertConfirmable(service: Service, gateway: Gateway, id: string): Promise<void> {
  const { code } = await arrived(gateway, id);
  assert.equal((await service.client.confirm(id, code)).status, 200);
}

const submitted = async (service: Service) =>
  (await service.client.get('/metrics', { key: null })).text
    .split('\n')
    .filter((line) => line.startsWith('countersign_verifications_submitted_total{'))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

/** How often the carrier was asked in vain. */
const tries = async (service: Service) => {
  const { text } = await service.client.get('/metrics', { key: null });
  const series = /^countersign_carrier_attempts_total\{carrier="gateway",outcome="temporary"\} (\d+)$/m;
  return Number(series.exec(text)?.[1] ?? 0);
};

test('messages that a gateway could not take while it was down arrive when it is back', async () => {
  await using gateway = await openGateway();
  await using service = await startWith({ gateway });
  await gateway.close();
  const ids = await Promise.all(Array.from({ length: 20 }, () => verify(service)));
  // Until the breaker opens, and then again each time it lets one through.
  const areTried = async () => (await tries(service)) >= breaker.failures + 2 || undefined;
  assert.ok(await eventually(areTried, 30_000), 'they were tried');
  assert.equal(await submitted(service), 0, 'an outage is no success');
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
