import assert from 'node:assert/strict';
import { createHash, createHmac, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { suite, test } from 'node:test';
import { createVonageCarrier } from '../../src/carriers/vonage/carrier.ts';
import { SMS_ERRORS, VOICE_ERRORS } from '../../src/carriers/vonage/errors.ts';
import { vonageOptions } from '../../src/carriers/vonage/options.ts';
import { createCallMaker, createMessageMaker } from '../../src/carriers/vonage/request.ts';
import { isSignedForm } from '../../src/carriers/vonage/signature.ts';
import type { Callback, CarrierPorts } from '../../src/core/sending/carrier.ts';
import { CALLBACK_URL, carrierContract, message } from './contract.ts';
import { assertErrorTable } from './error-table.ts';
import { answer, type GatewayRequest } from './gateway.ts';
import { decodeOptions } from './options.ts';
import { type Event, receiptContract } from './receipt-contract.ts';

const SECRET = 'vonage-api-secret';
const SIGNATURE_SECRET = 'vonage-signature-secret';
const APPLICATION = '01234567-89ab-cdef-0123-456789abcdef';
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const VOICE = { from: '+12025550199', applicationId: APPLICATION, privateKey, url: 'https://api.nexmo.com' };

const optionsOf = (written: Record<string, unknown>) =>
  decodeOptions(vonageOptions, {
    type: 'vonage',
    apiKey: 'abcd1234',
    apiSecret: SECRET,
    signature: { secret: SIGNATURE_SECRET },
    connections: 4,
    ...written,
  });
const createSms = (url: string, ports: CarrierPorts) =>
  createVonageCarrier('gateway', optionsOf({ sms: { from: '+12025550199', url } }), ports);
const createVoice = (url: string, ports: CarrierPorts) =>
  createVonageCarrier('gateway', optionsOf({ voice: { ...VOICE, url } }), ports);

const smsAnswer = (status: string, more: object = {}, httpStatus = 200) =>
  answer(httpStatus, { 'message-count': '1', messages: [{ status, ...more }] });

carrierContract({
  name: 'vonage, SMS',
  create: createSms,
  asksForReceipts: true,
  secrets: [SECRET, SIGNATURE_SECRET],
  says: {
    accepted: (reference, status = 200) =>
      smsAnswer('0', { 'message-id': reference, to: '12025550123' }, status),
    permanent: [smsAnswer('6', { 'error-text': '482913 +12025550123' }), smsAnswer('7'), answer(400)],
    temporary: [smsAnswer('5'), smsAnswer('9'), smsAnswer('99'), answer(500), answer(200, { messages: [] })],
    unauthorised: smsAnswer('4', { 'error-text': `Bad Credentials ${SECRET}` }),
    throttled: (retryAfter) => answer(429, '', { 'retry-after': retryAfter }),
    acceptedStatus: 200,
  },
  unreadable: 'temporary',
  verify(request, { destination, text }) {
    assert.equal(request.method, 'POST');
    assert.equal(request.url, '/sms/json');
    assert.equal(request.headers['content-type'], 'application/x-www-form-urlencoded');
    assert.deepEqual(Object.fromEntries(new URLSearchParams(request.body)), {
      api_key: 'abcd1234',
      api_secret: SECRET,
      from: '12025550199',
      to: destination.address.slice(1),
      text,
      type: 'unicode',
      ttl: '604800000',
      callback: CALLBACK_URL,
    });
  },
});

function claimsOf(request: GatewayRequest): Record<string, unknown> {
  const [, token = ''] = /^Bearer (.*)$/.exec(request.headers.authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  assert.deepEqual(JSON.parse(Buffer.from(head, 'base64url').toString()), { alg: 'RS256', typ: 'JWT' });
  const signed = Buffer.from(`${head}.${claims}`);
  assert.ok(verify('sha256', signed, createPublicKey(publicKey), Buffer.from(signature, 'base64url')));
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

carrierContract({
  name: 'vonage, voice',
  create: createVoice,
  message: { ...message, channel: 'voice' },
  asksForReceipts: true,
  secrets: [privateKey.slice(40, 80), SIGNATURE_SECRET],
  says: {
    accepted: (reference, status = 201) => answer(status, { uuid: reference, status: 'started' }),
    permanent: [answer(400), answer(400, { type: 'https://developer.vonage.com/api-errors#invalid-params' })],
    temporary: [answer(500), answer(403, { type: 'https://developer.vonage.com/api-errors#low-balance' })],
    unauthorised: answer(401, { type: 'UNAUTHORIZED', error_title: 'Unauthorized' }),
    throttled: (retryAfter) => answer(429, '', { 'retry-after': retryAfter }),
    acceptedStatus: 201,
  },
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    assert.equal(request.method, 'POST');
    assert.equal(request.url, '/v1/calls');
    assert.equal(request.headers['content-type'], 'application/json');
    const { application_id, iat, exp, jti, ...more } = claimsOf(request);
    assert.deepEqual([application_id, more], [APPLICATION, {}]);
    assert.equal(typeof jti, 'string');
    assert.equal(Number(exp) - Number(iat), 300);
    assert.deepEqual(JSON.parse(request.body), {
      to: [{ type: 'phone', number: destination.address.slice(1) }],
      from: { type: 'phone', number: '12025550199' },
      ncco: [
        { action: 'wait', timeout: 1 },
        { action: 'talk', text, language: 'sv-SE' },
        { action: 'wait', timeout: 1 },
      ],
      event_url: [CALLBACK_URL],
      event_method: 'POST',
    });
  },
});

suite('vonage requests', () => {
  const account = { apiKey: 'abcd1234', apiSecret: SECRET };

  test('a text of the GSM alphabet is plain text, and valid until its code expires', () => {
    const sent = { ...message, text: '482913 is your code', expiresAt: Date.now() + 60_500 };
    const request = createMessageMaker(account, 'Acme', undefined)(sent);
    const body = new URLSearchParams('body' in request ? request.body : '');
    assert.deepEqual([body.get('type'), body.get('from'), body.has('callback')], ['text', 'Acme', false]);
    assert.ok(Number(body.get('ttl')) > 50_000 && Number(body.get('ttl')) <= 60_500);
  });

  const callTo = (address: string, kind: 'extension' | 'sip') => {
    const destination = { address, kind, country: 'US' };
    const request = createCallMaker(VOICE, undefined)({ ...message, destination }, 'sv-SE');
    return 'kind' in request ? request : JSON.parse(request.body ?? '').to;
  };

  test('extensions are typed after the answer, SIP addresses called as they are', () => {
    const extension = [{ type: 'phone', number: '12025550123', dtmfAnswer: 'pp12' }];
    assert.deepEqual(callTo('tel:+12025550123;ext=12', 'extension'), extension);
    assert.deepEqual(callTo('sip:alice@example.com', 'sip'), [{ type: 'sip', uri: 'sip:alice@example.com' }]);
    assert.equal(callTo(`sip:${'a'.repeat(50)}@example.com`, 'sip').kind, 'permanent');
  });

  test('an invalid key is refused by name, without its text', () => {
    for (const key of ['-----BEGIN PRIVATE KEY-----\nhush', publicKey]) {
      assert.throws(
        () => createCallMaker({ ...VOICE, privateKey: key }, undefined),
        /^Error: voice\.privateKey: [^-]*$/,
      );
    }
  });
});

test('every documented status of the SMS API', () =>
  assertErrorTable(SMS_ERRORS, {
    create: createSms,
    refuse: (code) => smsAnswer(code, { 'error-text': `not shown ${message.code}` }),
    throttled: '1 10',
    temporary: '5',
    permanent: '7 12 33',
    unclear: '3 6 22',
    configuration: '2 4 8 9 11 14 23 32',
    coverage: '15 29',
  }));

test('every documented problem of the Voice API', () =>
  assertErrorTable(VOICE_ERRORS, {
    create: createVoice,
    message: { ...message, channel: 'voice' },
    refuse: (code) =>
      answer(403, { type: `https://developer.vonage.com/api-errors#${code}`, detail: message.code }),
    throttled: '',
    temporary: '',
    permanent: '',
    unclear: 'invalid-params',
    configuration:
      'low-balance unauthorized forbidden not-found unprovisioned account-suspended jwt-expired jwt-revoked ' +
      'invalid-api-key invalid-signature',
  }));

/** Written from Vonage's documentation, not from our code. */
function sign(fields: Record<string, string>): string {
  let signed = '';
  for (const name of Object.keys(fields).sort()) signed += `&${name}=${fields[name]?.replace(/&|=/g, '_')}`;
  return createHmac('sha256', SIGNATURE_SECRET).update(signed).digest('hex').toUpperCase();
}

function receiptOf(event: Event, at: number): Record<string, string> {
  const outcome = {
    delivered: { status: 'delivered', 'err-code': '0' },
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
  coversUrl: false,
  toleranceMs: 300_000,
  report: (event, url, at) => eventOf(event, url, at),
  unsign: ({ headers: { authorization: _, ...headers }, ...callback }) => ({ ...callback, headers }),
});

suite('vonage signatures', () => {
  const carrier = createVoice('https://api.nexmo.com', {
    receive: async () => {},
    log: () => {},
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
    const ports = { receive: async () => {}, log: () => {}, callbackUrl: CALLBACK_URL };
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
