import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { createTelegramCarrier } from '../../../src/carriers/telegram/carrier.ts';
import { TELEGRAM_ERRORS } from '../../../src/carriers/telegram/errors.ts';
import { telegramOptions } from '../../../src/carriers/telegram/options.ts';
import { createPermits } from '../../../src/carriers/telegram/permits.ts';
import {
  type Callback,
  type CarrierPorts,
  type Deadline,
  NOT_WANTED,
  type Outcome,
  type OutgoingMessage,
} from '../../../src/core/sending/carrier.ts';
import { CALLBACK_URL, carrierContract, message as sms } from '../contract.ts';
import { assertErrorTable } from '../error-table.ts';
import { answer, type Gateway, reset, startGateway } from '../gateway.ts';
import { decodeOptions } from '../options.ts';
import { UNHEARD } from '../ports.ts';
import { receiptContract } from '../receipt-contract.ts';

const TOKEN = 'AAEFAAAA-telegram-gateway-token';

const message = { ...sms, channel: 'telegram' } as const;
const create = (url: string, ports: CarrierPorts) =>
  createTelegramCarrier(
    'gateway',
    decodeOptions(telegramOptions, {
      ...{ type: 'telegram', token: TOKEN, senderUsername: 'acme_codes', url },
    }),
    ports,
  );

const ok = (requestId: string, status = 200) =>
  answer(status, {
    ok: true,
    result: { request_id: requestId, phone_number: '+12025550123', request_cost: 0.01 },
  });
const refused = (error: string, status = 200) => answer(status, { ok: false, error });

carrierContract({
  name: 'telegram',
  create,
  message,
  before: (path) => (path === '/checkSendAbility' ? ok('permit-1') : undefined),
  asksForReceipts: true,
  secrets: [TOKEN],
  says: {
    accepted: ok,
    permanent: [refused('PHONE_NUMBER_NOT_FOUND'), refused('CODE_INVALID', 400), answer(400)],
    temporary: [
      answer(500),
      refused('REQUEST_ID_INVALID'),
      refused('SOMETHING_NEW'),
      refused('BALANCE_NOT_ENOUGH'),
    ],
    unauthorised: refused('ACCESS_TOKEN_INVALID', 401),
    throttled: (retryAfter) =>
      /^\d+$/.test(retryAfter)
        ? refused(`FLOOD_WAIT_${retryAfter}`)
        : answer(429, '', { 'retry-after': retryAfter }),
    acceptedStatus: 200,
  },
  unreadable: 'temporary',
  verify(request, { destination, code }) {
    assert.equal(request.method, 'POST');
    assert.equal(request.url, '/sendVerificationMessage');
    assert.equal(request.headers.authorization, `Bearer ${TOKEN}`);
    assert.deepEqual(JSON.parse(request.body), {
      phone_number: destination.address,
      request_id: 'permit-1',
      code,
      ttl: 3_600,
      sender_username: 'acme_codes',
      callback_url: CALLBACK_URL,
    });
  },
});

test('every known error of the Gateway API', () =>
  assertErrorTable(TELEGRAM_ERRORS, {
    create,
    message,
    refuse: (error) => refused(error, error === '999' ? 400 : 200),
    throttled: 'FLOOD_WAIT',
    temporary: 'REQUEST_ID_INVALID',
    permanent:
      'CODE_INVALID CODE_LENGTH_INVALID PHONE_NUMBER_INVALID PHONE_NUMBER_NOT_AVAILABLE PHONE_NUMBER_NOT_FOUND',
    unclear: 'PHONE_NUMBER_MISMATCH REQUEST_ID_REQUIRED TTL_INVALID',
    configuration:
      'ACCESS_TOKEN_INVALID ACCESS_TOKEN_REQUIRED BALANCE_NOT_ENOUGH CALLBACK_URL_INVALID SENDER_NOT_OWNED ' +
      'SENDER_NOT_VERIFIED SENDER_USERNAME_INVALID UNKNOWN_METHOD',
  }));

