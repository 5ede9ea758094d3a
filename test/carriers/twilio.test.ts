import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { createTwilioCarrier } from '../../src/carriers/twilio/carrier.ts';
import { TWILIO_ERRORS } from '../../src/carriers/twilio/errors.ts';
import { twilioOptions } from '../../src/carriers/twilio/options.ts';
import { createCallbackReader } from '../../src/carriers/twilio/receipt.ts';
import { createCallMaker, createMessageMaker } from '../../src/carriers/twilio/request.ts';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import type { Callback } from '../../src/core/sending/carrier.ts';
import { CALLBACK_URL, carrierContract, message } from './contract.ts';
import { assertErrorTable } from './error-table.ts';
import { answer, type GatewayRequest } from './gateway.ts';
import { decodeOptions } from './options.ts';
import { UNHEARD } from './ports.ts';
import { type Event, receiptContract } from './receipt-contract.ts';

const ACCOUNT = `AC${'0123456789abcdef'.repeat(2)}`;
const TOKEN = 'twilio-auth-token';
const SERVICE = `MG${'0123456789abcdef'.repeat(2)}`;

const optionsOf = (written: Record<string, unknown>) =>
  decodeOptions(twilioOptions, {
    type: 'twilio',
    accountSid: ACCOUNT,
    authToken: TOKEN,
    sms: { from: '+12025550199' },
    voice: { from: '+12025550199' },
    ...written,
  });

const says = {
  accepted: (reference: string, status = 201) => answer(status, { sid: reference, status: 'queued' }),
  permanent: [answer(400, { code: 21211, status: 400 }), answer(400, { code: 21610 }), answer(400)],
  temporary: [
    answer(404),
    answer(500),
    answer(500, { code: 21211 }),
    answer(503, { code: 20503 }),
    answer(408),
    answer(400, { code: 21606 }),
    answer(404, { code: 20404 }),
  ],
  unauthorised: answer(401, { code: 20003, message: TOKEN, status: 401 }),
  throttled: (retryAfter: string) => answer(429, { code: 20429 }, { 'retry-after': retryAfter }),
  acceptedStatus: 201,
};

function formOf({ method, headers, body }: GatewayRequest): Record<string, string> {
  assert.equal(method, 'POST');
  assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
  assert.equal(headers.authorization, `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`);
  return Object.fromEntries(new URLSearchParams(body));
}

carrierContract({
  name: 'twilio, SMS',
  create: (url, ports) => createTwilioCarrier('gateway', optionsOf({ url }), ports),
  asksForReceipts: true,
  secrets: [TOKEN, Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')],
  says,
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    assert.equal(request.url, `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`);
    assert.deepEqual(formOf(request), {
      To: destination.address,
      From: '+12025550199',
      Body: text,
      ValidityPeriod: '36000',
      StatusCallback: CALLBACK_URL,
    });
  },
});

carrierContract({
  name: 'twilio, voice',
  create: (url, ports) => createTwilioCarrier('gateway', optionsOf({ url }), ports),
  message: { ...message, channel: 'voice' },
  asksForReceipts: true,
  secrets: [TOKEN],
  says,
  unreadable: 'accepted',
  verify(request, { destination }) {
    assert.equal(request.url, `/2010-04-01/Accounts/${ACCOUNT}/Calls.json`);
    const { Twiml = '', ...form } = formOf(request);
    assert.deepEqual(form, { To: destination.address, From: '+12025550199', StatusCallback: CALLBACK_URL });
    const say =
      /^<Response><Pause length="1"\/><Say language="sv-SE">([^<>]*)<\/Say><Pause length="1"\/><\/Response>$/;
    assert.match(say.exec(Twiml)?.[1] ?? '', /^482913 är din kod &amp; "inte" /);
  },
});

