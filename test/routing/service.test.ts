/** Caps and quality routing in the real service, with gateways that accept every message. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, freshNumber, problemOf } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { type Service, startService } from '../service.ts';
import { onOneDay } from './one-day.ts';

/** Waits for a condition, longer than any delivery takes. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const held = await eventually(async () => ((await holds()) ? true : undefined), 20_000);
  assert.ok(held, 'waited in vain');
}

async function verify(service: Service, count: number) {
  return Promise.all(Array.from({ length: count }, () => service.client.verify(freshNumber())));
}

test('a route takes no more than its daily cap, however many requests come at once, and after a restart', async () => {
  await onOneDay();
  await using gateway = await openGateway();
  await using service = await startService({
    config: {
      carriers: { gateway: gateway.carrier },
      routes: [{ channel: 'sms', carriers: ['gateway'], dailyCap: 30 }],
    },
  });
  const answers = await verify(service, 100);
  const [limited, ...others] = answers.filter(({ status }) => status !== 200);
  assert.equal(others.length, 69);
  assert.ok(limited);
  assert.deepEqual([limited.status, problemOf(limited)], [429, 'daily-cap-reached']);
  const wait = Number(limited.headers['retry-after']);
  assert.ok(wait >= 1 && wait <= 86_400);
  assert.equal(limited.headers['ratelimit-policy'], '"route-1d";q=30;w=86400');
  assert.match(String(limited.headers.ratelimit), /^"route-1d";r=0;t=\d+$/);
  await service.restart();
  assert.deepEqual([...new Set((await verify(service, 5)).map(({ status }) => status))], [429]);
  // Messages under way when the process ended may have been sent twice, but still to thirty telephones.
  await until(() => new Set(gateway.received.map(({ id }) => id)).size === 30);
});

test('the rest of a block is available after a stop; replays and refusals use nothing', async () => {
  await onOneDay();
  await using service = await startService({
    config: {
      limits: { requestsPerKey: [] },
      routes: [{ channel: 'sms', carriers: ['simulator'], dailyCap: 1_000 }],
    },
  });
  const options = { headers: { 'Idempotency-Key': 'k' } };
  const body = { destination: freshNumber(), channel: 'sms' };
  for (let i = 0; i < 5; i++) assert.equal((await service.client.post('/verify', body, options)).status, 200);
  for (let i = 0; i < 5; i++) await service.client.verify(body.destination);
  await service.stop();
  await service.restart();
  const answers = [];
  for (let i = 0; i < 10; i++) answers.push(...(await verify(service, 100)));
  // Five codes went to one destination before its limit refused the sixth; four replays were not sent.
  assert.equal(answers.filter(({ status }) => status === 200).length, 995);
});

test('a carrier whose codes nobody confirms gets few messages', async (t) => {
  await using silent = await openGateway();
  await using good = await openGateway();
  await using service = await startService({
    config: {
      carriers: { silent: silent.carrier, good: good.carrier },
      routes: [{ channel: 'sms', carriers: ['silent', 'good'], choose: 'quality' }],
    },
  });
  let confirmed = 0;
  const sendAndConfirm = async () => {
    const before = silent.received.length;
    const all = () => silent.received.length + good.received.length;
    const wanted = all() + 50;
    await verify(service, 50);
    await until(() => all() >= wanted);
    for (const { id, code } of good.received.slice(confirmed)) await service.client.confirm(id, code);
    confirmed = good.received.length;
    return silent.received.length - before;
  };
  const shares: number[] = [];
  await until(async () => {
    shares.push(await sendAndConfirm());
    await sleep(500);
    return shares.length >= 3 && shares.slice(-2).every((count) => count <= 10);
  });
  t.diagnostic(`of 50 each time, to the silent one: ${shares.join(', ')}`);
  const explained: Explanation = JSON.parse(
    await service.command('route', 'explain', '+4915112345678', '--json'),
  );
  const [preferred, other] = explained.carriers;
  assert.deepEqual([preferred?.carrier, other?.carrier], ['good', 'silent']);
  assert.match(preferred?.why ?? '', /^1st of 2 by quality: [01]\.\d\d expected of \d+ sent$/);
});

interface Explanation {
  readonly carriers: readonly { readonly carrier: string; readonly why: string }[];
}
