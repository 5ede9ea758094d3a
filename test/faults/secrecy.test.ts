/** After a run that uses everything, no secret is found in clear anywhere. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { eventually, wrongCode } from '../acceptance/client.ts';
import { freePort } from '../free-port.ts';
import { type Service, startService } from '../service.ts';
import { assertNothingIn, assertNothingOnDisk, Evidence } from './evidence.ts';
import { openGateway } from './gateway.ts';

const SECRETS = {
  service: 'the-secret-that-everything-is-sealed-with',
  scraper: 'the-token-of-the-scraper',
  gateway: 'the-password-of-the-gateway',
  smsc: 'smscpass',
} as const;

/** Valid and invalid requests to both endpoints with one key. */
async function exercise(service: Service, evidence: Evidence, key: string): Promise<void> {
  const { client } = service;
  const options = { key };
  const destination = evidence.number();
  const { id, code } = await client.issue(destination, 'voice', options);
  const guess = wrongCode(code);
  evidence.add(code, guess);
  evidence.keep(await client.confirm(id, guess, options));
  evidence.keep(await client.confirm(id, code, options));
  evidence.keep(await client.confirm(id, code, options));
  evidence.keep(await client.confirm(code, id, options));

  const said = {
    metadata: { [`name-of-${id.slice(-6)}`]: `order of ${destination}` },
    signals: { ip: '198.51.100.77', user_agent: `a browser of ${id}`, device_id: `the telephone of ${id}` },
  };
  evidence.add(said.metadata[`name-of-${id.slice(-6)}`] ?? '', ...Object.values(said.signals));
  const more = await client.post(
    '/verify',
    { destination: evidence.number(), channel: 'sms', ...said },
    options,
  );
  assert.equal(more.status, 200, more.text);

  const landline = '+442071838750';
  evidence.add(landline.slice(1));
  evidence.keep(await client.verify(landline, 'sms', options));
  const invalid = evidence.number();
  for (const path of ['/verify', '/confirm']) {
    const bodies = [
      `{"destination":"${invalid}","code":"${code}"`,
      `{"destination":"${invalid}x","channel":"${code}","id":"${'x'.repeat(99)}${code}","code":["${code}"]}`,
      `"${invalid} ${code} ${key}"`,
      `{"${invalid}":"${code}","destination":{"${invalid}":1},"id":{"${code}":1}}`,
    ];
    for (const raw of bodies) evidence.keep(await client.post(path, undefined, { key, raw }));
    const odd = { 'content-type': `text/${invalid}`, 'idempotency-key': `é${invalid}` };
    evidence.keep(await client.post(path, {}, { key, headers: odd }));
  }
  const inQuery = `destination=${encodeURIComponent(invalid)}&code=${code}&key=${key}`;
  for (const path of ['/simulator/messages', '/nowhere', '/healthz', '/verify', `/${invalid}/${code}`]) {
    evidence.keep(await client.get(`${path}?${inQuery}`, options));
  }
  evidence.keep(await client.get(`/simulator/messages?destination=${code}`, options));
  const forged = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
  evidence.add(forged);
  evidence.keep(await client.verify(destination, 'sms', { key: forged }));
}

/** A live message through carriers that fail, one by one, until the gateway takes it. */
async function exerciseCarriers(
  service: Service,
  evidence: Evidence,
  gateway: Awaited<ReturnType<typeof openGateway>>,
): Promise<void> {
  for (const status of [500, 403, 400, 200]) {
    // Gateways often repeat in their answers what they were sent.
    gateway.behave((message, response) =>
      response
        .writeHead(status, { 'x-echo': message.code })
        .end(JSON.stringify({ ...message, id: `ref-${message.id}` })),
    );
    const destination = evidence.number();
    const { json } = evidence.keep(await service.client.verify(destination));
    const sent = await eventually(async () => gateway.received.find(({ id }) => id === json.id));
    assert.ok(sent !== undefined);
    evidence.add(sent.code, sent.text);
    evidence.keep(await service.client.confirm(sent.id, wrongCode(sent.code)));
    // Only the number is shown, to the app that sent it.
    const state = await service.client.get(`/verifications/${sent.id}`);
    assert.equal(state.json.destination, destination);
    assertNothingIn(evidence, 'the state', state.text.replace(destination, ''));
  }
}

async function sendInClear(port: number, evidence: Evidence, key: string): Promise<void> {
  const destination = evidence.number();
  const outgoing = request({
    port,
    host: 'localhost',
    path: `/verify?destination=${encodeURIComponent(destination)}`,
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await new Promise<string>((resolve, reject) => {
    outgoing.on('error', reject).on('response', async (incoming) => {
      let body = JSON.stringify(incoming.headers);
      for await (const chunk of incoming) body += chunk;
      resolve(body);
    });
    outgoing.end(JSON.stringify({ destination, channel: 'sms' }));
  });
  evidence.errors.push(text);
}

test('codes, keys, passwords, texts and numbers appear nowhere in clear', async () => {
  const evidence = new Evidence(Object.values(SECRETS));
  const plain = await freePort();
  await using gateway = await openGateway();
  await using service = await startService({
    env: { COUNTERSIGN_SECRET: SECRETS.service },
    config: {
      // Ten letters never occur by chance, as six digits do in a file of this size.
      code: { length: 10, alphabet: 'letters' },
      log: { level: 'trace' },
      metrics: { token: SECRETS.scraper },
      plain: { port: plain },
      carriers: {
        away: {
          type: 'smpp',
          host: '127.0.0.1',
          port: 1,
          systemId: 'u',
          password: SECRETS.smsc,
          source: 'Acme',
        },
        refusing: { type: 'http', url: 'http://127.0.0.1:1/', json: { to: '{{to}}', text: '{{text}}' } },
        gateway: { ...gateway.carrier, headers: { 'X-Password': SECRETS.gateway } },
      },
      routes: [
        { channel: 'voice', carriers: ['simulator'] },
        { channel: 'sms', carriers: ['away', 'refusing', 'gateway'] },
      ],
    },
  });
  const inClear = await service.createKey('in clear');
  // The greeting of the first start shows one key. It is the only exception.
  const greeting = service.logs();
  const testKey = await service.createKey('test', { test: true });
  evidence.add(service.key, testKey, inClear);
  assertNothingIn(evidence, 'the greeting', greeting);

  await exercise(service, evidence, service.key);
  await exercise(service, evidence, testKey);
  await exerciseCarriers(service, evidence, gateway);
  await sendInClear(plain, evidence, inClear);
  const metrics = await service.client.get('/metrics', { key: SECRETS.scraper });
  assert.equal(metrics.status, 200);

  assertNothingIn(evidence, 'the metrics', metrics.text);
  for (const error of evidence.errors) assertNothingIn(evidence, 'an error', error);
  await assertNothingOnDisk(evidence, service, 'while it runs');
  await service.kill9();
  await assertNothingOnDisk(evidence, service, 'after a crash');
  await service.restart();
  assert.equal(await service.stop(), 0);
  await assertNothingOnDisk(evidence, service, 'after a stop');
  assert.match(service.logs(), /"route":"\/verify".*"msg":"request"/, 'there are lines of requests');
  assertNothingIn(evidence, 'the log', service.logs());
});
