/** Receipts of a carrier in the whole service: early, repeated, forged, and the failover that one starts. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { suite, test } from 'node:test';
import { createClient, eventually, freshNumber } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { type Service, startService } from '../service.ts';

const TOKEN = 'the-auth-token-of-the-account';
const PUBLIC_URL = 'https://verify.example.com';
const PATH = '/carriers/twilio/receipts';

interface Sent {
  readonly sid: string;
  readonly form: URLSearchParams;
}

/** Answers as Twilio does; `before` runs between the request and its answer. */
async function openTwilio(before: (sent: Sent) => Promise<void> = async () => {}) {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = { sid: `SM${sent.length}-${Date.now()}`, form: new URLSearchParams(body) };
    sent.push(message);
    await before(message);
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ sid: message.sid }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    sent,
    carrier: {
      type: 'twilio',
      accountSid: `AC${'0'.repeat(32)}`,
      authToken: TOKEN,
      sms: { from: 'Acme' },
      url: `http://127.0.0.1:${port}`,
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const startWith = (carriers: Record<string, object>) =>
  startService({
    config: {
      // Carriers sign the address that they were given, so a slash at the end must not get into it twice.
      publicUrl: `${PUBLIC_URL}/`,
      carriers,
      routes: [{ channel: 'sms', carriers: Object.keys(carriers) }],
    },
  });

/** What the carrier posts, signed for the address that it was given. */
function callbackOf(fields: Record<string, string>, token = TOKEN) {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const data = PUBLIC_URL + PATH + sorted.map((pair) => pair.join('')).join('');
  return {
    raw: new URLSearchParams(fields).toString(),
    key: null,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', token).update(data).digest('base64'),
    },
  };
}

async function report(
  service: Pick<Service, 'baseUrl' | 'ca'>,
  fields: Record<string, string>,
  token?: string,
) {
  const client = createClient({ ...service, key: '' });
  const { status } = await client.post(PATH, undefined, callbackOf(fields, token));
  client.close();
  return status;
}

const metric = async (service: Service, name: string) =>
  (await service.client.get('/metrics', { key: null })).text
    .split('\n')
    .filter((line) => line.startsWith(`countersign_verifications_${name}_total{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

const counted = (service: Service, name: string) =>
  eventually(async () => ((await metric(service, name)) === 1 ? true : undefined), 10_000);

suite('receipts in the whole service', () => {
  test('one that comes before the answer to our request is matched too', async () => {
    let early: Promise<number> | undefined;
    await using twilio = await openTwilio(async ({ sid }) => {
      early = report(service, { MessageSid: sid, MessageStatus: 'delivered' });
      await early;
    });
    await using service = await startWith({ twilio: twilio.carrier });
    const { status } = await service.client.verify(freshNumber());
    assert.equal(status, 200);
    assert.ok(await counted(service, 'delivered'));
    assert.equal(await early, 204);
    assert.equal(twilio.sent[0]?.form.get('StatusCallback'), PUBLIC_URL + PATH);
  });

  test('a repetition is accepted and changes nothing; a forgery is refused and changes nothing', async () => {
    await using twilio = await openTwilio();
    await using service = await startWith({ twilio: twilio.carrier });
    await service.client.verify(freshNumber());
    assert.ok(await counted(service, 'submitted'));
    const fields = { MessageSid: twilio.sent[0]?.sid ?? '', MessageStatus: 'delivered' };
    assert.equal(await report(service, fields, 'another token'), 403);
    assert.equal(await metric(service, 'delivered'), 0);
    for (let i = 0; i < 3; i++) assert.equal(await report(service, fields), 204);
    assert.equal(await report(service, { ...fields, MessageStatus: 'undelivered', ErrorCode: '30005' }), 204);
    assert.equal(await metric(service, 'delivered'), 1);
    assert.equal(await metric(service, 'undelivered'), 0);
    assert.doesNotMatch(service.logs(), /SM0-|auth-token/);
  });

  test('undelivered while the code is valid: the next carrier sends the same code', async () => {
    await using twilio = await openTwilio();
    await using gateway = await openGateway();
    await using service = await startWith({ twilio: twilio.carrier, gateway: gateway.carrier });
    const { json } = await service.client.verify(freshNumber());
    assert.ok(await counted(service, 'submitted'));
    const sid = twilio.sent[0]?.sid ?? '';
    assert.equal(
      await report(service, { MessageSid: sid, MessageStatus: 'undelivered', ErrorCode: '30005' }),
      204,
    );
    const moved = await eventually(async () => gateway.received[0], 10_000);
    assert.ok(twilio.sent[0]?.form.get('Body')?.includes(moved?.code ?? 'none'), 'the same code goes on');
    assert.equal((await service.client.confirm(json.id ?? '', moved?.code ?? '')).status, 200);
  });
});
