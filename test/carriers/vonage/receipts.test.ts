import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { createVonageCarrier } from '../../../src/carriers/vonage/carrier.ts';
import { isSignedForm } from '../../../src/carriers/vonage/signature.ts';
import type { Callback, CarrierPorts } from '../../../src/core/sending/carrier.ts';
import { CALLBACK_URL } from '../contract.ts';
import { UNHEARD } from '../ports.ts';
import { type Event, receiptContract } from '../receipt-contract.ts';
import { APPLICATION, createSms, createVoice, optionsOf, SIGNATURE_SECRET } from './rig.ts';

/** Written from Vonage's documentation, not from our code. */
function sign(fields: Record<string, string>): string {
  let signed = '';
  for (const name of Object.keys(fields).sort()) signed += `&${name}=${fields[name]?.replace(/&|=/g, '_')}`;
  return createHmac('sha256', SIGNATURE_SECRET).update(signed).digest('hex').toUpperCase();
}

function receiptOf(event: Event, at: number): Record<string, string> {
  const outcome = {
    delivered: {
      ...{ status: 'delivered', 'err-code': '0', scts: '2611231400' },
      ...{ 'network-code': '23410', price: '0.03330000', 'client-ref': '2' },
    },
    undelivered: { status: 'failed', 'err-code': '6' },
    pending: { status: 'buffered', 'err-code': '0' },
    nonsense: {},
  };
  const fields: Record<string, string> = {
    msisdn: '12025550123',
    to: 'Acme & Co=',
    messageId: 'r-1',
    timestamp: String(Math.floor(at / 1_000)),
    nonce: 'n',
    ...outcome[event],
  };
  return { ...fields, sig: sign(fields) };
}

const sms = {
  create: (ports: CarrierPorts) => createSms('https://rest.nexmo.com', ports),
  undeliveredReason: 'failed, error 6',
  stated: { price: { amount: 66_600, currency: 'EUR' }, network: '23410' },
  coversUrl: false,
  toleranceMs: 300_000,
};

receiptContract({
  ...sms,
  name: 'vonage, SMS as a query',
  report: (event, url, at) => ({
    method: 'GET',
    url: `${url}?${new URLSearchParams(receiptOf(event, at))}`,
    headers: {},
    body: Buffer.alloc(0),
  }),
  inbound: (text, url, at) => {
    const fields = {
      ...{ msisdn: '4915112345678', to: '12025550199', messageId: 'm-1', text, type: 'text' },
      ...{ keyword: 'STOP', 'message-timestamp': '2026-11-22 12:00:00', nonce: 'n' },
      timestamp: String(Math.floor(at / 1_000)),
    };
    return {
      method: 'GET',
      url: `${url}?${new URLSearchParams({ ...fields, sig: sign(fields) })}`,
      headers: {},
      body: Buffer.alloc(0),
    };
  },
  unsign: (callback) => ({ ...callback, url: callback.url.replace(/&sig=\w+/, '') }),
});

receiptContract({
  ...sms,
  name: 'vonage, SMS as JSON',
  report: (event, url, at) => ({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(receiptOf(event, at))),
  }),
  unsign: (callback) => ({
    ...callback,
    body: Buffer.from(callback.body.toString().replace(/,"sig":"\w+"/, '')),
  }),
});

