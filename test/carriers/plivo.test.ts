import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { createPlivoCarrier } from '../../src/carriers/plivo/carrier.ts';
import { plivoOptions } from '../../src/carriers/plivo/options.ts';
import { isSigned } from '../../src/carriers/plivo/signature.ts';
import type { Callback, CarrierPorts } from '../../src/core/sending/carrier.ts';
import { CALLBACK_URL, carrierContract } from './contract.ts';
import { answer } from './gateway.ts';
import { decodeOptions } from './options.ts';
import { receiptContract } from './receipt-contract.ts';

const AUTH_ID = 'MA0123456789ABCDEFGH';
const TOKEN = 'plivo-auth-token';

const create = (url: string, ports: CarrierPorts) =>
  createPlivoCarrier(
    'gateway',
    decodeOptions(plivoOptions, {
      type: 'plivo',
      authId: AUTH_ID,
      authToken: TOKEN,
      sms: { from: '+12025550199' },
      url,
    }),
    ports,
  );

carrierContract({
  name: 'plivo, SMS',
  create,
  asksForReceipts: true,
  secrets: [TOKEN, Buffer.from(`${AUTH_ID}:${TOKEN}`).toString('base64')],
  says: {
    accepted: (reference, status = 202) =>
      answer(status, { message: 'message(s) queued', message_uuid: [reference], api_id: 'a' }),
    permanent: [answer(400, { error: `dst +12025550123 is not valid 482913` }), answer(422)],
    temporary: [answer(500), answer(503), answer(408), answer(402), answer(403), answer(404)],
    unauthorised: answer(401, { error: TOKEN }),
    throttled: (retryAfter) => answer(429, '', { 'retry-after': retryAfter }),
    acceptedStatus: 202,
  },
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    assert.equal(request.method, 'POST');
    assert.equal(request.url, `/v1/Account/${AUTH_ID}/Message/`);
    const credentials = Buffer.from(`${AUTH_ID}:${TOKEN}`).toString('base64');
    assert.equal(request.headers.authorization, `Basic ${credentials}`);
    assert.equal(request.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(request.body), {
      src: '+12025550199',
      dst: destination.address,
      text,
      type: 'sms',
      url: CALLBACK_URL,
      method: 'POST',
    });
  },
});

const mac = (signed: string) => createHmac('sha256', TOKEN).update(signed).digest('base64');

/** As Plivo's own libraries build it: the address, a question mark, the fields in order of their names, the nonce. */
function signed(url: string, fields: Record<string, string>): Callback {
  const joined = Object.keys(fields)
    .sort()
    .map((name) => `${name}${fields[name]}`)
    .join('');
  return {
    method: 'POST',
    url,
    headers: {
      'x-plivo-signature-v3': mac(`${url}?${joined}.12345`),
      'x-plivo-signature-v3-nonce': '12345',
    },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  };
}

receiptContract({
  name: 'plivo',
  create: (ports) => create('https://api.plivo.com', ports),
  undeliveredReason: '200',
  stated: { price: { amount: 7_700, currency: 'USD' }, network: '310800' },
  coversUrl: true,
  report(event, url) {
    const fields = {
      delivered: {
        ...{
          Status: 'delivered',
          ErrorCode: '000',
          Units: '2',
          TotalRate: '0.00385',
          TotalAmount: '0.00770',
        },
        ...{ MCC: '310', MNC: '800' },
      },
      undelivered: { Status: 'undelivered', ErrorCode: '200' },
      pending: { Status: 'sent' },
      nonsense: {},
    };
    return signed(url, {
      MessageUUID: 'r-1',
      From: 'Acme',
      To: '12025550123',
      Type: 'sms',
      ...fields[event],
    });
  },
  inbound: (text, url) =>
    signed(url, {
      ...{ MessageUUID: 'm-1', Type: 'sms', Text: text },
      ...{ From: '4915112345678', To: '12025550199' },
    }),
  unsign: (callback) => ({ ...callback, headers: {} }),
});

suite('plivo signatures', () => {
  const second = (url: string, signature: string, nonce: string): Callback => ({
    method: 'POST',
    url,
    headers: { 'x-plivo-signature-v2': signature, 'x-plivo-signature-v2-nonce': nonce },
    body: Buffer.from('MessageUUID=r-1&Status=delivered'),
  });

  test('known answers of the second version, which the documentation of messages uses', () => {
    const genuine = second('https://answer.url', 'ehV3IKhLysWBxC1sy8INm0qGoQYdYsHwuoKjsX7FsXc=', '12345');
    assert.equal(isSigned(genuine, 'my_auth_token'), true);
    assert.equal(isSigned({ ...genuine, url: 'https://answer.url:8000' }, 'my_auth_token'), false);
    assert.equal(isSigned(genuine, 'my_auth_tokens'), false);
    const port = second(
      'https://answer.url:8000',
      'LDphWoWimP4QM5AoWI1uwP6WmlWtt5ITPZjXIWYvCNU=',
      '24725744043720739450',
    );
    assert.equal(isSigned(port, 'my_auth_token'), true);
  });

  test('a wrong third version is not saved by a right second one', () => {
    const genuine = second(CALLBACK_URL, mac(`${CALLBACK_URL}1`), '1');
    assert.equal(isSigned(genuine, TOKEN), true);
    const headers = { ...genuine.headers, 'x-plivo-signature-v3': 'x', 'x-plivo-signature-v3-nonce': '1' };
    assert.equal(isSigned({ ...genuine, headers }, TOKEN), false);
    const { 'x-plivo-signature-v3-nonce': _, ...withoutNonce } = headers;
    assert.equal(isSigned({ ...genuine, headers: withoutNonce }, TOKEN), false);
  });

  test('one of two signatures has to fit', () => {
    const genuine = signed(CALLBACK_URL, { MessageUUID: 'r-1' });
    const pair = `other=, ${genuine.headers['x-plivo-signature-v3']}`;
    assert.equal(
      isSigned({ ...genuine, headers: { ...genuine.headers, 'x-plivo-signature-v3': pair } }, TOKEN),
      true,
    );
  });

  test('a query is signed in order, and separated from the fields', () => {
    const url = `${CALLBACK_URL}?b=2&a=1`;
    const callback: Callback = {
      method: 'POST',
      url,
      headers: {
        'x-plivo-signature-v3': mac(`${CALLBACK_URL}?a=1&b=2.Status1Status2.9`),
        'x-plivo-signature-v3-nonce': '9',
      },
      body: Buffer.from('Status=2&Status=1'),
    };
    assert.equal(isSigned(callback, TOKEN), true);
  });
});
