/** The machine's clock is set while the service runs: forward by a day, and back again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { THEN } from '../../src/core/sending/routing.ts';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { createSettableClock, NO_FAKETIME } from '../faketime.ts';
import { openPortal, PASSWORD } from '../portal/rig.ts';
import { type Service, startService } from '../service.ts';
import { accept, answer, openGateway } from './gateway.ts';

const [HOUR_S, DAY_S] = [3_600, 86_400];
const skip = NO_FAKETIME;

/** Waits until the service itself goes by a clock that is so far ahead of this machine's. */
const isAhead = ({ client }: Service, seconds: number) =>
  soon(async () => {
    const { date = '' } = (await client.get('/healthz')).headers;
    return Math.abs(Date.parse(date) - Date.now() - seconds * 1_000) < 60_000;
  });

/** Waits until it is so. */
async function soon(isSo: () => Promise<boolean> | boolean): Promise<void> {
  assert.ok(await eventually(async () => (await isSo()) || undefined, 20_000), `in vain: ${isSo}`);
}

test('requests and sends counted a day ahead lock nobody out when the clock is right again', {
  skip,
}, async (t) => {
  const clock = await createSettableClock(t);
  await using service = await startService({
    env: clock.env,
    config: { limits: { requestsPerKey: ['6/5s'], sendsPerDestination: ['2/5s'] } },
  });
  const { client } = service;
  const destination = freshNumber();
  clock.set(DAY_S);
  await isAhead(service, DAY_S);
  // At once: one after another they may take longer than the window.
  const asked = [destination, destination, ...Array.from({ length: 5 }, freshNumber)];
  const answers = await Promise.all(asked.map((number) => client.verify(number)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(6).fill(200), 429]);
  clock.set(0);
  await soon(() => service.logs().includes('moved back to now'));
  const refused = await client.verify(destination);
  if (refused.status === 429)
    assert.ok(Number(refused.headers['retry-after']) <= 5, String(refused.headers['retry-after']));
  await soon(async () => (await client.verify(destination)).status === 200);
});

test('wrong passwords while the clock is a day ahead lock nobody out of the portal when it is right again', {
  skip,
}, async (t) => {
  const clock = await createSettableClock(t);
  await using service = await startService({ env: clock.env });
  const portal = await openPortal(t, service);
  await portal.setUp();
  // Another browser, from which nobody has signed in before.
  const stranger = portal.visitor();
  const signIn = async (password: string) =>
    (await stranger.post('/portal/api/session', { email: portal.owner, password })).status;
  clock.set(DAY_S);
  await isAhead(service, DAY_S);
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) statuses.push(await signIn('wrong'));
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  clock.set(0);
  await soon(() => service.logs().includes('moved back to now'));
  await soon(async () => (await signIn(PASSWORD)) === 200);
});

test('locks of a process that ended before the clock was right are released at the next start', {
  skip,
}, async (t) => {
  const clock = await createSettableClock(t, DAY_S);
  await using service = await startService({
    env: clock.env,
    config: { limits: { requestsPerKey: ['1/3s'] } },
  });
  await isAhead(service, DAY_S);
  assert.equal((await service.client.verify(freshNumber())).status, 200);
  await service.kill9();
  clock.set(0);
  await service.restart();
  await isAhead(service, 0);
  await soon(async () => (await service.client.verify(freshNumber())).status === 200);
});

test('a breaker that opened before the clock was set back closes after its time', { skip }, async (t) => {
  const clock = await createSettableClock(t);
  await using gateway = await openGateway();
  await using service = await startService({
    env: clock.env,
    config: {
      carriers: { gateway: { ...gateway.carrier, breaker: { failures: 2, resetAfter: '2s' } } },
      routes: [{ channel: 'sms', carriers: ['gateway'] }],
    },
  });
  gateway.behave(answer(500));
  const { json } = await service.client.verify(freshNumber());
  await soon(() => gateway.received.length >= 2);
  // Open, or open to one message at a time: until one is taken.
  const opened = /^countersign_carrier_breaker_state\{carrier="gateway"\} [12]$/m;
  await soon(async () => opened.test((await service.client.get('/metrics', { key: null })).text));
  clock.set(-HOUR_S);
  await isAhead(service, -HOUR_S);
  gateway.behave(accept);
  const before = gateway.received.length;
  await soon(() => gateway.received.length > before);
  assert.equal(gateway.received.at(-1)?.id, json.id);
});

test('a message goes on by another channel in its time, although the clock was set back meanwhile', {
  skip,
}, async (t) => {
  const clock = await createSettableClock(t);
  await using texts = await openGateway();
  await using calls = await openGateway();
  await using service = await startService({
    env: clock.env,
    config: {
      carriers: { texts: texts.carrier, calls: { ...calls.carrier, channels: ['voice'] } },
      routes: [
        {
          channel: 'sms',
          carriers: ['texts'],
          [THEN]: { channel: 'voice', carriers: ['calls'], after: '5s' },
        },
      ],
    },
  });
  const { json } = await service.client.verify(freshNumber());
  await soon(() => texts.received.length === 1);
  await soon(async () => {
    const { text } = await service.client.get(`/verifications/${json.id}`);
    return text.includes('submitted');
  });
  clock.set(-HOUR_S);
  await isAhead(service, -HOUR_S);
  await soon(() => calls.received.length === 1);
  assert.deepEqual([calls.received[0]?.id, texts.received.length], [json.id, 1]);
});
