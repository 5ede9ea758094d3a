import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { generate } from 'selfsigned';
import Value from 'typebox/value';
import { createHttpCarrier } from '../../src/carriers/http/carrier.ts';
import { type HttpOptions, httpOptions } from '../../src/carriers/http/options.ts';
import type { CarrierPorts } from '../../src/core/sending/carrier.ts';
import { carrierContract, message } from './contract.ts';
import { answer, type Gateway, startGateway } from './gateway.ts';
import { UNHEARD } from './ports.ts';

const silent: CarrierPorts = {
  ...UNHEARD,
};

function optionsOf(written: Record<string, unknown>): HttpOptions {
  return Value.Decode(httpOptions, Value.Default(httpOptions, { type: 'http', ...written }));
}

const says = {
  accepted: (reference: string, status = 202) => answer(status, { id: reference }),
  permanent: [answer(400), answer(409, { id: 'r-1' }), answer(422), answer(451)],
  temporary: [answer(402), answer(403), answer(404, { id: 'r-1' }), answer(405), answer(408), answer(500)],
  unauthorised: answer(401),
  throttled: (retryAfter: string) => answer(429, '', { 'retry-after': retryAfter }),
  acceptedStatus: 200,
};

carrierContract({
  name: 'http with a JSON body',
  create: (url, ports) =>
    createHttpCarrier(
      'gateway',
      optionsOf({
        url: `${url}/sms?key=query-secret`,
        bearer: 'bearer-secret',
        headers: { 'X-Request-Id': '{{id}}' },
        json: { to: '{{to}}', parts: [{ text: '{{text}}', code: '{{code}}' }], flash: false },
        reference: 'id',
      }),
      ports,
    ),
  secrets: ['query-secret', 'bearer-secret'],
  says,
  unreadable: 'accepted',
  verify(request, { destination, text, code, id }) {
    assert.equal(request.method, 'POST');
    assert.equal(request.url, '/sms?key=query-secret');
    assert.equal(request.headers.authorization, 'Bearer bearer-secret');
    assert.equal(request.headers['content-type'], 'application/json');
    assert.equal(request.headers['x-request-id'], id);
    assert.deepEqual(JSON.parse(request.body), {
      to: destination.address,
      parts: [{ text, code }],
      flash: false,
    });
  },
});

carrierContract({
  name: 'http with a form, answers judged by their body',
  create: (url, ports) =>
    createHttpCarrier(
      'gateway',
      optionsOf({
        url,
        basic: { user: 'acme', password: 'basic {{secret}}' },
        form: { to: '{{toDigits}}', 'message text': 'Acme & Co: {{text}}', from: '{{sender}}', dcs: 8 },
        sender: 'Acmé',
        acceptedWhen: { path: 'messages.0.status', equals: [0, 'queued'] },
        permanentWhen: { path: 'messages.0.status', equals: [3] },
        reference: 'messages.0.message-id',
      }),
      ports,
    ),
  secrets: ['basic {{secret}}', Buffer.from('acme:basic {{secret}}').toString('base64')],
  says: {
    ...says,
    accepted: (reference, status = 200) =>
      answer(status, { messages: [{ status: '0', 'message-id': reference }] }),
    permanent: [...says.permanent, answer(200, { messages: [{ status: 3, 'message-id': 'r-1' }] })],
    temporary: [
      ...says.temporary,
      answer(200, { messages: [{ status: 5, 'message-id': 'r-1' }] }),
      answer(200, { messages: [] }),
    ],
  },
  unreadable: 'temporary',
  verify(request, { destination, text }) {
    const credentials = Buffer.from('acme:basic {{secret}}').toString('base64');
    assert.equal(request.headers.authorization, `Basic ${credentials}`);
    assert.equal(request.headers['content-type'], 'application/x-www-form-urlencoded');
    assert.deepEqual(Object.fromEntries(new URLSearchParams(request.body)), {
      to: destination.address.slice(1),
      'message text': `Acme & Co: ${text}`,
      from: 'Acmé',
      dcs: '8',
    });
  },
});

carrierContract({
  name: 'http with everything in the address',
  create: (url, ports) =>
    createHttpCarrier(
      'gateway',
      optionsOf({ url: `${url}/{{channel}}?to={{to}}&text={{ text }}`, method: 'GET', reference: 'id' }),
      ports,
    ),
  secrets: [],
  says,
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    const { pathname, searchParams } = new URL(request.url, 'http://gateway');
    assert.equal(request.method, 'GET');
    assert.equal(request.body, '');
    assert.equal(pathname, '/sms');
    assert.deepEqual(Object.fromEntries(searchParams), { to: destination.address, text });
  },
});

suite('http carrier over TLS', () => {
  async function withTlsGateway(run: (gateway: Gateway, caPath: string) => Promise<void>): Promise<void> {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'gateway' }], {
      algorithm: 'sha256',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    });
    const directory = await mkdtemp(join(tmpdir(), 'countersign-gateway-'));
    const gateway = await startGateway({ key, cert });
    try {
      await writeFile(join(directory, 'ca.pem'), cert);
      gateway.play(answer(200, { id: 12345678901234567890n.toString() }));
      await run(gateway, join(directory, 'ca.pem'));
    } finally {
      await gateway.close();
      await rm(directory, { recursive: true });
    }
  }

  test('trusts the authority it is given', () =>
    withTlsGateway(async ({ url }, ca) => {
      const carrier = createHttpCarrier(
        'gateway',
        optionsOf({ url, json: ['{{to}}', '{{code}}'], ca }),
        silent,
      );
      assert.equal((await carrier.check()).ok, true);
      assert.equal((await carrier.submit(message, { signal: AbortSignal.timeout(20_000) })).kind, 'accepted');
      await carrier.stop();
    }));

  test('sends nothing to a certificate it cannot verify', () =>
    withTlsGateway(async (gateway) => {
      const carrier = createHttpCarrier(
        'gateway',
        optionsOf({ url: gateway.url, json: ['{{to}}', '{{code}}'] }),
        silent,
      );
      assert.equal((await carrier.check()).ok, false);
      assert.equal(
        (await carrier.submit(message, { signal: AbortSignal.timeout(20_000) })).kind,
        'temporary',
      );
      assert.equal(gateway.requests.length, 0);
      await carrier.stop();
    }));
});
