/** RCS over the carriers that hand it on: what each is told, and what it tells. */
import assert from 'node:assert/strict';
import { createHash, createHmac, generateKeyPairSync, sign, verify } from 'node:crypto';
import { suite, test } from 'node:test';
import { createInfobipCarrier } from '../../../src/carriers/infobip/carrier.ts';
import { infobipOptions } from '../../../src/carriers/infobip/options.ts';
import { createTelnyxCarrier } from '../../../src/carriers/telnyx/carrier.ts';
import { telnyxOptions } from '../../../src/carriers/telnyx/options.ts';
import { telnyx } from '../../../src/carriers/telnyx/type.ts';
import { createTwilioCarrier } from '../../../src/carriers/twilio/carrier.ts';
import { twilioOptions } from '../../../src/carriers/twilio/options.ts';
import { createVonageCarrier } from '../../../src/carriers/vonage/carrier.ts';
import { vonage } from '../../../src/carriers/vonage/type.ts';
import type { Callback, CallbackAnswer, Carrier, CarrierPorts } from '../../../src/core/sending/carrier.ts';
import { CALLBACK_URL, carrierContract, message as sms } from '../contract.ts';
import { answer, reset, startGateway } from '../gateway.ts';
import { decodeOptions } from '../options.ts';
import { UNHEARD } from '../ports.ts';
import { type Event, receiptContract } from '../receipt-contract.ts';
import {
  APPLICATION,
  privateKey as applicationKey,
  publicKey as applicationPublicKey,
  SIGNATURE_SECRET,
  optionsOf as vonageOptionsOf,
} from '../vonage/rig.ts';

const message = { ...sms, channel: 'rcs' } as const;
const AGENT = 'brand_xyz123_agent';
const NUMBER = '+4915112345678';

const ACCOUNT = `AC${'0123456789abcdef'.repeat(2)}`;
const SERVICE = `MG${'0'.repeat(32)}`;
const TOKEN = 'twilio-auth-token';
const createTwilio = (url: string, ports: CarrierPorts) =>
  createTwilioCarrier(
    'gateway',
    decodeOptions(twilioOptions, {
      ...{ type: 'twilio', accountSid: ACCOUNT, authToken: TOKEN, url },
      rcs: { from: AGENT, senders: { DE: SERVICE } },
    }),
    ports,
  );

