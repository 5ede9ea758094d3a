import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { createSinchCarrier } from '../../src/carriers/sinch/carrier.ts';
import { SMS_ERRORS, VOICE_ERRORS } from '../../src/carriers/sinch/errors.ts';
import { sinchOptions } from '../../src/carriers/sinch/options.ts';
import { isSignedBySinch } from '../../src/carriers/sinch/receipt.ts';
import { createCallMaker, createMessageMaker } from '../../src/carriers/sinch/request.ts';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import type { Callback, CarrierPorts } from '../../src/core/sending/carrier.ts';
import { CALLBACK_URL, carrierContract, message } from './contract.ts';
import { assertErrorTable } from './error-table.ts';
import { answer } from './gateway.ts';
import { decodeOptions } from './options.ts';
import { receiptContract } from './receipt-contract.ts';

const TOKEN = 'sinch-api-token';
const SECRET = 'sinch-webhook-secret';
const VOICE = {
  from: '+12025550199',
  applicationKey: '01234567-89ab-cdef-0123-456789abcdef',
  applicationSecret: 'sinch-application-secret',
  url: 'https://calling.api.sinch.com',
};

const optionsOf = (written: Record<string, unknown>) =>
  decodeOptions(sinchOptions, { type: 'sinch', ...written });
const createSms = (url: string, ports: CarrierPorts) =>
  createSinchCarrier(
    'gateway',
    optionsOf({
      sms: { from: 'Acme', servicePlanId: 'plan-1', apiToken: TOKEN, webhookSecret: SECRET, url },
    }),
    ports,
  );
const createVoice = (url: string, ports: CarrierPorts) =>
  createSinchCarrier('gateway', optionsOf({ voice: { ...VOICE, url } }), ports);

const says = {
  permanent: [
    answer(400, { code: 'syntax_invalid_parameter_format', text: '+12025550123 482913' }),
    answer(400),
  ],
  temporary: [answer(500), answer(503), answer(403, { code: 'unknown_group' }), answer(403)],
  unauthorised: answer(401, { text: TOKEN }),
  throttled: (retryAfter: string) => answer(429, '', { 'retry-after': retryAfter }),
  acceptedStatus: 201,
};

carrierContract({
  name: 'sinch, SMS',
  create: createSms,
  asksForReceipts: true,
  secrets: [TOKEN, SECRET],
  says: {
    ...says,
    accepted: (reference, status = 201) => answer(status, { id: reference, canceled: false }),
  },
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    assert.equal(request.method, 'POST');
    assert.equal(request.url, '/xms/v1/plan-1/batches');
    assert.equal(request.headers.authorization, `Bearer ${TOKEN}`);
    assert.equal(request.headers['content-type'], 'application/json');
    const { expire_at, ...body } = JSON.parse(request.body);
    assert.deepEqual(body, {
      from: 'Acme',
      to: [destination.address],
      body: text,
      delivery_report: 'per_recipient_final',
      callback_url: CALLBACK_URL,
    });
    const left = Date.parse(expire_at) - Date.now();
    assert.ok(left > 2 * 86_400_000 && left <= 3 * 86_400_000, `${left} ms`);
  },
});

carrierContract({
  name: 'sinch, voice',
  create: createVoice,
  message: { ...message, channel: 'voice' },
  secrets: [VOICE.applicationSecret],
  says: {
    ...says,
    permanent: [answer(400, { errorCode: 40001, message: '482913' }), answer(400)],
    temporary: [answer(500), answer(400, { errorCode: 40004 }), answer(403)],
    accepted: (reference, status = 200) => answer(status, { callId: reference }),
    acceptedStatus: 200,
  },
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    assert.equal(request.method, 'POST');
    assert.equal(request.url, '/calling/v1/callouts');
    const credentials = Buffer.from(`${VOICE.applicationKey}:${VOICE.applicationSecret}`).toString('base64');
    assert.equal(request.headers.authorization, `Basic ${credentials}`);
    assert.deepEqual(JSON.parse(request.body), {
      method: 'ttsCallout',
      ttsCallout: {
        cli: VOICE.from,
        destination: { type: 'number', endpoint: destination.address },
        domain: 'pstn',
        locale: 'sv-SE',
        text,
      },
    });
  },
});

test('an SMS of Sinch is not valid after its code has expired', () => {
  const account = { from: 'Acme', servicePlanId: 'plan-1', apiToken: TOKEN, url: VOICE.url };
  const expiresAt = Date.now() + 60_500;
  const request = createMessageMaker(SYSTEM_CLOCK, account, undefined)({ ...message, expiresAt });
  const { expire_at } = JSON.parse('kind' in request ? '{}' : (request.body ?? ''));
  assert.equal(Date.parse(expire_at), expiresAt);
});

