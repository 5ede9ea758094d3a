import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { createInfobipCarrier } from '../../src/carriers/infobip/carrier.ts';
import { INFOBIP_ERRORS } from '../../src/carriers/infobip/errors.ts';
import { infobipOptions } from '../../src/carriers/infobip/options.ts';
import { createCallMaker, createMessageMaker } from '../../src/carriers/infobip/request.ts';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import type { CarrierPorts } from '../../src/core/sending/carrier.ts';
import { CALLBACK_URL, carrierContract, message } from './contract.ts';
import { assertErrorTable } from './error-table.ts';
import { answer, type GatewayRequest } from './gateway.ts';
import { decodeOptions } from './options.ts';
import { UNHEARD } from './ports.ts';
import { receiptContract } from './receipt-contract.ts';

const API_KEY = 'infobip-api-key';
const PORTS = { clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM };
const PASSWORD = 'the-password:of-the-webhook';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const create = (url: string, ports: CarrierPorts) =>
  createInfobipCarrier(
    'gateway',
    decodeOptions(infobipOptions, {
      type: 'infobip',
      apiKey: API_KEY,
      webhookPassword: PASSWORD,
      sms: { from: '+12025550199' },
      voice: { from: '+12025550199' },
      url,
    }),
    ports,
  );

const status = (groupName: string, name: string) => ({ groupName, name, description: '482913 +12025550123' });
const messageIs = (of: object, more: object = {}, httpStatus = 200) =>
  answer(httpStatus, { bulkId: 'b', messages: [{ ...more, status: of }] });
const rejected = (name: string) => messageIs(status('REJECTED', name));

const says = {
  accepted: (reference: string, httpStatus = 200) =>
    messageIs(status('PENDING', 'PENDING_ACCEPTED'), { messageId: reference }, httpStatus),
  permanent: [rejected('REJECTED_DESTINATION'), answer(400, { requestError: {} })],
  temporary: [
    rejected('REJECTED_SENDER'),
    rejected('REJECTED_NEW_REASON'),
    answer(500),
    answer(200, { messages: [] }),
  ],
  unauthorised: answer(401, { requestError: { serviceException: { text: API_KEY } } }),
  throttled: (retryAfter: string) => answer(429, '', { 'retry-after': retryAfter }),
  acceptedStatus: 200,
};

const token = (id: string, url = CALLBACK_URL) =>
  createHmac('sha256', API_KEY).update(`receipt of ${id} at ${url}`).digest('base64url');
const urlOf = (id: string, url = CALLBACK_URL) => `${url}?id=${id}&token=${token(id, url)}`;

function messageOf(request: GatewayRequest, path: string): [message: Record<string, unknown>, id: string] {
  assert.equal(request.method, 'POST');
  assert.equal(request.url, path);
  assert.equal(request.headers.authorization, `App ${API_KEY}`);
  assert.equal(request.headers['content-type'], 'application/json');
  const { messages, ...more } = JSON.parse(request.body);
  assert.deepEqual([more, messages.length], [{}, 1]);
  const id = messages[0].destinations[0].messageId;
  assert.match(id, UUID);
  return [messages[0], id];
}

carrierContract({
  name: 'infobip, SMS',
  create,
  asksForReceipts: true,
  secrets: [API_KEY],
  says,
  unreadable: 'temporary',
  verify(request, { destination, text }) {
    const [sent, messageId] = messageOf(request, '/sms/3/messages');
    assert.deepEqual(sent, {
      sender: '12025550199',
      destinations: [{ to: destination.address.slice(1), messageId }],
      content: { text },
      options: { validityPeriod: { amount: 2880, timeUnit: 'MINUTES' } },
      webhooks: { delivery: { url: urlOf(messageId) } },
    });
  },
});

carrierContract({
  name: 'infobip, voice',
  create,
  message: { ...message, channel: 'voice' },
  asksForReceipts: true,
  secrets: [API_KEY],
  says,
  unreadable: 'temporary',
  verify(request, { destination, text }) {
    const [sent, messageId] = messageOf(request, '/tts/3/advanced');
    assert.deepEqual(sent, {
      from: '12025550199',
      destinations: [{ to: destination.address.slice(1), messageId }],
      text,
      language: 'sv',
      validityPeriod: 2880,
      notifyUrl: urlOf(messageId),
      notifyContentType: 'application/json',
    });
  },
});