carrierContract({
  name: 'twilio, RCS',
  create: createTwilio,
  message,
  asksForReceipts: true,
  secrets: [TOKEN],
  says: {
    accepted: (reference, status = 201) => answer(status, { sid: reference, status: 'queued' }),
    permanent: [answer(400, { code: 63106 }), answer(400)],
    temporary: [answer(500), answer(400, { code: 63008 })],
    unauthorised: answer(401, { code: 20003, message: TOKEN }),
    throttled: (retryAfter) => answer(429, { code: 20429 }, { 'retry-after': retryAfter }),
    acceptedStatus: 201,
  },
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    assert.equal(request.url, `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(request.body)), {
      To: `rcs:${destination.address}`,
      From: `rcs:${AGENT}`,
      Body: text,
      ValidityPeriod: '36000',
      StatusCallback: CALLBACK_URL,
    });
  },
});

const createVonage = (url: string, ports: CarrierPorts) =>
  createVonageCarrier(
    'gateway',
    vonageOptionsOf({
      rcs: { from: AGENT, applicationId: APPLICATION, privateKey: applicationKey, url, revokeUrl: url },
    }),
    ports,
  );

function assertVonageToken(authorization: string | undefined): void {
  const [, head = '', claims = '', signature = ''] =
    /^Bearer ([^.]+)\.([^.]+)\.([^.]+)$/.exec(authorization ?? '') ?? [];
  const signed = Buffer.from(`${head}.${claims}`);
  assert.ok(verify('sha256', signed, applicationPublicKey, Buffer.from(signature, 'base64url')));
}

carrierContract({
  name: 'vonage, RCS',
  create: createVonage,
  message,
  asksForReceipts: true,
  secrets: [applicationKey, SIGNATURE_SECRET],
  says: {
    accepted: (reference, status = 202) => answer(status, { message_uuid: reference }),
    permanent: [answer(422, { type: 'https://developer.vonage.com/api-errors/messages#1020' }), answer(400)],
    temporary: [answer(500), answer(402, { type: 'https://developer.vonage.com/api-errors#low-balance' })],
    unauthorised: answer(401, { type: 'https://developer.vonage.com/api-errors#unauthorized' }),
    throttled: (retryAfter) =>
      answer(
        429,
        { type: 'https://developer.vonage.com/api-errors/messages#1000' },
        { 'retry-after': retryAfter },
      ),
    acceptedStatus: 202,
  },
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    assert.equal(request.url, '/v1/messages');
    assertVonageToken(request.headers.authorization);
    assert.deepEqual(JSON.parse(request.body), {
      ...{ from: AGENT, to: destination.address.slice(1), channel: 'rcs', message_type: 'text', text },
      ...{ ttl: 259_200, rcs: { category: 'authentication' } },
      ...{ webhook_url: CALLBACK_URL, webhook_version: 'v1' },
    });
  },
});

const API_KEY = 'infobip-api-key';
const PASSWORD = 'a-password-of-the-subscription';
const createInfobip = (url: string, ports: CarrierPorts) =>
  createInfobipCarrier(
    'gateway',
    decodeOptions(infobipOptions, {
      ...{ type: 'infobip', apiKey: API_KEY, webhookPassword: PASSWORD, url, rcs: { from: 'Acme RCS' } },
    }),
    ports,
  );
const infobipSays = (groupName: string, name: string, more: object = {}, status = 200) =>
  answer(status, { messages: [{ destination: '12025550123', ...more, status: { groupName, name } }] });

carrierContract({
  name: 'infobip, RCS',
  create: createInfobip,
  message,
  asksForReceipts: true,
  secrets: [API_KEY, PASSWORD],
  says: {
    accepted: (reference, status = 200) =>
      infobipSays('PENDING', 'PENDING_ACCEPTED', { messageId: reference }, status),
    permanent: [infobipSays('REJECTED', 'REJECTED_DESTINATION'), answer(400)],
    temporary: [answer(500), infobipSays('REJECTED', 'REJECTED_SENDER')],
    unauthorised: answer(401),
    throttled: (retryAfter) => answer(429, '', { 'retry-after': retryAfter }),
    acceptedStatus: 200,
  },
  unreadable: 'temporary',
  verify(request, { destination, text }) {
    assert.equal(request.url, '/rcs/2/messages');
    assert.equal(request.headers.authorization, `App ${API_KEY}`);
    const [{ destinations, webhooks, ...sent }] = JSON.parse(request.body).messages;
    const [{ to, messageId }] = destinations;
    assert.equal(to, destination.address.slice(1));
    assert.deepEqual(sent, {
      sender: 'Acme RCS',
      content: { type: 'TEXT', text },
      options: { validityPeriod: { amount: 172_800, timeUnit: 'SECONDS' } },
    });
    assert.ok(webhooks.delivery.url.startsWith(`${CALLBACK_URL}?id=${messageId}&token=`));
  },
});

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const TELNYX_KEY = 'KEY0123-of-telnyx';
const PROFILE = '01234567-89ab-cdef-0123-456789abcdef';
const telnyxOptionsOf = (url: string) =>
  decodeOptions(telnyxOptions, {
    ...{ type: 'telnyx', apiKey: TELNYX_KEY, url, rcs: { from: 'Agent007', messagingProfileId: PROFILE } },
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
  });
const createTelnyx = (url: string, ports: CarrierPorts) =>
  createTelnyxCarrier('gateway', telnyxOptionsOf(url), ports);

carrierContract({
  name: 'telnyx, RCS',
  create: createTelnyx,
  message,
  asksForReceipts: true,
  secrets: [TELNYX_KEY],
  says: {
    accepted: (reference, status = 200) => answer(status, { data: { id: reference, type: 'RCS' } }),
    permanent: [answer(422, { errors: [{ code: '40310' }] }), answer(400)],
    temporary: [answer(500), answer(403, { errors: [{ code: '20100' }] })],
    unauthorised: answer(401, { errors: [{ code: '10009' }] }),
    throttled: (retryAfter) => answer(429, { errors: [{ code: '10011' }] }, { 'retry-after': retryAfter }),
    acceptedStatus: 200,
  },
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    assert.equal(request.url, '/v2/messages/rcs');
    assert.equal(request.headers.authorization, `Bearer ${TELNYX_KEY}`);
    assert.deepEqual(JSON.parse(request.body), {
      ...{ agent_id: 'Agent007', to: destination.address, messaging_profile_id: PROFILE, type: 'RCS' },
      agent_message: { content_message: { text }, ttl: '1296000s' },
      webhook_url: CALLBACK_URL,
    });
  },
});

type Create = (url: string, ports: CarrierPorts) => Carrier;

/** What a carrier sends for a message that the next channel is to replace. */
async function sentBy(create: Create, more: object) {
  const gateway = await startGateway();
  const carrier = create(gateway.url, UNHEARD);
  try {
    gateway.play(answer(200, {}));
    await carrier.submit({ ...message, ...more }, { signal: AbortSignal.timeout(20_000) });
    return gateway.requests[0]?.body ?? '';
  } finally {
    await carrier.stop();
    await gateway.close();
  }
}

suite('what is not delivered when the next channel has its turn', () => {
  const lives: readonly [name: string, create: Create, read: (body: string) => unknown][] = [
    ['twilio', createTwilio, (body) => new URLSearchParams(body).get('ValidityPeriod')],
    ['infobip', createInfobip, (body) => JSON.parse(body).messages[0].options.validityPeriod.amount],
    ['telnyx', createTelnyx, (body) => JSON.parse(body).agent_message.ttl],
  ];
  for (const [name, create, read] of lives) {
    test(`expires there (${name})`, async () => {
      const now = Date.now();
      const body = await sentBy(create, { expiresAt: now + 600_000, replacedAt: now + 60_000 });
      const life = Number.parseInt(String(read(body)), 10);
      assert.ok(life > 30 && life <= 60, String(life));
    });
  }

  test('is taken back (vonage)', async () => {
    const gateway = await startGateway();
    const carrier = createVonage(gateway.url, UNHEARD);
    const revoke = (reference: string | null, channel: 'rcs' | 'whatsapp' = 'rcs') =>
      carrier.revoke?.({ ...message, channel, reference }, AbortSignal.timeout(20_000));
    try {
      gateway.play(answer(200, {}), answer(422, {}), reset);
      assert.equal(await revoke('aaaaaaaa-bbbb'), 'unless-arriving');
      assert.equal(await revoke('aaaaaaaa-bbbb'), 'unknown');
      assert.equal(await revoke('aaaaaaaa-bbbb'), 'unknown');
      assert.equal(await revoke(null), 'unknown');
      assert.equal(revoke('aaaaaaaa-bbbb', 'whatsapp'), undefined);
      const [first] = gateway.requests;
      assert.deepEqual(
        [first?.method, first?.url, first?.body],
        ['PATCH', '/v1/messages/aaaaaaaa-bbbb', '{"status":"revoked"}'],
      );
      assertVonageToken(first?.headers.authorization);
    } finally {
      await carrier.stop();
      await gateway.close();
    }
  });
});

test('a messaging service of Twilio is told not to send an SMS instead, too', async () => {
  const destination = { address: NUMBER, kind: 'e164', country: 'DE' };
  const form = new URLSearchParams(await sentBy(createTwilio, { destination }));
  assert.deepEqual(
    [form.get('To'), form.get('MessagingServiceSid'), form.get('From')],
    [`rcs:${NUMBER}`, SERVICE, null],
  );
});

test('the key that signs requests for RCS is checked at the start', () => {
  const rcs = { from: AGENT, applicationId: APPLICATION, privateKey: '-----BEGIN nothing' };
  assert.equal(
    vonage.findFault?.(vonageOptionsOf({ rcs }), {}),
    'rcs.privateKey: not an RSA private key in PEM',
  );
});

test('without its public key Telnyx reports nothing of RCS', () => {
  const { publicKey: _, ...options } = telnyxOptionsOf('https://api.telnyx.com');
  const publicUrl = 'https://verify.example.com';
  assert.deepEqual(telnyx.lacksForReports?.(options, 'rcs', { publicUrl }), ['publicKey']);
});

/** A form that Twilio has signed. */
function twilioCallback(url: string, fields: Record<string, string>): Callback {
  const names = Object.keys(fields).sort();
  const data = names.reduce((text, name) => text + name + (fields[name] ?? ''), url);
  return {
    ...{ method: 'POST', url },
    headers: { 'x-twilio-signature': createHmac('sha1', TOKEN).update(data).digest('base64') },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  };
}

receiptContract({
  name: 'twilio, RCS',
  create: (ports) => createTwilio('https://api.twilio.com', ports),
  undeliveredReason: '63106',
  coversUrl: true,
  report(event, url) {
    const words = { delivered: 'read', undelivered: 'undelivered', pending: 'sent', nonsense: '' };
    const common = { To: `rcs:${NUMBER}`, From: `rcs:${AGENT}`, ChannelPrefix: 'rcs' };
    if (event === 'nonsense') return twilioCallback(url, common);
    const error = event === 'undelivered' ? { ErrorCode: '63106' } : {};
    return twilioCallback(url, { ...common, MessageSid: 'r-1', MessageStatus: words[event], ...error });
  },
  inbound: (text, url) =>
    twilioCallback(url, {
      ...{ MessageSid: 'SM1', SmsStatus: 'received', NumMedia: '0' },
      ...{ From: `rcs:${NUMBER}`, To: `rcs:${AGENT}`, Body: text },
    }),
  unsign: ({ headers: { 'x-twilio-signature': _, ...headers }, ...callback }) => ({ ...callback, headers }),
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

function vonageCallback(fields: object, url: string, at: number): Callback {
  const body = JSON.stringify(fields);
  const payload_hash = createHash('sha256').update(body).digest('hex');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iat: Math.floor(at / 1_000), payload_hash })}`;
  const signature = createHmac('sha256', SIGNATURE_SECRET).update(signed).digest('base64url');
  const headers = { authorization: `Bearer ${signed}.${signature}` };
  return { method: 'POST', url, headers, body: Buffer.from(body) };
}

const OVER_RCS = { channel: 'rcs', from: NUMBER.slice(1), to: AGENT, timestamp: '2026-11-30T12:00:00Z' };

receiptContract({
  name: 'vonage, RCS',
  create: (ports) => createVonage('https://api.nexmo.com', ports),
  undeliveredReason: 'rejected, error 1260',
  stated: { price: { amount: 21_000, currency: 'EUR' } },
  coversUrl: false,
  toleranceMs: 300_000,
  report(event, url, at) {
    const words = { delivered: 'delivered', undelivered: 'rejected', pending: 'submitted' };
    if (event === 'nonsense') return vonageCallback({ channel: 'rcs' }, url, at);
    return vonageCallback(
      {
        ...{ message_uuid: 'r-1', status: words[event], channel: 'rcs', to: NUMBER.slice(1), from: AGENT },
        ...(event === 'delivered' && { usage: { currency: 'EUR', price: '0.021' } }),
        ...(event === 'undelivered' && { error: { title: 1260 } }),
      },
      url,
      at,
    );
  },
  inbound: (text, url, at) =>
    vonageCallback({ ...OVER_RCS, message_uuid: 'm-1', message_type: 'text', text }, url, at),
  unsign: ({ headers: { authorization: _, ...headers }, ...callback }) => ({ ...callback, headers }),
});

function telnyxCallback(data: object, url: string, at: number): Callback {
  const body = JSON.stringify({ data });
  const timestamp = String(Math.floor(at / 1_000));
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), privateKey).toString('base64');
  const headers = { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature };
  return { method: 'POST', url, headers, body: Buffer.from(body) };
}