suite('sinch calls', () => {
  const make = createCallMaker(VOICE);

  test('extensions are typed after the answer', () => {
    const destination = { address: 'tel:+12025550123;ext=12', kind: 'extension', country: 'US' } as const;
    const request = make({ ...message, destination }, 'sv-SE');
    const { ttsCallout } = JSON.parse('kind' in request ? '{}' : (request.body ?? ''));
    assert.deepEqual(ttsCallout.destination, { type: 'number', endpoint: '+12025550123' });
    assert.equal(ttsCallout.dtmf, 'ww12');
  });

  test('what it cannot dial or hold is left to another carrier', () => {
    const sip = { address: 'sip:alice@example.com', kind: 'sip', country: 'ZZ' } as const;
    for (const unsendable of [{ destination: sip }, { text: 'x'.repeat(601) }]) {
      const request = make({ ...message, ...unsendable }, 'sv-SE');
      assert.ok('kind' in request && request.kind === 'permanent');
    }
  });
});

test('every documented error of the SMS API', () =>
  assertErrorTable(SMS_ERRORS, {
    create: createSms,
    refuse: (code) => answer(400, { code, text: message.code }),
    throttled: '',
    temporary: '',
    permanent: '',
    unclear: 'syntax_invalid_json syntax_invalid_parameter_format syntax_constraint_violation',
    configuration: 'unknown_group unknown_campaign missing_callback_url',
  }));

test('every documented error of the Voice API', () =>
  assertErrorTable(VOICE_ERRORS, {
    create: createVoice,
    message: { ...message, channel: 'voice' },
    refuse: (code) => answer(400, { errorCode: Number(code), message: message.code }),
    throttled: '',
    temporary: '',
    permanent: '40005',
    unclear: '40001',
    configuration: '40002 40004',
  }));

function callbackOf(fields: object, url: string, at: number): Callback {
  const body = JSON.stringify(fields);
  const timestamp = String(Math.floor(at / 1_000));
  const signature = createHmac('sha256', SECRET).update(`${body}.nonce.${timestamp}`).digest('base64');
  return {
    method: 'POST',
    url,
    headers: {
      'x-sinch-webhook-signature': signature,
      'x-sinch-webhook-signature-algorithm': 'HmacSHA256',
      'x-sinch-webhook-signature-nonce': 'nonce',
      'x-sinch-webhook-signature-timestamp': timestamp,
    },
    body: Buffer.from(body),
  };
}

receiptContract({
  name: 'sinch',
  create: (ports) => createSms('https://us.sms.api.sinch.com', ports),
  undeliveredReason: 'Failed, code 405',
  stated: { network: '24001' },
  coversUrl: false,
  toleranceMs: 300_000,
  report(event, url, at) {
    const fields = {
      delivered: { status: 'Delivered', code: 0, operator: '24001' },
      undelivered: { status: 'Failed', code: 405 },
      pending: { status: 'Dispatched', code: 401 },
      nonsense: {},
    };
    const report = { type: 'recipient_delivery_report_sms', batch_id: 'r-1', recipient: '12025550123' };
    return callbackOf({ ...report, ...fields[event] }, url, at);
  },
  inbound: (text, url, at) =>
    callbackOf(
      {
        ...{ type: 'mo_text', id: 'm-1', from: '4915112345678', to: '12025550199', body: text },
        received_at: '2026-11-22T12:00:00.000Z',
      },
      url,
      at,
    ),
  unsign: ({ headers: { 'x-sinch-webhook-signature': _, ...headers }, ...callback }) => ({
    ...callback,
    headers,
  }),
});

test('known answer, published with Sinch’s own libraries', () => {
  const body =
    '{"app_id":"","accepted_time":"2021-10-18T17:49:13.813615Z","project_id":"e2df3a34-a71b-4448-9db5-a8d2baad28e4",' +
    '"contact_create_notification":{"contact":{"id":"01FJA8B466Y0R2GNXD78MD9SM1","channel_identities":[{"channel":"SMS",' +
    '"identity":"48123456789","app_id":""}],"display_name":"New Test Contact","email":"new.contact@email.com",' +
    '"external_id":"","metadata":"","language":"EN_US"}},"message_metadata":""}';
  const callback: Callback = {
    method: 'POST',
    url: CALLBACK_URL,
    headers: {
      'x-sinch-webhook-signature': '6bpJoRmFoXVjfJIVglMoJzYXxnoxRujzR4k2GOXewOE=',
      'x-sinch-webhook-signature-nonce': '01FJA8B4A7BM43YGWSG9GBV067',
      'x-sinch-webhook-signature-timestamp': '1634579353',
    },
    body: Buffer.from(body),
  };
  const at = 1_634_579_353_000;
  assert.equal(isSignedBySinch(callback, 'foo_secret1234', at), true);
  assert.equal(isSignedBySinch(callback, 'foo_secret1234', at + 301_000), false);
  assert.equal(isSignedBySinch({ ...callback, body: Buffer.from(`${body} `) }, 'foo_secret1234', at), false);
  const headers = { ...callback.headers, 'x-sinch-webhook-signature-algorithm': 'HmacSHA1' };
  assert.equal(isSignedBySinch({ ...callback, headers }, 'foo_secret1234', at), false);
});