suite('infobip requests', () => {
  test('if nothing can reach the service, no report is requested', () => {
    const request = createMessageMaker(
      PORTS,
      API_KEY,
      { from: 'Acme' },
      undefined,
    )({ ...message, expiresAt: Date.now() + 150_000 });
    const [sent] = JSON.parse('kind' in request ? '' : (request.body ?? '')).messages;
    assert.deepEqual(sent.webhooks, { delivery: { notify: false } });
    assert.equal(sent.options.validityPeriod.amount, 2);
  });

  test('what it cannot dial is left to another carrier', () => {
    const make = createCallMaker(PORTS, API_KEY, { from: '+12025550199' }, undefined);
    const sip = { address: 'sip:alice@example.com', kind: 'sip', country: 'ZZ' } as const;
    assert.equal('kind' in make({ ...message, destination: sip }, 'sv'), true);
  });
});

test('every documented refusal', () =>
  assertErrorTable(INFOBIP_ERRORS, {
    create,
    refuse: rejected,
    throttled: '',
    temporary: 'REJECTED_SYSTEM_ERROR',
    permanent:
      'UNDELIVERABLE_NOT_DELIVERED REJECTED_PREFIX_MISSING REJECTED_DND ' +
      'REJECTED_DESTINATION REJECTED_FLOODING_FILTER REJECTED_DUPLICATE_MESSAGE_ID REJECTED_INVALID_UDH ' +
      'REJECTED_MESSAGE_TOO_LONG MISSING_TO REJECTED_INVALID_DESTINATION',
    configuration: 'REJECTED_NOT_ENOUGH_CREDITS REJECTED_PREPAID_PACKAGE_EXPIRED',
    unclear: 'UNDELIVERABLE_REJECTED_OPERATOR',
    coverage:
      'REJECTED_NETWORK REJECTED_SOURCE REJECTED_SENDER REJECTED_DESTINATION_NOT_REGISTERED REJECTED_ROUTE_NOT_AVAILABLE',
  }));

receiptContract({
  name: 'infobip',
  create: (ports) => create('https://example.api.infobip.com', ports),
  undeliveredReason: 'EC_ABSENT_SUBSCRIBER',
  stated: { price: { amount: 20_000, currency: 'EUR' }, network: '26201' },
  coversUrl: true,
  report(event, url) {
    const error = (name: string) => ({ id: 0, name, groupName: 'OK' });
    const results = {
      delivered: {
        ...{ status: status('DELIVERED', 'DELIVERED_TO_HANDSET'), error: error('NO_ERROR') },
        ...{ price: { pricePerMessage: 0.01, currency: 'EUR' }, messageCount: 2, mccMnc: '26201' },
      },
      undelivered: {
        status: status('UNDELIVERABLE', 'UNDELIVERABLE_NOT_DELIVERED'),
        error: error('EC_ABSENT_SUBSCRIBER'),
      },
      pending: { status: status('PENDING', 'PENDING_ENROUTE'), error: error('NO_ERROR') },
      nonsense: {},
    };
    const result = { bulkId: 'b', messageId: 'r-1', to: '12025550123', ...results[event] };
    return {
      method: 'POST',
      url: urlOf('r-1', url),
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ results: [result] })),
    };
  },
  inbound: (text, url) => forwarded([{ from: '4915112345678', text, cleanText: text }], url),
  unsign: ({ url, headers: { authorization: _, ...headers }, ...callback }) => ({
    ...callback,
    headers,
    url: url.replace(/&token=.*/, ''),
  }),
});

/** As MO_JSON_2 tells it, from a notification profile with the settings `BASIC`. */
function forwarded(said: readonly object[], url = CALLBACK_URL, credentials = `any:${PASSWORD}`) {
  const results = said.map((each) => ({
    ...{ messageId: '817790313235066447', to: '12025550199', keyword: null, smsCount: 1, callbackData: null },
    ...{ receivedAt: '2026-11-22T12:00:00.000+0000', price: { pricePerMessage: 0, currency: 'EUR' } },
    ...each,
  }));
  const body = { results, messageCount: results.length, pendingMessageCount: 0 };
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', authorization },
    body: Buffer.from(JSON.stringify(body)),
  };
}

