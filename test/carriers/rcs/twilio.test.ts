import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import type { Callback } from '../../../src/core/sending/carrier.ts';
import { ACCOUNT, TWILIO_TOKEN, twilioSays, twilioWith } from '../broker-rigs.ts';
import { CALLBACK_URL, carrierContract } from '../contract.ts';
import { receiptContract } from '../receipt-contract.ts';
import { AGENT, message, NUMBER, sentBy, testLife } from './brokers.ts';

const SERVICE = `MG${'0'.repeat(32)}`;
const create = twilioWith({ rcs: { from: AGENT, senders: { DE: SERVICE } } });

carrierContract({
  name: 'twilio, RCS',
  create,
  message,
  asksForReceipts: true,
  secrets: [TWILIO_TOKEN],
  says: twilioSays({ permanent: 63106, temporary: 63008, throttled: 20429 }),
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

testLife(create, (body) => new URLSearchParams(body).get('ValidityPeriod'));

test('a messaging service of Twilio is told not to send an SMS instead, too', async () => {
  const destination = { address: NUMBER, kind: 'e164', country: 'DE' };
  const form = new URLSearchParams((await sentBy(create, { destination })).body);
  assert.deepEqual(
    [form.get('To'), form.get('MessagingServiceSid'), form.get('From')],
    [`rcs:${NUMBER}`, SERVICE, null],
  );
});

/** A form that Twilio has signed. */
function callbackOf(url: string, fields: Record<string, string>): Callback {
  const names = Object.keys(fields).sort();
  const data = names.reduce((text, name) => text + name + (fields[name] ?? ''), url);
  return {
    ...{ method: 'POST', url },
    headers: { 'x-twilio-signature': createHmac('sha1', TWILIO_TOKEN).update(data).digest('base64') },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  };
}

receiptContract({
  name: 'twilio, RCS',
  create: (ports) => create('https://api.twilio.com', ports),
  undeliveredReason: '63106',
  coversUrl: true,
  report(event, url) {
    const words = { delivered: 'read', undelivered: 'undelivered', pending: 'sent', nonsense: '' };
    const common = { To: `rcs:${NUMBER}`, From: `rcs:${AGENT}`, ChannelPrefix: 'rcs' };
    if (event === 'nonsense') return callbackOf(url, common);
    const error = event === 'undelivered' ? { ErrorCode: '63106' } : {};
    return callbackOf(url, { ...common, MessageSid: 'r-1', MessageStatus: words[event], ...error });
  },
  inbound: (text, url) =>
    callbackOf(url, {
      ...{ MessageSid: 'SM1', SmsStatus: 'received', NumMedia: '0' },
      ...{ From: `rcs:${NUMBER}`, To: `rcs:${AGENT}`, Body: text },
    }),
  unsign: ({ headers: { 'x-twilio-signature': _, ...headers }, ...callback }) => ({ ...callback, headers }),
});