const telnyxSays = (event_type: string, payload: object, url: string, at: number) =>
  telnyxCallback({ event_type, payload: { id: 'r-1', type: 'RCS', ...payload } }, url, at);

receiptContract({
  name: 'telnyx, RCS',
  create: (ports) => createTelnyx('https://api.telnyx.com', ports),
  undeliveredReason: '40005',
  coversUrl: false,
  toleranceMs: 300_000,
  report(event, url, at) {
    if (event === 'nonsense') return telnyxCallback({}, url, at);
    const to = (status: string) => ({ to: [{ phone_number: NUMBER, status }] });
    const said: Record<Exclude<Event, 'nonsense'>, readonly [string, object]> = {
      delivered: ['message.finalized', { ...to('delivered'), cost: null }],
      undelivered: ['message.finalized', { ...to('expired'), errors: [{ code: '40005' }] }],
      pending: ['message.sent', to('sent')],
    };
    const [type, payload] = said[event];
    return telnyxSays(type, payload, url, at);
  },
  inbound: (text, url, at) =>
    telnyxSays('message.received', { from: { phone_number: NUMBER }, body: { text } }, url, at),
  unsign: ({ headers: { 'telnyx-signature-ed25519': _, ...headers }, ...callback }) => ({
    ...callback,
    headers,
  }),
});

