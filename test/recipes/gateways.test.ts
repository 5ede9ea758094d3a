/** The configurations of docs/recipes/gateways.md: each is valid, and sends a message as its gateway wants it. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { createWorkplace } from '../../src/cli/fixture.ts';
import type { Callback, Carrier, OutgoingMessage } from '../../src/core/sending/carrier.ts';
import { message } from '../carriers/contract.ts';
import { answer, type GatewayRequest, type Reaction, startGateway } from '../carriers/gateway.ts';
import { withCarrier } from './gateway-carrier.ts';
import { filesOf } from './page.ts';

const RECEIPTS = 'https://verify.example.com/carriers/gateway/receipts';
const REGISTRATION = { entity: '1101456324675322134', template: '1107161234567890123' };

interface Exchange {
  readonly taken: Reaction;
  /** As the gateway refuses the message, and how that is understood. */
  readonly refused: readonly [Reaction, 'temporary' | 'permanent'];
  readonly reference?: string;
  /** What the gateway must get. */
  readonly sent: object;
  readonly path: string;
  /** A callback about the message; `url` is the address that it was sent with. */
  readonly callback?: (url: string) => Callback;
}

const read = ({ body, url, headers }: GatewayRequest): Record<string, unknown> => {
  if (String(headers['content-type']).startsWith('application/json')) return JSON.parse(body);
  const query = body === '' ? new URL(url, 'http://gateway').searchParams : new URLSearchParams(body);
  return Object.fromEntries(query);
};

const post = (url: string, type: string, body: string, headers = {}): Callback => ({
  ...{ method: 'POST', url, body: Buffer.from(body) },
  headers: { 'content-type': type, ...headers },
});
const form = (url: string, fields: Record<string, string>) =>
  post(url, 'application/x-www-form-urlencoded', new URLSearchParams(fields).toString());

const { text, code } = message;
const to = '+4915112345678';
const digits = to.slice(1);
const OUTGOING: OutgoingMessage = {
  ...message,
  destination: { address: to, kind: 'e164', country: 'DE' },
  registration: REGISTRATION,
};

const africasTalking = (statusCode: number) =>
  answer(201, {
    SMSMessageData: {
      Message: 'Sent to 1/1 Total Cost: KES 0.8000',
      Recipients: [{ statusCode, number: to, status: 'x', cost: 'KES 0.8000', messageId: 'r-1' }],
    },
  });

const EXCHANGES: Readonly<Record<string, Exchange>> = {
  'africastalking.yaml': {
    path: '/version1/messaging',
    taken: africasTalking(101),
    refused: [africasTalking(403), 'permanent'],
    reference: 'r-1',
    sent: { username: 'your-username', to, from: 'Acme', message: text },
    callback: () =>
      form(`${RECEIPTS}?token=a-secret-of-32-characters-here-1`, {
        ...{ id: 'r-1', status: 'Success', phoneNumber: to, networkCode: '63902', retryCount: '0' },
      }),
  },
  'msg91.yaml': {
    path: '/api/v5/flow',
    taken: answer(200, { message: 'r-1', type: 'success' }),
    refused: [answer(200, { message: 'Template ID Missing', type: 'error' }), 'temporary'],
    reference: 'r-1',
    sent: { template_id: 'your-template-id', short_url: '0', recipients: [{ mobiles: digits, code }] },
  },
  'kaleyra.yaml': {
    path: '/v1/HXIN0000000000IN/messages',
    taken: answer(202, { id: 'r-1', type: 'OTP', totalCount: 1, data: [{ message_id: 'r-1:1' }], error: {} }),
    refused: [answer(400, { code: 'RBC001', message: 'Bad request' }), 'permanent'],
    reference: 'r-1',
    sent: { to, type: 'OTP', sender: 'ACMEIN', body: text, template_id: REGISTRATION.template },
  },
  'bird.yaml': {
    path: '/workspaces/your-workspace-id/channels/your-channel-id/messages',
    taken: answer(202, { id: 'r-1', channelId: 'c', status: 'accepted' }),
    refused: [answer(422, { code: 'InvalidPayload' }), 'permanent'],
    reference: 'r-1',
    sent: {
      receiver: { contacts: [{ identifierKey: 'phonenumber', identifierValue: to }] },
      body: { type: 'text', text: { text } },
    },
  },
  'bulksms.yaml': {
    path: '/v1/messages?auto-unicode=true',
    taken: answer(201, [{ id: 'r-1', type: 'SENT', status: { id: 'ACCEPTED.null', type: 'ACCEPTED' } }]),
    refused: [answer(400, { type: 'bad-request' }), 'permanent'],
    reference: 'r-1',
    sent: { to, from: 'Acme', body: text },
  },
  'textlocal.yaml': {
    path: '/send/',
    taken: answer(200, { batch_id: 1, num_messages: 1, messages: [{ id: '2' }], status: 'success' }),
    refused: [answer(200, { errors: [{ code: 7, message: 'x' }], status: 'failure' }), 'temporary'],
    sent: { apikey: 'your-api-key', numbers: digits, sender: 'Acme', message: text },
    callback: (url) =>
      form(url, { number: digits, status: 'D', customID: '', datetime: '2026-11-23 12:00:00' }),
  },
  'smsc-ru.yaml': {
    path: '/sys/send.php',
    taken: answer(200, { id: 77, cnt: 1 }),
    refused: [answer(200, { error: 'invalid number', error_code: 7 }), 'permanent'],
    reference: '77',
    sent: {
      ...{ login: 'your-login', psw: 'your-password', phones: digits, mes: text },
      ...{ sender: 'Acme', charset: 'utf-8', fmt: '3' },
    },
  },
  'android.yaml': {
    path: '/message',
    taken: answer(202, { id: 'r-1', state: 'Pending', recipients: [] }),
    refused: [answer(401), 'temporary'],
    reference: 'r-1',
    sent: { textMessage: { text }, phoneNumbers: [to] },
    callback() {
      const time = String(Math.floor(Date.now() / 1_000));
      const payload = {
        messageId: 'r-1',
        phoneNumber: to,
        simNumber: 1,
        deliveredAt: '2026-11-23T12:00:00Z',
      };
      const body = JSON.stringify({
        deviceId: 'd',
        event: 'sms:delivered',
        id: 'e',
        payload,
        webhookId: 'w',
      });
      const signature = createHmac('sha256', 'your-signing-key').update(body).update(time).digest('hex');
      const headers = { 'x-signature': signature, 'x-timestamp': time };
      return post(RECEIPTS, 'application/json', body, headers);
    },
  },
  'kannel.yaml': {
    path: '/cgi-bin/sendsms',
    taken: answer(202, '0: Accepted for delivery'),
    refused: [answer(503, 'Temporal failure, try again later.'), 'temporary'],
    sent: {
      ...{ username: 'your-user', password: 'your-password', from: to, to, text },
      ...{ charset: 'UTF-8', coding: '2', 'dlr-mask': '19' },
    },
    callback: (url) => ({ method: 'GET', url: url.replace('%d', '1'), headers: {}, body: Buffer.alloc(0) }),
  },
};

