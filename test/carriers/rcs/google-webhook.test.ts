/** What RCS for Business of Google reports to its webhook. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { createGoogleCarrier } from '../../../src/carriers/google/carrier.ts';
import type { Callback } from '../../../src/core/sending/carrier.ts';
import { CALLBACK_URL } from '../contract.ts';
import { UNHEARD } from '../ports.ts';
import { receiptContract } from '../receipt-contract.ts';
import { AGENT, CLIENT_TOKEN, create, optionsOf } from './google-rig.ts';

function callbackOf(data: object | string, url: string): Callback {
  const bytes = Buffer.from(typeof data === 'string' ? data : JSON.stringify(data));
  const signature = createHmac('sha512', CLIENT_TOKEN).update(bytes).digest('base64');
  const body = {
    message: { data: bytes.toString('base64'), messageId: '1', publishTime: '2026-11-30T10:00:00Z' },
    subscription: 'projects/rbm/subscriptions/agent',
  };
  return {
    ...{ method: 'POST', url },
    headers: { 'x-goog-signature': signature },
    body: Buffer.from(JSON.stringify(body)),
  };
}

const eventOf = (eventType: string, more: object = {}) => ({
  ...{ senderPhoneNumber: '+4915112345678', eventType, eventId: 'e-1', messageId: 'r-1' },
  ...{ sendTime: '2026-11-30T10:00:00Z', agentId: AGENT, ...more },
});

receiptContract({
  name: 'google',
  create: (ports) => create('https://rcsbusinessmessaging.googleapis.com', ports),
  undeliveredReason: 'TTL_EXPIRATION_REVOKED',
  coversUrl: false,
  report(event, url) {
    const { senderPhoneNumber: phoneNumber, ...rest } = eventOf('TTL_EXPIRATION_REVOKED');
    const data = {
      delivered: eventOf('DELIVERED'),
      undelivered: { phoneNumber, ...rest },
      pending: eventOf('IS_TYPING'),
      nonsense: {},
    };
    return callbackOf(data[event], url);
  },
  inbound: (text, url) =>
    callbackOf({ senderPhoneNumber: '+4915112345678', text, messageId: 'm-1', agentId: AGENT }, url),
  alter(text) {
    if (!text.startsWith('{')) return text;
    const { message: envelope, ...body } = JSON.parse(text);
    const data = Buffer.from(Buffer.from(envelope.data, 'base64').toString().replaceAll('r-1', 'r-2'));
    return JSON.stringify({ ...body, message: { ...envelope, data: data.toString('base64') } });
  },
  unsign: ({ headers: { 'x-goog-signature': _, ...headers }, ...callback }) => ({ ...callback, headers }),
});

suite('the webhook of Google', () => {
  const { readCallback } = create('https://rcsbusinessmessaging.googleapis.com', {
    ...UNHEARD,
    callbackUrl: CALLBACK_URL,
  });
  const read = (callback: Callback) => readCallback?.(callback);
  const told = (data: object) => read(callbackOf(data, CALLBACK_URL));
  const heard = (text: string) => ({
    kind: 'messages',
    messages: [{ carrier: 'gateway', from: '+4915112345678', text }],
  });
  const nothing = { kind: 'receipts', receipts: [] };

  test('a message that was read has arrived', () => {
    const receipts = [{ carrier: 'gateway', references: ['r-1'], status: 'delivered' }];
    assert.deepEqual(told(eventOf('READ')), { kind: 'receipts', receipts });
  });

  test('a revocation that failed says nothing', () =>
    assert.deepEqual(told(eventOf('TTL_EXPIRATION_REVOKE_FAILED')), nothing));

  test('the buttons of the app are STOP and START', () => {
    assert.deepEqual(told(eventOf('UNSUBSCRIBE', { messageId: undefined })), heard('STOP'));
    assert.deepEqual(told(eventOf('SUBSCRIBE', { messageId: undefined })), heard('START'));
  });

  test('a suggested reply is what it shows', () => {
    const suggestionResponse = { postbackData: 'p', text: 'STOP', type: 'REPLY' };
    const said = { senderPhoneNumber: '+4915112345678', messageId: 'm-1', agentId: AGENT };
    assert.deepEqual(told({ ...said, suggestionResponse }), heard('STOP'));
    assert.deepEqual(told({ ...said, location: { latitude: 1, longitude: 2 } }), nothing);
  });

  test('what concerns another agent of the account is passed over', () =>
    assert.deepEqual(told(eventOf('DELIVERED', { agentId: 'another_agent' })), nothing));

  test('its handshake is answered to who knows the token, and with nothing that could be a page', () => {
    const shake = (body: object) =>
      read({ method: 'POST', url: CALLBACK_URL, headers: {}, body: Buffer.from(JSON.stringify(body)) });
    const [clientToken, secret] = [CLIENT_TOKEN, '1234567890'];
    assert.deepEqual(shake({ clientToken, secret }), { kind: 'challenge', echo: secret });
    for (const forgery of [
      { secret },
      { clientToken: 'guessed', secret },
      { clientToken, secret: '<script>' },
      { clientToken, secret: '' },
    ])
      assert.deepEqual(shake(forgery), { kind: 'forged' });
  });

  test('without the token of the webhook nothing is read, and no receipts are promised', () => {
    const carrier = createGoogleCarrier(
      'gateway',
      optionsOf('https://example.com', { clientToken: undefined }),
      { ...UNHEARD, callbackUrl: CALLBACK_URL },
    );
    assert.equal(carrier.readCallback, undefined);
  });
});