const infobipKey = (id: string, url: string) =>
  createHmac('sha256', API_KEY).update(`receipt of ${id} at ${url}`).digest('base64url');

receiptContract({
  name: 'infobip, RCS',
  create: (ports) => createInfobip('https://xxxxx.api.infobip.com', ports),
  undeliveredReason: 'EXPIRED_EXPIRED',
  stated: { price: { amount: 19_000, currency: 'EUR' } },
  coversUrl: true,
  covers: 'message',
  report(event, url) {
    const groups = {
      delivered: 'DELIVERED',
      undelivered: 'EXPIRED',
      pending: 'PENDING',
      nonsense: undefined,
    };
    const group = groups[event];
    const status = group && { groupName: group, name: `${group}_${group}` };
    const price = event === 'delivered' && { price: { pricePerMessage: 0.019, currency: 'EUR' } };
    return {
      ...{ method: 'POST', url: `${url}?id=r-1&token=${infobipKey('r-1', url)}`, headers: {} },
      body: Buffer.from(
        JSON.stringify({ results: [{ messageId: 'r-1', messageCount: 1, status, ...price }] }),
      ),
    };
  },
  inbound: (text, url) => ({
    ...{ method: 'POST', url },
    headers: { authorization: `Basic ${Buffer.from(`infobip:${PASSWORD}`).toString('base64')}` },
    body: Buffer.from(
      JSON.stringify({
        results: [
          {
            ...{ sender: NUMBER.slice(1), to: 'Acme RCS', integrationType: 'RCS', messageId: 'm-1' },
            message: { type: 'TEXT', text },
          },
        ],
      }),
    ),
  }),
  unsign: ({ headers: { authorization: _, ...headers }, ...callback }) => ({
    ...callback,
    headers,
    url: callback.url.replace(/&token=.*/, ''),
  }),
});

