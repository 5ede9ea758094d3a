import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { suite, test } from 'node:test';
import { SMS_ERRORS, VOICE_ERRORS } from '../../../src/carriers/vonage/errors.ts';
import { createCallMaker, createMessageMaker } from '../../../src/carriers/vonage/request.ts';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import { CALLBACK_URL, carrierContract, message } from '../contract.ts';
import { assertErrorTable } from '../error-table.ts';
import { answer, type GatewayRequest } from '../gateway.ts';
import {
  APPLICATION,
  createSms,
  createVoice,
  privateKey,
  publicKey,
  SECRET,
  SIGNATURE_SECRET,
  VOICE,
} from './rig.ts';

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
      'client-ref': '1',
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
    const request = createMessageMaker(SYSTEM_CLOCK, account, { from: 'Acme' }, undefined)(sent);
    const body = new URLSearchParams('body' in request ? request.body : '');
    assert.deepEqual([body.get('type'), body.get('from'), body.has('callback')], ['text', 'Acme', false]);
    assert.ok(Number(body.get('ttl')) > 50_000 && Number(body.get('ttl')) <= 60_500);
  });

  const callTo = (address: string, kind: 'extension' | 'sip') => {
    const destination = { address, kind, country: 'US' };
    const request = createCallMaker(SYSTEM_CLOCK, VOICE, undefined)({ ...message, destination }, 'sv-SE');
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
        () => createCallMaker(SYSTEM_CLOCK, { ...VOICE, privateKey: key }, undefined),
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