suite('asking Telegram first', () => {
  type Send = (more?: Partial<OutgoingMessage>, deadline?: Deadline) => Promise<Outcome>;
  const withGateway = async (use: (gateway: Gateway, send: Send) => Promise<void>) => {
    const gateway = await startGateway();
    const carrier = create(gateway.url, {
      ...UNHEARD,
    });
    const send: Send = async (more = {}, deadline = { signal: AbortSignal.timeout(20_000) }) =>
      carrier.submit({ ...message, ...more }, deadline);
    try {
      await use(gateway, send);
    } finally {
      await carrier.stop();
      await gateway.close();
    }
  };
  const asked = ({ requests }: Gateway) =>
    requests.map(({ url, body }) => [url.slice(1), JSON.parse(body).request_id ?? null]);

  test('a number that cannot receive codes is sent none, and another carrier takes over', () =>
    withGateway(async (gateway, send) => {
      gateway.play(refused('PHONE_NUMBER_NOT_AVAILABLE'));
      assert.deepEqual(await send(), {
        kind: 'permanent',
        reason: 'PHONE_NUMBER_NOT_AVAILABLE cannot receive codes',
      });
      assert.deepEqual(asked(gateway), [['checkSendAbility', null]]);
      assert.ok(
        !gateway.requests.some(({ body }) => body.includes(message.code)),
        'the code is not needed yet',
      );
    }));

  test('the message goes under the request that was paid for, also when it is tried again', () =>
    withGateway(async (gateway, send) => {
      gateway.play(ok('paid'), answer(503), reset, ok('paid'));
      const reserved = { reserved: true };
      const kinds: string[] = [];
      for (let n = 0; n < 3; n++) kinds.push((await send(reserved)).kind);
      assert.deepEqual(kinds, ['temporary', 'temporary', 'accepted']);
      assert.deepEqual(asked(gateway), [
        ['checkSendAbility', null],
        ['sendVerificationMessage', 'paid'],
        ['sendVerificationMessage', 'paid'],
        ['sendVerificationMessage', 'paid'],
      ]);
    }));

  test('a try whose answer was lost counts as taken when Telegram says that it was', () =>
    withGateway(async (gateway, send) => {
      gateway.play(ok('paid'), reset, refused('MESSAGE_ALREADY_SENT'));
      const reserved = { reserved: true };
      await send(reserved);
      assert.deepEqual(await send(reserved), { kind: 'accepted', reference: 'paid' });
    }));

  test('a request that Telegram has forgotten is opened again', () =>
    withGateway(async (gateway, send) => {
      gateway.play(ok('old'), refused('REQUEST_ID_INVALID'), ok('new'), ok('new'));
      await send();
      assert.deepEqual(await send(), { kind: 'accepted', reference: 'new' });
      assert.deepEqual(asked(gateway).at(-1), ['sendVerificationMessage', 'new']);
    }));

  test('a message that another node has taken over meanwhile is not sent under the answer', () =>
    withGateway(async (gateway, send) => {
      gateway.play(ok('paid'));
      const deadline: Deadline = {
        signal: AbortSignal.timeout(20_000),
        get wanted() {
          return gateway.requests.length === 0;
        },
      };
      assert.deepEqual(await send({}, deadline), NOT_WANTED);
      assert.deepEqual(asked(gateway), [['checkSendAbility', null]]);
    }));

  test('a code that it does not take costs nothing', () =>
    withGateway(async (gateway, send) => {
      for (const code of ['ABC123', '123', '123456789']) {
        assert.deepEqual(await send({ code }), {
          kind: 'permanent',
          reason: 'takes only codes of 4 to 8 digits',
        });
      }
      assert.equal(gateway.requests.length, 0);
    }));

  test('it is told how long the code is valid, within its bounds', () =>
    withGateway(async (gateway, send) => {
      gateway.play(ok('r-1'));
      await send({ expiresAt: Date.now() + 1_000 });
      await send({ expiresAt: Date.now() + 600_000 });
      const [soon, later] = gateway.requests.map(({ body }) => JSON.parse(body).ttl).filter(Number.isInteger);
      assert.equal(soon, 30);
      assert.ok(later > 540 && later <= 600, String(later));
    }));

  test('what was paid for is kept within bounds', () => {
    const permits = createPermits(2);
    for (const id of ['a', 'b', 'c']) permits.keep(id, `of ${id}`);
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => permits.of(id)),
      [undefined, 'of b', 'of c'],
    );
    permits.forget('b');
    assert.equal(permits.of('b'), undefined);
  });
});

function callbackOf(body: object, url: string, at: number): Callback {
  const bytes = Buffer.from(JSON.stringify(body));
  const timestamp = String(Math.floor(at / 1_000));
  const key = createHash('sha256').update(TOKEN).digest();
  const signature = createHmac('sha256', key).update(`${timestamp}\n${bytes}`).digest('hex');
  return {
    method: 'POST',
    url,
    headers: { 'x-request-timestamp': timestamp, 'x-request-signature': signature },
    body: bytes,
  };
}

receiptContract({
  name: 'telegram',
  create: (ports) => create('https://gatewayapi.telegram.org', ports),
  undeliveredReason: 'expired',
  coversUrl: false,
  toleranceMs: 300_000,
  report(event, url, at) {
    const of = (status: string) => ({
      ...{ request_id: 'r-1', phone_number: '+12025550123', request_cost: 0.01 },
      delivery_status: { status, updated_at: Math.floor(at / 1_000) },
    });
    const bodies = {
      delivered: of('delivered'),
      undelivered: of('expired'),
      pending: of('sent'),
      nonsense: {},
    };
    return callbackOf(bodies[event], url, at);
  },
  unsign: ({ headers: { 'x-request-signature': _, ...headers }, ...callback }) => ({ ...callback, headers }),
});
