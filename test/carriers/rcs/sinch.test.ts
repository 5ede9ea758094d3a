/** RCS over the Conversation API of Sinch: its tokens, what is sent, and what the webhook of an app tells. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createSinchCarrier } from '../../../src/carriers/sinch/carrier.ts';
import { CONVERSATION_ERRORS } from '../../../src/carriers/sinch/errors.ts';
import { sinchOptions } from '../../../src/carriers/sinch/options.ts';
import { sinch } from '../../../src/carriers/sinch/type.ts';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import { OPERATORS_FAULT } from '../../../src/core/sending/carrier.ts';
import { createGate } from '../../../src/delivery/gate/gate.ts';
import type { Create } from '../broker-rigs.ts';
import { CALLBACK_URL, carrierContract } from '../contract.ts';
import { assertErrorTable } from '../error-table.ts';
import { answer, type Gateway, type Reaction, startGateway } from '../gateway.ts';
import { decodeOptions } from '../options.ts';
import { UNHEARD } from '../ports.ts';
import { receiptContract } from '../receipt-contract.ts';
import { message, NUMBER, sentBy, testLife } from './brokers.ts';
import { signed, WEBHOOK_SECRET } from './sinch-webhook.ts';

const APP = '01EB37HMH1M6SV18ABNS3G135H';
const GERMAN_APP = '01FJA8B4A7BM43YGWSG9GBV067';
const PROJECT = 'c36f3d3d-1523-4edd-ae42-11995557ff61';
const KEY_SECRET = 'secret-of~the.key';
const SMS_SECRET = 'secret-of-the-service-plan';
const ACCESS = 'eyJhbGciOi.access.token';

const optionsOf = (url: string, more: object = {}, groups: object = {}) =>
  decodeOptions(sinchOptions, {
    type: 'sinch',
    rcs: {
      ...{ from: APP, senders: { DE: GERMAN_APP }, projectId: PROJECT },
      ...{ keyId: 'key-1', keySecret: KEY_SECRET, webhookSecret: WEBHOOK_SECRET },
      ...{ url, tokenUrl: url, ...more },
    },
    ...groups,
  });
const create: Create = (url, ports) => createSinchCarrier('gateway', optionsOf(url), ports);

const TOKEN_PATH = '/oauth2/token';
const token: Reaction = answer(200, {
  ...{ access_token: ACCESS, expires_in: 3_599, scope: '', token_type: 'bearer' },
});
const refused = (code: number, status: string, headers = {}) =>
  answer(code, { error: { code, status, message: `about ${NUMBER}`, details: [] } }, headers);
const accepted = (reference: string, status = 200) =>
  answer(status, { message_id: reference, accepted_time: '2026-11-30T12:00:00.000Z' });

carrierContract({
  name: 'sinch, RCS',
  create,
  message,
  before: (path) => (path === TOKEN_PATH ? token : undefined),
  asksForReceipts: true,
  secrets: [KEY_SECRET, WEBHOOK_SECRET, ACCESS],
  says: {
    accepted,
    permanent: [refused(400, 'INVALID_ARGUMENT'), answer(400)],
    temporary: [
      answer(500),
      refused(503, 'UNAVAILABLE'),
      refused(404, 'NOT_FOUND'),
      refused(403, 'PERMISSION_DENIED'),
    ],
    unauthorised: refused(401, 'UNAUTHENTICATED'),
    throttled: (retryAfter) => refused(429, 'RESOURCE_EXHAUSTED', { 'retry-after': retryAfter }),
    acceptedStatus: 200,
  },
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    assert.equal(`${request.method} ${request.url}`, `POST /v1/projects/${PROJECT}/messages:send`);
    assert.equal(request.headers.authorization, `Bearer ${ACCESS}`);
    assert.deepEqual(JSON.parse(request.body), {
      app_id: APP,
      recipient: {
        identified_by: { channel_identities: [{ channel: 'RCS', identity: destination.address }] },
      },
      channel_priority_order: ['RCS'],
      processing_strategy: 'DISPATCH_ONLY',
      message: { text_message: { text } },
      ttl: '1296000s',
    });
  },
});

testLife(create, (body) => JSON.parse(body).ttl, { access_token: ACCESS, expires_in: 3_599 });

test('each country may have an app of its own', async () => {
  const destination = { ...message.destination, country: 'DE' };
  const { body } = await sentBy(create, { destination }, { access_token: ACCESS, expires_in: 3_599 });
  assert.equal(JSON.parse(body).app_id, GERMAN_APP);
});

test('every known error of the Conversation API', () =>
  assertErrorTable(CONVERSATION_ERRORS, {
    create,
    message,
    refuse: (status) => (response) =>
      (response.req.url === TOKEN_PATH ? token : refused(409, status))(response),
    throttled: 'RESOURCE_EXHAUSTED',
    temporary: 'ABORTED CANCELLED DEADLINE_EXCEEDED INTERNAL UNAVAILABLE UNKNOWN',
    permanent: '',
    unclear: 'INVALID_ARGUMENT',
    configuration: 'FAILED_PRECONDITION NOT_FOUND PERMISSION_DENIED UNAUTHENTICATED UNIMPLEMENTED',
  }));

test('what ends before there is a token was not sent, and what ends after it may have been', async (t) => {
  for (const [path, unclear] of [
    [TOKEN_PATH, {}],
    [`/v1/projects/${PROJECT}/messages:send`, { unclear: true }],
  ] as const) {
    const reached = Promise.withResolvers<void>();
    const hang: Reaction = () => reached.resolve();
    const gateway = await startGateway(undefined, (asked) => (asked === path ? hang : token));
    const carrier = create(gateway.url, UNHEARD);
    t.after(async () => {
      await carrier.stop();
      await gateway.close();
    });
    const options = { clock: SYSTEM_CLOCK, concurrency: 1, timeout: 60_000 };
    const gate = createGate(carrier, { ...options, breaker: { failures: 9, resetAfter: 1 } }, () => {});
    const answered = gate.submit(message, { wanted: true }, () => false);
    await reached.promise;
    gate.abort();
    assert.deepEqual(await answered, { kind: 'temporary', reason: 'stopping', ...unclear });
  }
});

suite('access tokens of a project', () => {
  async function withGateway(use: (gateway: Gateway, send: () => Promise<unknown>) => Promise<void>) {
    const gateway = await startGateway();
    const carrier = create(gateway.url, UNHEARD);
    try {
      await use(gateway, async () => carrier.submit(message, { signal: AbortSignal.timeout(20_000) }));
    } finally {
      await carrier.stop();
      await gateway.close();
    }
  }
  const asked = ({ requests }: Gateway) => requests.map(({ url }) => (url === TOKEN_PATH ? 'token' : 'send'));

  test('the access key is exchanged once, for messages that come together too', () =>
    withGateway(async (gateway, send) => {
      gateway.play((response) => (response.req.url === TOKEN_PATH ? token : accepted('r-1'))(response));
      await Promise.all(Array.from({ length: 10 }, send));
      assert.deepEqual(asked(gateway), ['token', ...Array.from({ length: 10 }, () => 'send')]);
      const [exchange] = gateway.requests;
      const basic = Buffer.from(`key-1:${KEY_SECRET}`).toString('base64');
      assert.equal(exchange?.headers.authorization, `Basic ${basic}`);
      assert.equal(exchange?.body, 'grant_type=client_credentials');
    }));

  test('one that is refused is not used again', () =>
    withGateway(async (gateway, send) => {
      gateway.play(token, refused(401, 'UNAUTHENTICATED'), token, accepted('r-1'));
      await send();
      assert.deepEqual(await send(), { kind: 'accepted', reference: 'r-1' });
      assert.deepEqual(asked(gateway), ['token', 'send', 'token', 'send']);
    }));

  test('a key that is refused is for the operator, and no message is sent', () =>
    withGateway(async (gateway, send) => {
      gateway.play(answer(401, { error: 'invalid_client', error_description: KEY_SECRET }));
      const reason = `${OPERATORS_FAULT}invalid_client credentials refused`;
      assert.deepEqual(await send(), { kind: 'temporary', reason });
      assert.deepEqual(asked(gateway), ['token']);
    }));
});

const OF_APP = { app_id: APP, project_id: PROJECT, accepted_time: '2026-11-30T12:00:00.000Z' };
const identity = (channel = 'RCS') => ({
  channel_identity: { channel, identity: NUMBER.slice(1), app_id: '' },
});
const deliveryOf = (status: string, more: object = {}) => ({
  ...OF_APP,
  message_delivery_report: {
    ...{ message_id: 'r-1', status, conversation_id: '', contact_id: '', metadata: '' },
    ...identity(),
    ...more,
  },
});
const inboundOf = (contact_message: object, channel?: string) => ({
  ...OF_APP,
  message: { id: 'm-1', direction: 'TO_APP', contact_message, ...identity(channel) },
});

receiptContract({
  name: 'sinch, RCS',
  create: (ports) => create('https://eu.conversation.api.sinch.com', ports),
  undeliveredReason: 'RECIPIENT_NOT_REACHABLE',
  coversUrl: false,
  toleranceMs: 300_000,
  report(event, url, at) {
    const reason = { code: 'RECIPIENT_NOT_REACHABLE', description: NUMBER, sub_code: 'UNSPECIFIED_SUB_CODE' };
    const said = {
      delivered: deliveryOf('DELIVERED'),
      undelivered: deliveryOf('FAILED', { reason }),
      pending: deliveryOf('QUEUED_ON_CHANNEL'),
      nonsense: { ...OF_APP, message_delivery_report: {} },
    };
    return signed(said[event], url, at);
  },
  inbound: (text, url, at) => signed(inboundOf({ text_message: { text } }), url, at),
  unsign: ({ headers: { 'x-sinch-webhook-signature': _, ...headers }, ...callback }) => ({
    ...callback,
    headers,
  }),
});

suite('the webhook of an app', () => {
  const sms = { from: 'Acme', servicePlanId: 'plan-1', apiToken: 't', webhookSecret: SMS_SECRET };
  const carrier = createSinchCarrier('gateway', optionsOf('https://example.com', {}, { sms }), {
    ...UNHEARD,
    callbackUrl: CALLBACK_URL,
  });
  const told = async (fields: object, secret?: string) =>
    carrier.readCallback?.(signed(fields, CALLBACK_URL, Date.now(), secret));
  const nothing = { kind: 'receipts', receipts: [] };

  test('a message that was read has arrived', async () => {
    const receipts = [{ carrier: 'gateway', references: ['r-1'], status: 'delivered' }];
    assert.deepEqual(await told(deliveryOf('READ')), { kind: 'receipts', receipts });
  });

  test('a reason that is no name of an error is not shown', async () => {
    const receipts = [{ carrier: 'gateway', references: ['r-1'], status: 'undelivered', reason: 'FAILED' }];
    const reason = { code: `no RCS: ${NUMBER}` };
    assert.deepEqual(await told(deliveryOf('FAILED', { reason })), { kind: 'receipts', receipts });
  });

  test('a suggested reply is what its message put behind it', async () => {
    const choice_response_message = { message_id: 'r-1', postback_data: 'STOP' };
    assert.deepEqual(await told(inboundOf({ choice_response_message })), {
      kind: 'messages',
      messages: [{ carrier: 'gateway', from: NUMBER, text: 'STOP' }],
    });
  });

  test('what concerns another app, another channel or something else is passed over', async () => {
    assert.deepEqual(await told({ ...deliveryOf('DELIVERED'), app_id: 'another' }), nothing);
    assert.notDeepEqual(await told({ ...deliveryOf('DELIVERED'), app_id: GERMAN_APP }), nothing);
    assert.deepEqual(await told(inboundOf({ text_message: { text: 'STOP' } }, 'MESSENGER')), nothing);
    assert.deepEqual(await told(inboundOf({ location_message: { title: 'here' } })), nothing);
    assert.deepEqual(await told({ ...OF_APP, capability_notification: { channel: 'RCS' } }), nothing);
  });

  test('each of the two APIs is believed under its own secret only', async () => {
    const smsReport = { type: 'recipient_delivery_report_sms', batch_id: 'r-1', status: 'Delivered' };
    assert.equal((await told(smsReport, SMS_SECRET))?.kind, 'receipts');
    assert.deepEqual(await told(smsReport), { kind: 'forged' });
    assert.deepEqual(await told(deliveryOf('DELIVERED'), SMS_SECRET), { kind: 'forged' });
  });

  test('what is lacking for receipts is named, of each channel', () => {
    const { webhookSecret: _, ...rcs } = optionsOf('https://example.com').rcs ?? {};
    const options = decodeOptions(sinchOptions, { type: 'sinch', rcs, sms });
    const publicUrl = 'https://verify.example.com';
    assert.deepEqual(sinch.lacksForReports?.(options, 'rcs', { publicUrl }), ['rcs.webhookSecret']);
    assert.deepEqual(sinch.lacksForReports?.(options, 'sms', {}), ['publicUrl']);
    assert.equal(sinch.lacksForReports?.(options, 'voice', { publicUrl }), 'never');
  });
});