suite('what people send back over infobip', () => {
  const ports = {
    ...UNHEARD,
    callbackUrl: CALLBACK_URL,
  };
  const { readCallback } = create('https://example.api.infobip.com', ports);
  const STOP = { from: '4915112345678', text: 'STOP' };
  const heard = { carrier: 'gateway', from: '+4915112345678', text: 'STOP' };

  test('many come together, a keyword of the number does not count, and names are left out', () => {
    const said = [
      { ...STOP, cleanText: '', keyword: 'STOP' },
      { from: '4915112345679', text: 'ACME Stop', cleanText: 'Stop', keyword: 'ACME' },
      { from: 'Acme', text: 'STOP', cleanText: 'STOP' },
      { status: status('DELIVERED', 'DELIVERED_TO_HANDSET') },
    ];
    const messages = [heard, { ...heard, from: '+4915112345679', text: 'Stop' }];
    assert.deepEqual(readCallback?.(forwarded(said)), { kind: 'messages', messages });
    assert.deepEqual(readCallback?.(forwarded(said.slice(2))), { kind: 'receipts', receipts: [] });
  });

  test('only with the password, and only if there is one', () => {
    for (const credentials of ['', ':', 'any', 'any:', `any:${API_KEY}`, `any:${PASSWORD}x`, PASSWORD]) {
      assert.deepEqual(readCallback?.(forwarded([STOP], CALLBACK_URL, credentials)), { kind: 'forged' });
    }
    const bearer = forwarded([STOP]);
    bearer.headers.authorization = `Bearer ${PASSWORD}`;
    assert.deepEqual(readCallback?.(bearer), { kind: 'forged' });
    const { apiKey, url, sms } = { apiKey: API_KEY, url: 'https://x.api.infobip.com', sms: { from: 'Acme' } };
    const options = decodeOptions(infobipOptions, { type: 'infobip', apiKey, url, sms });
    const without = createInfobipCarrier('gateway', options, ports);
    for (const credentials of ['any:', 'any:undefined', `any:${PASSWORD}`]) {
      assert.deepEqual(without.readCallback?.(forwarded([STOP], CALLBACK_URL, credentials)), {
        kind: 'forged',
      });
    }
  });

  test('what is not a list of results is malformed', () => {
    for (const body of ['', '{}', '{"results":{}}', '[]', 'null']) {
      const answer = readCallback?.({ ...forwarded([]), body: Buffer.from(body) });
      assert.deepEqual(answer, { kind: 'malformed', detail: 'needs a list of results' });
    }
  });
});

suite('infobip receipts', () => {
  const ports = {
    ...UNHEARD,
    callbackUrl: CALLBACK_URL,
  };
  const carrier = create('https://example.api.infobip.com', ports);
  const read = (id: string, result: object) =>
    carrier.readCallback?.({
      method: 'POST',
      url: urlOf('r-1'),
      headers: {},
      body: Buffer.from(JSON.stringify({ results: [{ messageId: id, ...result }] })),
    });

  test('the address of one message says nothing about another', () => {
    assert.deepEqual(read('r-2', { status: status('DELIVERED', 'DELIVERED_TO_HANDSET') }), {
      kind: 'forged',
    });
  });

  test('without an error the status is the reason, and no text ever is', () => {
    const receipt = { carrier: 'gateway', references: ['r-1'], status: 'undelivered' };
    assert.deepEqual(
      read('r-1', { status: status('EXPIRED', 'EXPIRED_EXPIRED'), error: { name: 'NO_ERROR' } }),
      {
        kind: 'receipts',
        receipts: [{ ...receipt, reason: 'EXPIRED_EXPIRED' }],
      },
    );
    assert.deepEqual(read('r-1', { status: status('REJECTED', 'X'), error: { name: 'to +12025550123' } }), {
      kind: 'receipts',
      receipts: [{ ...receipt, reason: 'REJECTED' }],
    });
  });
});