const FILES = new Map([...filesOf('gateways.md')].filter(([name]) => name.endsWith('.yaml')));

/** The callback counts, and not without its proof. */
async function assertProven(carrier: Carrier, callback: Callback, reference: string | undefined) {
  const receipts = [{ carrier: 'gateway', references: [reference], status: 'delivered' }];
  assert.deepEqual(await carrier.readCallback?.(callback), { kind: 'receipts', receipts });
  const url = callback.url.replace(/(token=).*?(&|$)/, '$1x$2');
  const { 'x-signature': _, ...headers } = callback.headers;
  assert.deepEqual(await carrier.readCallback?.({ ...callback, url, headers }), { kind: 'forged' });
}

test('every gateway of the page is tried here', () => {
  assert.deepEqual([...FILES.keys()].toSorted(), Object.keys(EXCHANGES).toSorted());
});

for (const [name, yaml] of FILES) {
  suite(`the recipe ${name}`, () => {
    const exchange = EXCHANGES[name];
    assert.ok(exchange);

    test('is valid', async () => {
      using place = createWorkplace();
      place.write('countersign.yaml', yaml);
      const { status, stdout, stderr } = await place.run(['config', 'check']);
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^ok\n/);
    });

    test('sends what its gateway wants, and understands its answers', async () => {
      const gateway = await startGateway();
      const [refusal, kind] = exchange.refused;
      gateway.play(exchange.taken, refusal);
      try {
        await withCarrier(yaml, { gateway: gateway.url, receipts: RECEIPTS }, async (carrier) => {
          const submit = () => carrier.submit(OUTGOING, { signal: AbortSignal.timeout(5_000) });
          const outcome = await submit();
          assert.ok(outcome.kind === 'accepted', outcome.kind);
          const [request] = gateway.requests;
          assert.ok(request !== undefined);
          assert.ok(request.url.startsWith(exchange.path), request.url);
          const { receipt_url, 'dlr-url': dlrUrl, ...sent } = read(request);
          assert.deepEqual(sent, exchange.sent);
          if (exchange.reference !== undefined) assert.equal(outcome.reference, exchange.reference);
          const callback = exchange.callback?.(String(receipt_url ?? dlrUrl));
          if (callback !== undefined) await assertProven(carrier, callback, outcome.reference);
          assert.equal((await submit()).kind, kind);
        });
      } finally {
        await gateway.close();
      }
    });
  });
}