receiptContract({
  ...sms,
  name: 'vonage, SMS as a form',
  report: (event, url, at) => ({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(new URLSearchParams(receiptOf(event, at)).toString()),
  }),
  unsign: (callback) => ({
    ...callback,
    body: Buffer.from(callback.body.toString().replace(/&sig=\w+/, '')),
  }),
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

function eventOf(
  event: Event,
  url: string,
  at: number,
  { alg = 'HS256', coversBody = true }: { readonly alg?: string; readonly coversBody?: boolean } = {},
): Callback {
  const status = { delivered: 'completed', undelivered: 'busy', pending: 'ringing', nonsense: undefined };
  const body = JSON.stringify({
    uuid: 'r-1',
    conversation_uuid: 'CON-1',
    direction: 'outbound',
    status: status[event],
    ...(event === 'delivered' && {
      rate: '0.00450000',
      price: '0.00015000',
      network: 'GB-FIXED',
      duration: '2',
    }),
  });
  const claims = { iat: Math.floor(at / 1_000), jti: 'j', iss: 'Vonage', application_id: APPLICATION };
  const covered = coversBody && { payload_hash: createHash('sha256').update(body).digest('hex') };
  const signed = `${encode({ alg, typ: 'JWT' })}.${encode({ ...claims, ...covered })}`;
  const signature = createHmac('sha256', SIGNATURE_SECRET).update(signed).digest('base64url');
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${signed}.${signature}` },
    body: Buffer.from(body),
  };
}

receiptContract({
  name: 'vonage, calls',
  create: (ports) => createVoice('https://api.nexmo.com', ports),
  undeliveredReason: 'busy',
  stated: { price: { amount: 150, currency: 'EUR' } },
  coversUrl: false,
  toleranceMs: 300_000,
  report: (event, url, at) => eventOf(event, url, at),
  unsign: ({ headers: { authorization: _, ...headers }, ...callback }) => ({ ...callback, headers }),
});

suite('vonage signatures', () => {
  const carrier = createVoice('https://api.nexmo.com', {
    ...UNHEARD,
    callbackUrl: CALLBACK_URL,
  });

  test('a token that names another algorithm is forged, whatever it is signed with', async () => {
    for (const alg of ['none', 'RS256', 'HS512']) {
      const answered = await carrier.readCallback?.(eventOf('delivered', CALLBACK_URL, Date.now(), { alg }));
      assert.deepEqual(answered, { kind: 'forged' }, alg);
    }
  });

  test('a token that does not cover the body is forged: Vonage signs such ones for other requests', async () => {
    const event = eventOf('delivered', CALLBACK_URL, Date.now(), { coversBody: false });
    assert.deepEqual(await carrier.readCallback?.(event), { kind: 'forged' });
  });

  test('a token that was signed with another secret is forged', async () => {
    const { headers, ...callback } = eventOf('delivered', CALLBACK_URL, Date.now());
    const [, signed = '', signature = ''] = /^Bearer (.*)\.(.*)$/.exec(String(headers.authorization)) ?? [];
    assert.ok(signature);
    const other = createHmac('sha256', 'another secret').update(signed).digest('base64url');
    for (const forged of [other, signature.slice(0, -1), 'x']) {
      const authorization = `Bearer ${signed}.${forged}`;
      const answered = await carrier.readCallback?.({ ...callback, headers: { ...headers, authorization } });
      assert.deepEqual(answered, { kind: 'forged' });
    }
  });

  test('without a signature secret no receipt is requested, and none is read', async () => {
    const options = optionsOf({ sms: { from: 'Acme', url: 'https://rest.nexmo.com' }, signature: undefined });
    const ports = {
      ...UNHEARD,
      callbackUrl: CALLBACK_URL,
    };
    assert.equal(createVonageCarrier('gateway', options, ports).readCallback, undefined);
  });

  // Published with Vonage's own libraries.
  const KNOWN = {
    'message-timestamp': '2013-11-21 15:27:30',
    messageId: '020000001B0FE827',
    msisdn: '14843472194',
    text: 'Test again',
    timestamp: '1385047698',
    to: '13239877404',
    type: 'text',
  };
  const SIGNATURES = {
    sha256: 'DDB8397C2B90AAC7F3882D306475C9A5058C92322EEF43C92B298B6E0FC0D330',
    sha512:
      'E0D3C650F8C9D1A5C174D10DDDBFB003E561F59B265616208B0487C5D819481CD3C311D59CF6165ECD1139622D5BA3A256C0D763AC4A9AD9144B5A426B94FE82',
  } as const;
  for (const method of ['sha256', 'sha512'] as const) {
    test(`known answer: ${method}`, () => {
      const options = { secret: 'my_secret_key_for_testing', method };
      const fields = (more: object) =>
        new Map(Object.entries({ ...KNOWN, sig: SIGNATURES[method], ...more }));
      assert.equal(isSignedForm(fields({}), options, 1_385_047_698_000), true);
      assert.equal(isSignedForm(fields({ text: 'Test' }), options, 1_385_047_698_000), false);
      assert.equal(isSignedForm(fields({}), options, 1_385_047_698_000 + 301_000), false);
    });
  }
});
