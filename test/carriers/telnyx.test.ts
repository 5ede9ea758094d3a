import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { suite, test } from 'node:test';
import { createTelnyxCarrier } from '../../src/carriers/telnyx/carrier.ts';
import { TELNYX_ERRORS } from '../../src/carriers/telnyx/errors.ts';
import { telnyxOptions } from '../../src/carriers/telnyx/options.ts';
import { createCallMaker } from '../../src/carriers/telnyx/request.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import type { Callback, CarrierPorts } from '../../src/core/sending/carrier.ts';
import { CALLBACK_URL, carrierContract, message } from './contract.ts';
import { assertErrorTable } from './error-table.ts';
import { answer, startGateway } from './gateway.ts';
import { decodeOptions } from './options.ts';
import { UNHEARD } from './ports.ts';
import { type Event, receiptContract } from './receipt-contract.ts';

const API_KEY = 'KEY-telnyx-api-key';
const ACCOUNT = '01234567-89ab-cdef-0123-456789abcdef';
const PROFILE = '76543210-89ab-cdef-0123-456789abcdef';
const VOICE = { from: '+12025550199', accountId: ACCOUNT, applicationId: '1494404757140276705' };
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const PUBLIC_KEY = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');

const create = (url: string, ports: CarrierPorts, written: object = {}) => {
  const options = decodeOptions(telnyxOptions, {
    type: 'telnyx',
    apiKey: API_KEY,
    publicKey: PUBLIC_KEY,
    sms: { from: 'Acme', messagingProfileId: PROFILE },
    voice: VOICE,
    url,
    ...written,
  });
  return createTelnyxCarrier('gateway', options, ports);
};

const refuse = (status: number, code: string) =>
  answer(status, { errors: [{ code, title: 'refused', detail: `${API_KEY} 482913` }] });

const says = {
  permanent: [refuse(400, '10002'), refuse(422, '40012'), answer(400)],
  temporary: [refuse(500, '10007'), refuse(403, '10010'), refuse(422, '10016'), answer(503), answer(408)],
  unauthorised: refuse(401, '10009'),
  throttled: (retryAfter: string) =>
    answer(429, { errors: [{ code: '10011' }] }, { 'retry-after': retryAfter }),
  acceptedStatus: 200,
};

carrierContract({
  name: 'telnyx, SMS',
  create,
  asksForReceipts: true,
  secrets: [API_KEY],
  says: { ...says, accepted: (reference, status = 200) => answer(status, { data: { id: reference } }) },
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    assert.equal(request.method, 'POST');
    assert.equal(request.url, '/v2/messages');
    assert.equal(request.headers.authorization, `Bearer ${API_KEY}`);
    assert.equal(request.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(request.body), {
      from: 'Acme',
      to: destination.address,
      text,
      type: 'SMS',
      messaging_profile_id: PROFILE,
      use_profile_webhooks: false,
      webhook_url: CALLBACK_URL,
    });
  },
});

const urlOf = (id: string, url = CALLBACK_URL) => {
  const token = createHmac('sha256', API_KEY).update(`receipt of ${id} at ${url}`).digest('base64url');
  return `${url}?id=${id}&token=${token}`;
};

suite('telnyx, voice', () => {
  const call = { ...message, channel: 'voice' as const };

  test('the request holds the call and what it says', () => {
    const request = createCallMaker(
      SYSTEM_RANDOM,
      API_KEY,
      VOICE,
      undefined,
    )(call, { voice: 'alice', language: 'sv-SE' });
    assert.ok(!('kind' in request));
    assert.equal(request.path, `/v2/texml/Accounts/${ACCOUNT}/Calls`);
    assert.equal(request.headers.authorization, `Bearer ${API_KEY}`);
    const { Texml, ...more } = JSON.parse(request.body ?? '');
    assert.deepEqual(more, {
      ApplicationSid: VOICE.applicationId,
      To: '+12025550123',
      From: VOICE.from,
    });
    assert.match(
      Texml,
      /^<Response><Pause length="1"\/><Say voice="alice" language="sv-SE">482913 är din kod &amp; [^<>]*<\/Say><Pause length="1"\/><\/Response>$/,
    );
  });

  test('what it cannot dial is left to another carrier', () => {
    const make = createCallMaker(SYSTEM_RANDOM, API_KEY, VOICE, undefined);
    const sip = { address: 'sip:alice@example.com', kind: 'sip', country: 'ZZ' } as const;
    assert.deepEqual(make({ ...call, destination: sip }, { voice: 'alice', language: 'sv-SE' }), {
      kind: 'permanent',
      reason: 'cannot dial a sip address',
    });
  });
});

