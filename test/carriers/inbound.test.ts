/** What people send back, in the whole service: over SMPP, and in a carrier's callback. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { eventually, faultyFields } from '../acceptance/client.ts';
import { type Service, startService } from '../service.ts';
import { Smsc } from './smpp/smsc.ts';

const TOKEN = 'the-auth-token-of-the-account';
const PUBLIC_URL = 'https://verify.example.com';
const PATH = '/carriers/twilio/receipts';
const NUMBER = '+4915112345611';
const FRENCH = '+33612345611';

/** Takes every message, as Twilio does. */
async function openTwilio() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"sid":"SM1"}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    options: {
      type: 'twilio',
      accountSid: `AC${'0'.repeat(32)}`,
      authToken: TOKEN,
      sms: { from: '+12025550199' },
      url: `http://127.0.0.1:${port}`,
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function sayToTwilio({ client }: Service, from: string, text: string, token = TOKEN): Promise<number> {
  const fields = { From: from, To: '+12025550199', Body: text, MessageSid: 'SM9', SmsStatus: 'received' };
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const signed = PUBLIC_URL + PATH + sorted.map((pair) => pair.join('')).join('');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': createHmac('sha1', token).update(signed).digest('base64'),
  };
  const raw = new URLSearchParams(fields).toString();
  return (await client.post(PATH, undefined, { raw, key: null, headers })).status;
}

const counted = async ({ client }: Service, carrier: string, effect: string) => {
  const { text } = await client.get('/metrics', { key: null });
  const series = `countersign_inbound_messages_total\\{carrier="${carrier}",effect="${effect}"\\} (\\d+)`;
  return Number(new RegExp(`^${series}$`, 'm').exec(text)?.[1] ?? 0);
};

/** Waits until so many messages of a carrier are settled: from then on the store knows who sent them. */
async function settled({ client }: Service, carrier: string, messages: number): Promise<void> {
  const series = new RegExp(
    `^countersign_verifications_submitted_total\\{.*carrier="${carrier}"\\} (\\d+)`,
    'gm',
  );
  const done = await eventually(async () => {
    const { text } = await client.get('/metrics', { key: null });
    const sum = [...text.matchAll(series)].reduce((total, [, count]) => total + Number(count), 0);
    return sum === messages || undefined;
  }, 10_000);
  assert.ok(done, `${messages} of ${carrier}`);
}

test('STOP is obeyed before the carrier gets its answer, and START undoes it', async () => {
  await using smsc = await new Smsc({}).start();
  await using twilio = await openTwilio();
  await using service = await startService({
    config: {
      publicUrl: PUBLIC_URL,
      carriers: {
        smsc: {
          ...{ type: 'smpp', host: '127.0.0.1', port: smsc.port, systemId: 'u', password: 'p' },
          source: '12345',
        },
        twilio: twilio.options,
      },
      routes: [
        { channel: 'sms', countries: ['FR'], carriers: ['twilio'] },
        { channel: 'sms', carriers: ['smsc'] },
      ],
    },
  });
  const { client } = service;
  const otherKey = await service.createKey('other', { account: 'other' });
  const said = (text: string, from = NUMBER) => smsc.say(from.slice(1), Buffer.from(text));
  assert.equal((await client.verify(NUMBER)).status, 200);
  assert.equal((await client.verify(FRENCH)).status, 200);
  await settled(service, 'smsc', 1);
  await settled(service, 'twilio', 1);

  assert.equal(await said('Stop.'), 0);
  const refused = await client.verify(NUMBER);
  assert.deepEqual([refused.status, faultyFields(refused)], [400, ['destination']]);
  assert.match(refused.json.errors?.[0]?.detail ?? '', /do-not-send list of this account/);
  assert.equal((await client.verify(NUMBER, 'sms', { key: otherKey })).status, 200, 'another account');
  await settled(service, 'smsc', 2);
  assert.equal(await said('start'), 0, 'it goes to the account that wrote last');
  assert.equal((await client.verify(NUMBER)).status, 400);
  assert.match(await service.command('block', 'list'), /number +\+49•+11 +recipient/);
  assert.match(await service.command('block', 'remove', NUMBER), /removed/);
  assert.equal((await client.verify(NUMBER)).status, 200);
  await settled(service, 'smsc', 3);
  assert.equal(await said('STOP'), 0);
  assert.equal((await client.verify(NUMBER)).status, 400);
  assert.equal(await said('START'), 0);
  assert.equal((await client.verify(NUMBER)).status, 200);

  assert.equal(await sayToTwilio(service, FRENCH, 'Arrêt', 'another token'), 403);
  assert.equal((await client.verify(FRENCH)).status, 200);
  assert.equal(await sayToTwilio(service, FRENCH, 'Arrêt'), 204);
  assert.equal((await client.verify(FRENCH)).status, 400);
  assert.equal(await sayToTwilio(service, FRENCH, 'Début'), 204);
  assert.equal((await client.verify(FRENCH)).status, 200);

  const stranger = '+4915112345622';
  assert.equal(await said('STOP', stranger), 0);
  assert.equal(await said('Hello', stranger), 0);
  assert.deepEqual(
    await Promise.all(
      ['stopped', 'started', 'unchanged', 'unknown-sender', 'none'].map((it) => counted(service, 'smsc', it)),
    ),
    [2, 1, 1, 1, 1],
  );
  await service.stop();
  const logs = service.logs();
  assert.equal(logs.match(/a keyword came from a number that nothing was sent to/g)?.length, 1);
  for (const number of [NUMBER, FRENCH, stranger]) assert.ok(!logs.includes(number.slice(3)), number);
});
