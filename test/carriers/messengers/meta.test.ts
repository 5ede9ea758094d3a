import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import Value from 'typebox/value';
import { createMetaCarrier } from '../../../src/carriers/meta/carrier.ts';
import { META_ERRORS } from '../../../src/carriers/meta/errors.ts';
import { metaOptions } from '../../../src/carriers/meta/options.ts';
import type { Callback, CarrierPorts } from '../../../src/core/sending/carrier.ts';
import { CALLBACK_URL, carrierContract, message as sms } from '../contract.ts';
import { assertErrorTable } from '../error-table.ts';
import { answer } from '../gateway.ts';
import { decodeOptions } from '../options.ts';
import { UNHEARD } from '../ports.ts';
import { receiptContract } from '../receipt-contract.ts';

const TOKEN = 'EAAJ-meta-access-token';
/** Of somebody with a username, WhatsApp tells an id that is theirs with this business only. */
const USER = 'BR.13491208655302741918';
const SECRET = 'meta-app-secret';
const VERIFY = 'meta-verify-token-of-ours';
const PHONE = '106540352242922';

const message = { ...sms, channel: 'whatsapp' } as const;
const optionsOf = (written: Record<string, unknown>) =>
  decodeOptions(metaOptions, {
    ...{ type: 'meta', phoneNumberId: PHONE, accessToken: TOKEN },
    ...{ template: 'sign_in', language: 'en_US', languages: ['pt_BR', 'zh_CN', 'sv'] },
    ...{ webhook: { appSecret: SECRET, verifyToken: VERIFY } },
    ...written,
  });
const create = (url: string, ports: CarrierPorts) => createMetaCarrier('gateway', optionsOf({ url }), ports);

const refusal = (code: number, status = 400) =>
  answer(status, {
    error: { message: `(#${code}) to +12025550123: 482913`, type: 'OAuthException', code, fbtrace_id: 'A' },
  });

carrierContract({
  name: 'meta',
  create,
  message,
  asksForReceipts: true,
  secrets: [TOKEN, SECRET, VERIFY],
  says: {
    accepted: (reference, status = 200) =>
      answer(status, {
        messaging_product: 'whatsapp',
        contacts: [{ input: '+12025550123', wa_id: '12025550123' }],
        messages: [{ id: reference, message_status: 'accepted' }],
      }),
    permanent: [refusal(131026), answer(400)],
    temporary: [refusal(131000, 500), refusal(131016, 503), refusal(132001), answer(500)],
    unauthorised: refusal(190, 401),
    throttled: (retryAfter) => answer(400, { error: { code: 130429 } }, { 'retry-after': retryAfter }),
    acceptedStatus: 200,
  },
  unreadable: 'accepted',
  verify(request, { destination, code }) {
    assert.equal(request.method, 'POST');
    assert.equal(request.url, `/v24.0/${PHONE}/messages`);
    assert.equal(request.headers.authorization, `Bearer ${TOKEN}`);
    const parameters = [{ type: 'text', text: code }];
    assert.deepEqual(JSON.parse(request.body), {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: destination.address,
      type: 'template',
      template: {
        name: 'sign_in',
        language: { policy: 'deterministic', code: 'sv' },
        components: [
          { type: 'body', parameters },
          { type: 'button', sub_type: 'url', index: '0', parameters },
        ],
      },
    });
  },
});

test('every documented error of the Cloud API', () =>
  assertErrorTable(META_ERRORS, {
    create,
    message,
    refuse: (code) => refusal(Number(code)),
    throttled: '4 80007 130429 131056',
    temporary: '1 2 131000 131016 131057 133004',
    permanent: '130472 131021 131026 131043 131047 131049 131050',
    unclear: '100 131009 135000',
    configuration:
      '0 3 10 33 190 368 131005 131008 131031 131037 131042 131045 131048 131051 131062 132000 132001 132005 132007 ' +
      `132012 132015 132016 133010 ${Array.from({ length: 100 }, (_, index) => 200 + index).join(' ')}`,
    coverage: '130497 131030',
  }));

test('a language that Meta has no templates in is refused at the start', () => {
  const isTaken = (written: Record<string, unknown>) =>
    Value.Check(metaOptions, { ...optionsOf({}), ...written });
  assert.equal(isTaken({}), true);
  for (const language of ['xx', 'pt_PR', 'pt-BR', 'EN', '']) {
    assert.equal(isTaken({ language }), false, language);
    assert.equal(isTaken({ languages: ['de', language] }), false, language);
  }
});

