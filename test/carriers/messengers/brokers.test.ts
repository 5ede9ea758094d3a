/** WhatsApp over the carriers that hand it on: what each is told, and what it tells. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MESSAGES_ERRORS, VOICE_ERRORS } from '../../../src/carriers/vonage/errors.ts';
import { vonage } from '../../../src/carriers/vonage/type.ts';
import type { Callback } from '../../../src/core/sending/carrier.ts';
import {
  ACCOUNT,
  assertVonageToken,
  INFOBIP_KEY,
  INFOBIP_SAYS,
  infobipWith,
  TWILIO_TOKEN,
  twilioSays,
  twilioWith,
  unsignVonage,
  VONAGE_SAYS,
  vonageCallback,
  vonageWith,
} from '../broker-rigs.ts';
import { CALLBACK_URL, carrierContract, message as sms } from '../contract.ts';
import { assertErrorTable } from '../error-table.ts';
import { answer } from '../gateway.ts';
import { UNHEARD } from '../ports.ts';
import { type Event, receiptContract } from '../receipt-contract.ts';
import { SIGNATURE_SECRET, VOICE, optionsOf as vonageOptionsOf } from '../vonage/rig.ts';

const message = { ...sms, channel: 'whatsapp' } as const;
const FROM = '+12025550199';
const TEMPLATE = { from: FROM, template: 'sign_in', language: 'en_US', languages: ['sv'] };

const CONTENT = `HX${'0'.repeat(32)}`;
const SWEDISH = `HX${'1'.repeat(32)}`;

carrierContract({
  name: 'twilio, WhatsApp',
  create: twilioWith({ whatsapp: { from: FROM, contentSid: CONTENT, contents: { 'sv-SE': SWEDISH } } }),
  message,
  asksForReceipts: true,
  secrets: [TWILIO_TOKEN],
  says: twilioSays({ permanent: 63024, temporary: 63007, throttled: 63018 }),
  unreadable: 'accepted',
  verify(request, { destination, code }) {
    assert.equal(request.url, `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(request.body)), {
      To: `whatsapp:${destination.address}`,
      From: `whatsapp:${FROM}`,
      ContentSid: SWEDISH,
      ContentVariables: JSON.stringify({ 1: code }),
      StatusCallback: CALLBACK_URL,
    });
  },
});

const createVonage = vonageWith((url) => ({ whatsapp: { ...VOICE, ...TEMPLATE, url } }));

carrierContract({
  name: 'vonage, WhatsApp',
  create: createVonage,
  message,
  asksForReceipts: true,
  secrets: [VOICE.privateKey, SIGNATURE_SECRET],
  says: VONAGE_SAYS,
  unreadable: 'accepted',
  verify(request, { destination, code }) {
    assert.equal(request.url, '/v1/messages');
    assertVonageToken(request.headers.authorization);
    const parameters = [{ type: 'text', text: code }];
    assert.deepEqual(JSON.parse(request.body), {
      from: FROM.slice(1),
      to: destination.address.slice(1),
      channel: 'whatsapp',
      message_type: 'custom',
      custom: {
        type: 'template',
        template: {
          name: 'sign_in',
          language: { policy: 'deterministic', code: 'sv' },
          components: [
            { type: 'body', parameters },
            { type: 'button', sub_type: 'url', index: '0', parameters },
          ],
        },
      },
      webhook_url: CALLBACK_URL,
      webhook_version: 'v1',
    });
  },
});

test('every known problem of the Messages API', () =>
  assertErrorTable(MESSAGES_ERRORS, {
    create: createVonage,
    message,
    refuse: (code) =>
      answer(403, { type: `https://developer.vonage.com/api-errors#${code}`, detail: sms.code }),
    throttled: '1000 1241',
    temporary: '1030 1100 1180 1220 1230',
    permanent: '1040 1050 1170 1190 1240 1260 1300 1310',
    unclear: '1010 1020 1330 invalid-params',
    configuration: `1022 1060 1070 1080 1110 1140 1340 ${Object.keys(VOICE_ERRORS)
      .filter((code) => code !== 'invalid-params')
      .join(' ')}`,
    coverage: '1120 1160 1250',
  }));

test('the key that signs requests for templates is checked at the start', () => {
  const findFault = (written: object) =>
    vonage.findFault?.(vonageOptionsOf({ whatsapp: { ...VOICE, ...TEMPLATE, ...written } }), {});
  assert.equal(findFault({}), null);
  assert.equal(
    findFault({ privateKey: '-----BEGIN nothing' }),
    'whatsapp.privateKey: not an RSA private key in PEM',
  );
});

const ADDRESSES = { to: '12025550123', from: '12025550199', timestamp: '2026-11-23T12:00:00Z' };

function statusOf(event: Event, url: string, at: number): Callback {
  const words = { delivered: 'read', undelivered: 'rejected', pending: 'submitted', nonsense: undefined };
  const status = words[event];
  const fields = {
    ...(status === undefined ? { channel: 'whatsapp' } : { message_uuid: 'r-1', status }),
    ...(event === 'delivered' && { usage: { currency: 'EUR', price: '0.0333' } }),
    ...(event === 'undelivered' && { error: { title: 1300, detail: 'Not part of the provider network' } }),
    ...ADDRESSES,
  };
  return vonageCallback(fields, url, at);
}

const saidOverVonage = (from: string, url: string, at: number, text = 'STOP') =>
  vonageCallback(
    { ...ADDRESSES, channel: 'whatsapp', message_uuid: 'r-9', message_type: 'text', text, from },
    url,
    at,
  );

receiptContract({
  name: 'vonage, WhatsApp',
  create: (ports) => createVonage('https://api.nexmo.com', ports),
  undeliveredReason: 'rejected, error 1300',
  stated: { price: { amount: 33_300, currency: 'EUR' } },
  coversUrl: false,
  toleranceMs: 300_000,
  report: statusOf,
  inbound: (text, url, at) => saidOverVonage('4915112345678', url, at, text),
  unsign: unsignVonage,
});

test('vonage: a status says what WhatsApp calls the person, and so does what they send back', async () => {
  const user = 'BR.13491208655302741918';
  const carrier = createVonage('https://api.nexmo.com', { ...UNHEARD, callbackUrl: CALLBACK_URL });
  const now = Date.now();
  const whatsapp = { recipient: { user_id: user, wa_id: null } };
  const fields = { ...ADDRESSES, message_uuid: 'r-1', status: 'read', channel: 'whatsapp', whatsapp };
  assert.deepEqual(await carrier.readCallback?.(vonageCallback(fields, CALLBACK_URL, now)), {
    kind: 'receipts',
    receipts: [{ carrier: 'gateway', references: ['r-1'], status: 'delivered', user: `whatsapp:${user}` }],
  });
  assert.deepEqual(await carrier.readCallback?.(saidOverVonage(user, CALLBACK_URL, now)), {
    kind: 'messages',
    messages: [{ carrier: 'gateway', from: undefined, user: `whatsapp:${user}`, text: 'STOP' }],
  });
});

carrierContract({
  name: 'infobip, WhatsApp',
  create: infobipWith({ whatsapp: TEMPLATE }),
  message,
  asksForReceipts: true,
  secrets: [INFOBIP_KEY],
  says: INFOBIP_SAYS,
  unreadable: 'temporary',
  verify(request, { destination, code }) {
    assert.equal(request.url, '/whatsapp/1/message/template');
    assert.equal(request.headers.authorization, `App ${INFOBIP_KEY}`);
    const [{ messageId, notifyUrl, ...sent }] = JSON.parse(request.body).messages;
    assert.deepEqual(sent, {
      from: FROM.slice(1),
      to: destination.address.slice(1),
      content: {
        templateName: 'sign_in',
        templateData: { body: { placeholders: [code] }, buttons: [{ type: 'URL', parameter: code }] },
        language: 'sv',
      },
    });
    assert.ok(notifyUrl.startsWith(`${CALLBACK_URL}?id=${messageId}&token=`));
  },
});