suite('telnyx, how calls end', () => {
  async function placed(written: object, callbackUrl: string | undefined) {
    const gateway = await startGateway();
    const carrier = create(gateway.url, { ...UNHEARD, callbackUrl }, written);
    try {
      gateway.play(answer(200, { from: VOICE.from, to: '+12025550123', status: 'queued' }));
      const call = { ...message, channel: 'voice' as const, locale: 'de' };
      const outcome = await carrier.submit(call, { signal: AbortSignal.timeout(5_000) });
      return { carrier, outcome, sent: JSON.parse(gateway.requests[0]?.body ?? '') };
    } finally {
      await carrier.stop();
      await gateway.close();
    }
  }

  test('each call has an address of its own, under whose id its outcome comes', async () => {
    for (const written of [{}, { publicKey: undefined, sms: undefined }]) {
      const [one, other] = [await placed(written, CALLBACK_URL), await placed(written, CALLBACK_URL)];
      const { carrier, outcome, sent } = one;
      assert.ok(outcome.kind === 'accepted' && outcome.receiptFollows && outcome.reference !== undefined);
      assert.equal(sent.StatusCallback, urlOf(outcome.reference));
      assert.deepEqual([sent.StatusCallbackMethod, sent.StatusCallbackEvent], ['POST', 'completed']);
      assert.notEqual(other.sent.StatusCallback, sent.StatusCallback);
      const body = Buffer.from('CallSid=v3%3Aa&CallStatus=busy&To=%2B12025550123');
      const callback = { method: 'POST', url: sent.StatusCallback, headers: {}, body };
      const receipt = { carrier: 'gateway', references: [outcome.reference], status: 'undelivered' };
      assert.deepEqual(await carrier.readCallback?.(callback), {
        kind: 'receipts',
        receipts: [{ ...receipt, reason: 'busy' }],
      });
    }
  });

  test('if nothing can reach the service, no outcome is asked for', async () => {
    const { carrier, outcome, sent } = await placed({}, undefined);
    assert.deepEqual(outcome, { kind: 'accepted' });
    assert.equal('StatusCallback' in sent, false);
    assert.equal(carrier.readCallback, undefined);
  });

  test('without a public key, only calls are believed', async () => {
    const ports = {
      ...UNHEARD,
      callbackUrl: CALLBACK_URL,
    };
    const { readCallback } = create('https://api.telnyx.com', ports, { publicKey: undefined });
    const to = [{ phone_number: '+12025550123', status: 'delivered' }];
    const event = { event_type: 'message.finalized', payload: { id: 'r-1', to } };
    assert.deepEqual(await readCallback?.(eventOf(event, CALLBACK_URL, Date.now())), { kind: 'forged' });
  });
});

carrierContract({
  name: 'telnyx, SMS without a public key',
  create: (url, ports) => create(url, ports, { publicKey: undefined }),
  secrets: [API_KEY],
  says: { ...says, accepted: (reference, status = 200) => answer(status, { data: { id: reference } }) },
  unreadable: 'accepted',
  verify: (request) => assert.equal('webhook_url' in JSON.parse(request.body), false),
});

test('every documented error of Telnyx', () =>
  assertErrorTable(TELNYX_ERRORS, {
    create,
    refuse: (code) => refuse(400, code),
    throttled: '10011 40011 40018 40318',
    temporary: '10007 10008 40002 40004 40005 40006 40014',
    permanent: '10001 10002 40001 40008 40009 40012 40300 40302 40310 40316 40328',
    unclear: '10015 40015 40017 40322',
    configuration:
      '10003 10004 10005 10006 10009 10010 10013 10017 20002 20006 20012 20013 20014 20015 20016 20017 20100 40003 40100 ' +
      '40150 40151 40155 40304 40305 40307 40308 40311 40312 40313 40314 40315 40317 40320 40321 40323 40325 40329 40330 ' +
      '40331 40333',
    coverage: '10016 40010 40013 40016 40019 40020 40301 40306 40309 40319',
  }));

function eventOf(event: object, url: string, at: number): Callback {
  const body = JSON.stringify({ data: { record_type: 'event', ...event } });
  const timestamp = String(Math.floor(at / 1_000));
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), privateKey).toString('base64');
  return {
    method: 'POST',
    url,
    headers: { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature },
    body: Buffer.from(body),
  };
}

receiptContract({
  name: 'telnyx',
  create: (ports) => create('https://api.telnyx.com', ports),
  undeliveredReason: '40001',
  stated: { price: { amount: 5_100, currency: 'USD' } },
  coversUrl: false,
  toleranceMs: 300_000,
  report(event: Event, url, at) {
    const to = (status: string) => [{ phone_number: '+12025550123', status }];
    const payload = { record_type: 'message', id: 'r-1', direction: 'outbound', errors: [] };
    const events = {
      delivered: {
        event_type: 'message.finalized',
        payload: { ...payload, to: to('delivered'), parts: 1, cost: { amount: '0.0051', currency: 'USD' } },
      },
      undelivered: {
        event_type: 'message.finalized',
        payload: {
          ...payload,
          to: to('delivery_failed'),
          errors: [{ code: '40001', title: 'Not routable' }],
        },
      },
      pending: { event_type: 'message.sent', payload: { ...payload, to: to('sent') } },
      nonsense: { event_type: 'message.finalized' },
    };
    return eventOf(events[event], url, at);
  },
  inbound(text, url, at) {
    const payload = {
      ...{ record_type: 'message', id: 'm-1', direction: 'inbound', type: 'SMS', text },
      from: { phone_number: '+4915112345678', carrier: '', line_type: 'Wireless' },
      to: [{ phone_number: '+12025550199', status: 'delivered' }],
    };
    return eventOf({ event_type: 'message.received', payload }, url, at);
  },
  unsign: ({ headers: { 'telnyx-signature-ed25519': _, ...headers }, ...callback }) => ({
    ...callback,
    headers,
  }),
});

receiptContract({
  name: 'telnyx, calls',
  create: (ports) => create('https://api.telnyx.com', ports),
  undeliveredReason: 'no-answer',
  coversUrl: true,
  covers: 'message',
  report(event: Event, url) {
    const statuses = { delivered: 'completed', undelivered: 'no-answer', pending: 'in-progress' };
    const call = new URLSearchParams({ AccountSid: ACCOUNT, CallSid: 'v3:a', To: '+12025550123' });
    if (event !== 'nonsense') call.set('CallStatus', statuses[event]);
    return {
      method: 'POST',
      url: urlOf('r-1', url),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(call.toString()),
    };
  },
  unsign: (callback) => ({ ...callback, url: callback.url.replace(/&token=.*/, '') }),
});