type Status = Record<string, unknown>;

/** As Meta sends it: any number of entries, of changes, of statuses. */
const payload = (value: Status, phone = PHONE) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '102290129340398',
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '15550783881', phone_number_id: phone },
            ...value,
          },
        },
      ],
    },
  ],
});

function callbackOf(body: object, url: string, secret = SECRET): Callback {
  const bytes = Buffer.from(JSON.stringify(body));
  const mac = createHmac('sha256', secret).update(bytes).digest('hex');
  return { method: 'POST', url, headers: { 'x-hub-signature-256': `sha256=${mac}` }, body: bytes };
}

const status = (word: string, more: Status = {}): Status => ({
  ...{ id: 'r-1', status: word, timestamp: '1750857384', recipient_id: '12025550123' },
  ...more,
});
const said = (body: string): Status => ({
  ...{ from: '4915112345678', id: 'wamid.1', timestamp: '1750857384', type: 'text', text: { body } },
});

receiptContract({
  name: 'meta',
  create: (ports) => create('https://graph.facebook.com', ports),
  undeliveredReason: 'failed, error 131026',
  coversUrl: false,
  report(event, url) {
    const bodies = {
      delivered: payload({ statuses: [status('delivered')] }),
      undelivered: payload({
        statuses: [status('failed', { errors: [{ code: 131026, title: 'Message undeliverable' }] })],
      }),
      pending: payload({ statuses: [status('sent')] }),
      nonsense: {},
    };
    return callbackOf(bodies[event], url);
  },
  inbound: (text, url) => callbackOf(payload({ messages: [said(text)] }), url),
  unsign: (callback) => ({ ...callback, headers: {} }),
});