test('a suggested reply is what it shows, and what was read has arrived', async () => {
  const ports = { ...UNHEARD, callbackUrl: CALLBACK_URL };
  const now = Date.now();
  const heard: CallbackAnswer = {
    kind: 'messages',
    messages: [{ carrier: 'gateway', from: NUMBER, text: 'STOP' }],
  };
  const over = (carrier: Carrier, callback: Callback) => carrier.readCallback?.(callback);
  const viaVonage = { ...OVER_RCS, message_uuid: 'm-1', message_type: 'reply' };
  assert.deepEqual(
    await over(
      createVonage('https://api.nexmo.com', ports),
      vonageCallback({ ...viaVonage, reply: { id: 'p', title: 'STOP' } }, CALLBACK_URL, now),
    ),
    heard,
  );
  const viaTelnyx = createTelnyx('https://api.telnyx.com', ports);
  const body = { suggestion_response: { text: 'STOP', postback_data: 'p' } };
  const from = { phone_number: NUMBER };
  assert.deepEqual(
    await over(viaTelnyx, telnyxSays('message.received', { from, body }, CALLBACK_URL, now)),
    heard,
  );
  const read = telnyxSays('message.read', { to: [{ status: 'read' }] }, CALLBACK_URL, now);
  assert.deepEqual(await over(viaTelnyx, read), {
    kind: 'receipts',
    receipts: [{ carrier: 'gateway', references: ['r-1'], status: 'delivered' }],
  });
});