suite('twilio requests', () => {
  const account = { accountSid: ACCOUNT, authToken: TOKEN };
  const bodyOf = (request: object) => new URLSearchParams('body' in request ? String(request.body) : '');

  test('a messaging service has its own field', () => {
    const body = bodyOf(createMessageMaker(SYSTEM_CLOCK, account, { from: SERVICE }, undefined)(message));
    assert.equal(body.get('MessagingServiceSid'), SERVICE);
    assert.equal(body.has('From'), false);
    assert.equal(body.has('StatusCallback'), false);
  });

  test('an SMS is not valid after its code has expired', () => {
    const body = bodyOf(
      createMessageMaker(
        SYSTEM_CLOCK,
        account,
        { from: 'Acme' },
        undefined,
      )({ ...message, expiresAt: Date.now() + 60_500 }),
    );
    assert.equal(body.get('ValidityPeriod'), '60');
  });

  test('extensions are typed after the answer, SIP addresses called as they are', () => {
    const call = createCallMaker(account, { from: '+12025550199' }, undefined);
    const swedish = { language: 'sv-SE' };
    const extension = bodyOf(
      call(
        { ...message, destination: { address: 'tel:+12025550123;ext=12', kind: 'extension', country: 'US' } },
        swedish,
      ),
    );
    assert.equal(extension.get('To'), '+12025550123');
    assert.equal(extension.get('SendDigits'), 'ww12');
    const sip = bodyOf(
      call(
        { ...message, destination: { address: 'sip:alice@example.com', kind: 'sip', country: 'ZZ' } },
        swedish,
      ),
    );
    assert.equal(sip.get('To'), 'sip:alice@example.com');
  });
});

test('every documented error of Twilio', () =>
  assertErrorTable(TWILIO_ERRORS, {
    create: (url, ports) => createTwilioCarrier('gateway', optionsOf({ url }), ports),
    refuse: (code) => answer(400, { code: Number(code), message: `not shown ${message.code}`, status: 400 }),
    throttled: '10004 20429 21611 30001 63018',
    temporary: '20500 20503 63009 63010 63012',
    permanent:
      '21201 21202 21206 21211 21214 21216 21217 21265 21266 21268 21602 21604 21610 21614 21617 21635 ' +
      '63003 63014 63024 63031 63032 63033 63049 63106',
    configuration:
      '10001 10002 20003 20005 20006 20008 20403 20404 21205 21210 21212 21213 21601 21603 21606 21609 21655 21656 21659 21660 ' +
      '21661 21704 21705 30002 63001 63002 63005 63007 63008 63016 63020 63021 63022 63027 63028 63030 63038 63040 63041 63042',
    coverage: '21203 21215 21219 21267 21408 21608 21612 21703 63015',
  }));

/** Written from Twilio's documentation, not from our code. */
function sign(url: string, fields: readonly (readonly [string, string])[]): string {
  const data = [...fields]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .reduce((text, [name, value]) => text + name + value, url);
  return createHmac('sha1', TOKEN).update(data).digest('base64');
}

function callbackOf(url: string, fields: Record<string, string>): Callback {
  return {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': sign(url, Object.entries(fields)),
    },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  };
}

const receipts = {
  create: (ports: Parameters<typeof createTwilioCarrier>[2]) =>
    createTwilioCarrier('gateway', optionsOf({}), ports),
  unsign: (callback: Callback) => ({ ...callback, headers: {} }),
  coversUrl: true,
};

const common = { AccountSid: ACCOUNT, To: '+12025550123', From: '+12025550199' };

receiptContract({
  ...receipts,
  name: 'twilio, messages',
  undeliveredReason: '30005',
  report(event: Event, url) {
    const fields = {
      delivered: { MessageStatus: 'delivered' },
      undelivered: { MessageStatus: 'undelivered', ErrorCode: '30005' },
      pending: { MessageStatus: 'sent' },
      nonsense: {},
    };
    return callbackOf(url, { ...common, MessageSid: 'r-1', SmsSid: 'r-1', ...fields[event] });
  },
  inbound: (text, url) =>
    callbackOf(url, {
      ...{ MessageSid: 'SM1', SmsSid: 'SM1', SmsStatus: 'received', NumMedia: '0' },
      ...{ From: '+4915112345678', To: '+12025550199', Body: text },
    }),
});

receiptContract({
  ...receipts,
  name: 'twilio, calls',
  undeliveredReason: 'busy, SIP 486',
  report(event: Event, url) {
    const fields = {
      delivered: { CallStatus: 'completed', CallDuration: '12', SipResponseCode: '200' },
      undelivered: { CallStatus: 'busy', SipResponseCode: '486' },
      pending: { CallStatus: 'ringing' },
      nonsense: {},
    };
    return callbackOf(url, { ...common, CallSid: 'r-1', ...fields[event] });
  },
});