suite('the webhook of a WhatsApp app', () => {
  const carrier = create('https://graph.facebook.com', {
    ...UNHEARD,
    callbackUrl: CALLBACK_URL,
  });
  const read = (callback: Callback) => carrier.readCallback?.(callback);
  const get = (query: string): Callback => ({
    method: 'GET',
    url: `${CALLBACK_URL}?${query}`,
    headers: {},
    body: Buffer.alloc(0),
  });
  const handshake = (token: string, challenge = '1158201444', mode = 'subscribe') =>
    read(get(`hub.mode=${mode}&hub.challenge=${challenge}&hub.verify_token=${token}`));

  test('the handshake is answered to whoever knows the token', () => {
    assert.deepEqual(handshake(VERIFY), { kind: 'challenge', echo: '1158201444' });
    assert.deepEqual(handshake('another-token-of-someone'), { kind: 'forged' });
    assert.deepEqual(handshake(''), { kind: 'forged' });
    assert.deepEqual(handshake(VERIFY, '1', 'unsubscribe'), { kind: 'forged' });
    assert.deepEqual(handshake(VERIFY, '<script>'), { kind: 'forged' });
    assert.deepEqual(read(get('')), { kind: 'forged' });
  });

  test('a status may not be claimed by GET', () => {
    const genuine = callbackOf(payload({ statuses: [status('delivered')] }), CALLBACK_URL);
    assert.deepEqual(read({ ...genuine, method: 'GET' }), { kind: 'forged' });
  });

  test('read counts as delivered, and many statuses come at once, beside what people said', () => {
    const statuses = [status('read'), status('failed', { id: 'r-2' }), status('sent', { id: 'r-3' })];
    const answered = read(callbackOf(payload({ statuses, messages: [said('STOP')] }), CALLBACK_URL));
    assert.deepEqual(answered, {
      kind: 'receipts',
      receipts: [
        { carrier: 'gateway', references: ['r-1'], status: 'delivered' },
        { carrier: 'gateway', references: ['r-2'], status: 'undelivered', reason: 'failed' },
      ],
      messages: [{ carrier: 'gateway', from: '+4915112345678', text: 'STOP' }],
    });
  });

  test('a status that names no message, or no state, is counted as unreadable', () => {
    const statuses = [status('read'), status('read', { id: undefined }), { id: 'r-2' }];
    assert.deepEqual(read(callbackOf(payload({ statuses }), CALLBACK_URL)), {
      kind: 'receipts',
      receipts: [{ carrier: 'gateway', references: ['r-1'], status: 'delivered' }],
      unreadable: 2,
    });
  });

  test('what a person said has both spellings of their number where WhatsApp keeps an older one', () => {
    const heardFrom = (from: string | undefined) => {
      const messages = [{ ...said('STOP'), from, from_user_id: USER }];
      const answered = read(callbackOf(payload({ messages }), CALLBACK_URL));
      assert.ok(answered !== undefined && 'kind' in answered && answered.kind === 'messages');
      return answered.messages.map(({ from: number, orFrom, user }) => {
        assert.equal(user, `whatsapp:${USER}`);
        return [number, orFrom];
      });
    };
    assert.deepEqual(heardFrom('5215512345678'), [['+5215512345678', '+525512345678']]);
    assert.deepEqual(heardFrom('559281723241'), [['+559281723241', '+5592981723241']]);
    assert.deepEqual(heardFrom('22997123456'), [['+22997123456', '+2290197123456']]);
    // A landline, a number of today, and numbers of other countries.
    for (const from of ['551134567890', '5592981723241', '525512345678', '4915112345678', '12025550123'])
      assert.deepEqual(heardFrom(from), [[`+${from}`, undefined]], from);
    // Of somebody with a username.
    assert.deepEqual(heardFrom(undefined), [[undefined, undefined]]);
    assert.deepEqual(heardFrom(USER), [[undefined, undefined]]);
  });

  test('a receipt says what WhatsApp calls the person, whether or not it tells the number', () => {
    const of = (more: Status) => {
      const answered = read(callbackOf(payload({ statuses: [status('delivered', more)] }), CALLBACK_URL));
      assert.ok(answered !== undefined && 'kind' in answered && answered.kind === 'receipts');
      return answered.receipts.map(({ user }) => user);
    };
    assert.deepEqual(of({ recipient_user_id: USER }), [`whatsapp:${USER}`]);
    assert.deepEqual(of({ recipient_user_id: USER, recipient_id: undefined }), [`whatsapp:${USER}`]);
    for (const none of [undefined, '', '4915112345678', 'somebody', 7])
      assert.deepEqual(of({ recipient_user_id: none }), [undefined], String(none));
  });

  test('what Meta does not charge for costs nothing; what it charges for, it does not tell', () => {
    const of = (pricing: unknown) => {
      const answered = read(
        callbackOf(payload({ statuses: [status('delivered', { pricing })] }), CALLBACK_URL),
      );
      assert.ok(answered !== undefined && 'kind' in answered && answered.kind === 'receipts');
      return answered.receipts.map(({ price }) => price?.amount);
    };
    const pricing = { pricing_model: 'PMP', category: 'authentication', type: 'regular' };
    assert.deepEqual(of({ ...pricing, billable: false }), [0]);
    for (const paid of [{ ...pricing, billable: true }, pricing, undefined, 'free'])
      assert.deepEqual(of(paid), [undefined]);
  });

  test('a request may be as large as Meta makes it', () =>
    assert.equal(carrier.largestCallback, 3 * 1_024 * 1_024));

  test('what concerns another number of the app is passed over', () => {
    const other = payload({ statuses: [status('delivered')], messages: [said('STOP')] }, '999999');
    assert.deepEqual(read(callbackOf(other, CALLBACK_URL)), { kind: 'receipts', receipts: [] });
  });

  test('another secret, or no prefix, is no signature', () => {
    const body = payload({ statuses: [status('delivered')] });
    assert.deepEqual(read(callbackOf(body, CALLBACK_URL, 'another')), { kind: 'forged' });
    const genuine = callbackOf(body, CALLBACK_URL);
    const bare = String(genuine.headers['x-hub-signature-256']).replace('sha256=', '');
    assert.deepEqual(read({ ...genuine, headers: { 'x-hub-signature-256': bare } }), { kind: 'forged' });
  });

  test('without a webhook there are no receipts', () => {
    const ports = {
      ...UNHEARD,
      callbackUrl: CALLBACK_URL,
    };
    const silent = createMetaCarrier('gateway', optionsOf({ webhook: undefined }), ports);
    assert.equal(silent.readCallback, undefined);
  });
});
