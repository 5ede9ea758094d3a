import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { createTelnyxCarrier } from '../../../src/carriers/telnyx/carrier.ts';
import { telnyxOptions } from '../../../src/carriers/telnyx/options.ts';
import { telnyx } from '../../../src/carriers/telnyx/type.ts';
import type { Callback } from '../../../src/core/sending/carrier.ts';
import type { Create } from '../broker-rigs.ts';
import { CALLBACK_URL, carrierContract } from '../contract.ts';
import { answer } from '../gateway.ts';
import { decodeOptions } from '../options.ts';
import { UNHEARD } from '../ports.ts';
import { type Event, receiptContract } from '../receipt-contract.ts';
import { message, NUMBER, testLife } from './brokers.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = 'KEY0123-of-telnyx';
const PROFILE = '01234567-89ab-cdef-0123-456789abcdef';
const optionsOf = (url: string) =>
  decodeOptions(telnyxOptions, {
    ...{ type: 'telnyx', apiKey: KEY, url, rcs: { from: 'Agent007', messagingProfileId: PROFILE } },
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
  });
const create: Create = (url, ports) => createTelnyxCarrier('gateway', optionsOf(url), ports);

carrierContract({
  name: 'telnyx, RCS',
  create,
  message,
  asksForReceipts: true,
  secrets: [KEY],
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
    assert.equal(request.headers.authorization, `Bearer ${KEY}`);
    assert.deepEqual(JSON.parse(request.body), {
      ...{ agent_id: 'Agent007', to: destination.address, messaging_profile_id: PROFILE, type: 'RCS' },
      agent_message: { content_message: { text }, ttl: '1296000s' },
      webhook_url: CALLBACK_URL,
    });
  },
});

testLife(create, (body) => JSON.parse(body).agent_message.ttl);

test('without its public key Telnyx reports nothing of RCS', () => {
  const { publicKey: _, ...options } = optionsOf('https://api.telnyx.com');
  const publicUrl = 'https://verify.example.com';
  assert.deepEqual(telnyx.lacksForReports?.(options, 'rcs', { publicUrl }), ['publicKey']);
});

function callbackOf(data: object, url: string, at: number): Callback {
  const body = JSON.stringify({ data });
  const timestamp = String(Math.floor(at / 1_000));
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), privateKey).toString('base64');
  const headers = { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature };
  return { method: 'POST', url, headers, body: Buffer.from(body) };
}

const eventOf = (event_type: string, payload: object, url: string, at: number) =>
  callbackOf({ event_type, payload: { id: 'r-1', type: 'RCS', ...payload } }, url, at);

receiptContract({
  name: 'telnyx, RCS',
  create: (ports) => create('https://api.telnyx.com', ports),
  undeliveredReason: '40005',
  coversUrl: false,
  toleranceMs: 300_000,
  report(event, url, at) {
    if (event === 'nonsense') return callbackOf({}, url, at);
    const to = (status: string) => ({ to: [{ phone_number: NUMBER, status }] });
    const said: Record<Exclude<Event, 'nonsense'>, readonly [string, object]> = {
      delivered: ['message.finalized', { ...to('delivered'), cost: null }],
      undelivered: ['message.finalized', { ...to('expired'), errors: [{ code: '40005' }] }],
      pending: ['message.sent', to('sent')],
    };
    const [type, payload] = said[event];
    return eventOf(type, payload, url, at);
  },
  inbound: (text, url, at) =>
    eventOf('message.received', { from: { phone_number: NUMBER }, body: { text } }, url, at),
  unsign: ({ headers: { 'telnyx-signature-ed25519': _, ...headers }, ...callback }) => ({
    ...callback,
    headers,
  }),
});

test('a suggested reply is what it shows, and what was read has arrived', async () => {
  const carrier = create('https://api.telnyx.com', { ...UNHEARD, callbackUrl: CALLBACK_URL });
  const told = async (type: string, payload: object) =>
    carrier.readCallback?.(eventOf(type, payload, CALLBACK_URL, Date.now()));
  const body = { suggestion_response: { text: 'STOP', postback_data: 'p' } };
  assert.deepEqual(await told('message.received', { from: { phone_number: NUMBER }, body }), {
    kind: 'messages',
    messages: [{ carrier: 'gateway', from: NUMBER, text: 'STOP' }],
  });
  assert.deepEqual(await told('message.read', { to: [{ status: 'read' }] }), {
    kind: 'receipts',
    receipts: [{ carrier: 'gateway', references: ['r-1'], status: 'delivered' }],
  });
});