test('what somebody sends back over WhatsApp comes from their number, or from what WhatsApp calls them', async () => {
  const carrier = receipts.create({ ...UNHEARD, callbackUrl: CALLBACK_URL });
  const heardFrom = async (From: string) => {
    const fields = { MessageSid: 'SM1', SmsStatus: 'received', From, Body: 'STOP', ProfileName: 'Ada' };
    const answered = await carrier.readCallback?.(callbackOf(CALLBACK_URL, fields));
    assert.equal(answered?.kind, 'messages');
    return answered?.kind === 'messages' ? answered.messages[0] : undefined;
  };
  const said = { carrier: 'gateway', text: 'STOP' };
  assert.deepEqual(await heardFrom('whatsapp:+4915112345678'), { ...said, from: '+4915112345678' });
  const [from, orFrom] = ['+5215512345678', '+525512345678'];
  assert.deepEqual(await heardFrom(`whatsapp:${from}`), { ...said, from, orFrom });
  const user = 'whatsapp:BR.13491208655302741918';
  assert.deepEqual(await heardFrom(user), { ...said, from: undefined, user });
});

test('what Twilio understood as an opt-out counts, whatever the words were', async () => {
  const carrier = receipts.create({
    ...UNHEARD,
    callbackUrl: CALLBACK_URL,
  });
  const fields = { MessageSid: 'SM1', SmsStatus: 'received', From: '+4915112345678', Body: 'No more please' };
  assert.deepEqual(
    await carrier.readCallback?.(callbackOf(CALLBACK_URL, { ...fields, OptOutType: 'STOP' })),
    {
      kind: 'messages',
      messages: [{ carrier: 'gateway', from: '+4915112345678', text: 'STOP' }],
    },
  );
  const receipt = { ...fields, MessageStatus: 'sent' };
  assert.deepEqual(await carrier.readCallback?.(callbackOf(CALLBACK_URL, receipt)), {
    kind: 'receipts',
    receipts: [],
  });
  const elsewhere = { ...fields, From: 'messenger:4915112345678' };
  assert.deepEqual(await carrier.readCallback?.(callbackOf(CALLBACK_URL, elsewhere)), {
    kind: 'receipts',
    receipts: [],
  });
});

suite('twilio signatures', () => {
  const read = createCallbackReader('gateway', '12345');
  const callback = (url: string, signature: string, body: string): Callback => ({
    method: 'POST',
    url,
    headers: { 'x-twilio-signature': signature },
    body: Buffer.from(body),
  });
  const CALL =
    'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212';
  const URL = 'https://mycompany.com/myapp.php?foo=1&bar=2';

  // Published with Twilio's own libraries; genuine, but no status callback.
  const GENUINE: Readonly<Record<string, Callback>> = {
    'a form': callback(URL, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=', CALL),
    'a form, signed with the standard port': callback(URL, 'kvajT1Ptam85bY51eRf/AJRuM3w=', CALL),
    'a form, signed without the port it has': callback(
      URL.replace('.com', '.com:1234'),
      'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
      CALL,
    ),
    'several values of one field': callback(
      URL,
      'IK+Dwps556ElfBT0I3Rgjkr1wJU=',
      'Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234',
    ),
    'a body by its digest': callback(
      `${URL}&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620`,
      'a9nBmqA0ju/hNViExpshrM61xv4=',
      '{"property": "value", "boolean": true}',
    ),
  };

  for (const [what, genuine] of Object.entries(GENUINE)) {
    test(`known answer: ${what}`, () => assert.equal(read(genuine).kind, 'malformed'));
    test(`known answer altered: ${what}`, () => {
      assert.equal(read({ ...genuine, body: Buffer.from(`${genuine.body} `) }).kind, 'forged');
    });
  }

  test('a digest of another body does not help', () => {
    const digest = createHash('sha256').update('{}').digest('hex');
    const url = `${URL}&bodySHA256=${digest}`;
    const signature = createHmac('sha1', '12345').update(url).digest('base64');
    assert.equal(read(callback(url, signature, '{}')).kind, 'malformed');
    assert.equal(read(callback(url, signature, '{"MessageSid":"SM1"}')).kind, 'forged');
  });
});
