/** Another channel in the real service, and what everybody is told of it. When messages go on, and that they do so once, the simulated world plays. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { THEN } from '../../src/core/sending/routing.ts';
import { eventually, problemOf, type RequestOptions } from '../acceptance/client.ts';
import { answer, type Gateway, type GatewayMessage, openGateway } from '../faults/gateway.ts';
import { type Service, startService } from '../service.ts';
import { onOneDay } from './one-day.ts';

const SECRET = 'the-shared-secret-of-the-gateways';
const RECEIPTS = {
  ...{ in: 'query', id: 'message', status: 'status', delivered: ['ok'], undelivered: ['failed'] },
  proof: { type: 'secret', secret: SECRET, query: 'token' },
};

/** Each route takes the numbers with one digit. */
const ROUTES = {
  refused: '1',
  capped: '2',
  simulated: '3',
  nowhere: '4',
} as const;
const prefixOf = (route: keyof typeof ROUTES) => `+49151${ROUTES[route]}`;
const numberOf = (route: keyof typeof ROUTES) =>
  `${prefixOf(route)}${String(randomInt(1e7)).padStart(7, '0')}`;

suite('a route with another channel', () => {
  let refusing: Gateway;
  let calls: Gateway;
  let service: Service;

  before(async () => {
    [refusing, calls] = await Promise.all([openGateway(), openGateway()]);
    refusing.behave(answer(400));
    const route = (name: keyof typeof ROUTES, carrier: string, then: object) => {
      return { channel: 'sms', prefixes: [prefixOf(name)], carriers: [carrier], [THEN]: then };
    };
    const byCall = { channel: 'voice', carriers: ['calls'] };
    service = await startService({
      config: {
        publicUrl: 'https://verify.example.com',
        limits: { requestsPerKey: [] },
        carriers: {
          refusing: { ...refusing.carrier, channels: ['sms', 'voice'] },
          calls: { ...calls.carrier, channels: ['voice'], receipts: RECEIPTS },
          inbox: { type: 'simulator' },
        },
        routes: [
          route('refused', 'refusing', byCall),
          route('capped', 'refusing', { channel: 'voice' }),
          route('simulated', 'refusing', { channel: 'voice', carriers: ['inbox'] }),
          route('nowhere', 'refusing', { channel: 'voice', carriers: ['refusing'] }),
          { channel: 'voice', prefixes: [prefixOf('capped')], carriers: ['calls'], dailyCap: 1 },
          { channel: 'sms', carriers: ['refusing'], [THEN]: byCall },
        ],
      },
    });
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await Promise.all([refusing, calls].map((gateway) => gateway?.close()));
  });

  const ask = async (route: keyof typeof ROUTES, options?: RequestOptions) => {
    const { status, json, text } = await service.client.verify(numberOf(route), 'sms', options);
    assert.equal(status, 200, text);
    assert.equal(json.channel, 'sms');
    return json.id ?? '';
  };
  const of = ({ received }: Gateway, id: string) => received.filter((message) => message.id === id);
  const arrival = async (gateway: Gateway, id: string): Promise<GatewayMessage> => {
    const message = await eventually(async () => of(gateway, id)[0], 20_000);
    assert.ok(message, 'waited in vain');
    return message;
  };
  /** The attempts, as a client sees them. */
  const attemptsOf = async (id: string, options?: RequestOptions) =>
    ((await service.client.get(`/verifications/${id}`, options)).json.attempts ?? []).map(
      ({ channel, state }) => `${channel} ${state}`,
    );
  const until = async (id: string, wanted: readonly string[], options?: RequestOptions) => {
    const isSo = async () => (await attemptsOf(id, options)).join() === wanted.join() || undefined;
    if (await eventually(isSo, 20_000)) return;
    assert.deepEqual(await attemptsOf(id, options), wanted);
  };
  const report = async (carrier: string, id: string, status: string) => {
    const query = new URLSearchParams({ token: SECRET, message: `ref-${id}`, status });
    const answered = await service.client.get(`/carriers/${carrier}/receipts?${query}`, { key: null });
    assert.equal(answered.status, 204);
  };
  const counted = async (series: string) =>
    ((await service.client.get('/metrics', { key: null })).text.split('\n') ?? [])
      .filter((line) => line.startsWith(`countersign_verifications_${series}{`))
      .map((line) => line.replace(/^.*\{/, ''))
      .toSorted();

  test('what the first channel refuses goes by the next with the same code, and counts there', async () => {
    const options = { headers: { 'Idempotency-Key': 'the-same' } };
    const body = { destination: numberOf('refused'), channel: 'sms' };
    const first = await service.client.post('/verify', body, options);
    const id = first.json.id ?? '';
    const called = await arrival(calls, id);
    assert.equal(called.code, of(refusing, id)[0]?.code);
    assert.notEqual(called.text, of(refusing, id)[0]?.text, 'worded as a call');
    await until(id, ['sms failed', 'voice submitted']);
    const again = await service.client.post('/verify', body, options);
    assert.deepEqual(again.json, first.json);
    await report('calls', id, 'ok');
    assert.equal((await service.client.confirm(id, called.code)).status, 200);
    assert.deepEqual([of(refusing, id).length, of(calls, id).length], [1, 1]);
    assert.deepEqual(await attemptsOf(id), ['sms failed', 'voice delivered']);
    for (const series of ['submitted_total', 'delivered_total', 'confirmed_total']) {
      assert.ok((await counted(series)).includes('channel="voice",country="DE",carrier="calls"} 1'), series);
    }
    assert.ok((await counted('requested_total')).includes('channel="sms",country="DE"} 1'));
  });

  test('a route that it goes on by takes no more than its daily cap', async () => {
    await onOneDay();
    const ids = await Promise.all(Array.from({ length: 10 }, () => ask('capped')));
    const called = () => ids.filter((id) => of(calls, id).length > 0).length;
    assert.ok(await eventually(async () => (called() === 1 ? true : undefined), 20_000));
    const failed = async () =>
      (await Promise.all(ids.map((id) => service.client.get(`/verifications/${id}`)))).filter(
        ({ json }) => json.status === 'failed',
      ).length;
    assert.ok(await eventually(async () => ((await failed()) === 9 ? true : undefined), 20_000));
    assert.equal(called(), 1);
    const direct = await service.client.verify(numberOf('capped'), 'voice');
    assert.deepEqual([direct.status, problemOf(direct)], [429, 'daily-cap-reached']);
  });

  test('the inbox of the simulator shows what came by the later channel, as it was spoken', async () => {
    const id = await ask('simulated');
    const { destination } = (await service.client.get(`/verifications/${id}`)).json;
    const message = await service.client.message(destination ?? '', id);
    const [asked] = of(refusing, id);
    assert.equal(message.channel, 'voice');
    assert.equal(message.code, asked?.code);
    assert.notEqual(message.text, asked?.text);
    assert.ok(message.text.includes([...message.code].join(', ')) || message.text.includes(message.code));
  });

  test('when the last channel refused it, too, it has failed', async () => {
    const id = await ask('nowhere');
    await until(id, ['sms failed', 'voice failed']);
    assert.equal((await service.client.get(`/verifications/${id}`)).json.status, 'failed');
    assert.ok((await counted('failed_total')).some((line) => line.startsWith('channel="sms",country="DE"')));
  });

  test('with a test key the simulator plays the same channels', async () => {
    const key = await service.createKey('test', { test: true });
    const { json } = await service.client.verify('+15005550003', 'sms', { key });
    assert.equal(json.channel, 'sms');
    await until(json.id ?? '', ['sms failed', 'voice failed'], { key });
  });

  test('no code and no number is in the log', async () => {
    // What runs writes its log twice a second, and what stops writes all of it.
    assert.equal(await service.stop(), 0);
    const logs = service.logs();
    for (const { to, code } of [...refusing.received, ...calls.received]) {
      assert.ok(!logs.includes(to), 'a number in the log');
      assert.ok(!logs.includes(` ${code}`) && !logs.includes(`"${code}"`), 'a code in the log');
    }
    assert.ok(!logs.includes(SECRET));
  });
});
