/** WhatsApp and Telegram in the whole service: who may ask for them, what is sent, and what becomes of it. */
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { eventually, freshNumber } from '../../acceptance/client.ts';
import { type Gateway as Fallback, openGateway } from '../../faults/gateway.ts';
import { type Service, startService } from '../../service.ts';
import { answer, type Gateway, startGateway } from '../gateway.ts';

const ACCESS = 'EAAJ-access-token-of-meta';
const SECRET = 'secret-of-the-app';
const VERIFY = 'token-of-the-handshake';
const GATEWAY_TOKEN = 'AAEF-token-of-telegram';
const PHONE = '106540352242922';
const PATH = '/carriers/meta/receipts';
/** A mobile number of Fiji. */
const FIJI = '+6797012345';

suite('further channels in the whole service', () => {
  let whatsapp: Gateway;
  let fallback: Fallback;
  let service: Service;
  /** What Telegram was told. */
  const brought: string[] = [];

  before(async () => {
    whatsapp = await startGateway();
    fallback = await openGateway();
    service = await startService({
      config: {
        publicUrl: 'https://verify.example.com',
        // Telegram takes no longer ones. Six digits stand now and then in a log and in metrics by chance.
        code: { length: 8 },
        carriers: {
          meta: {
            ...{ type: 'meta', url: whatsapp.url, phoneNumberId: PHONE, accessToken: ACCESS },
            ...{ template: 'sign_in', language: 'en_US', languages: ['de'] },
            webhook: { appSecret: SECRET, verifyToken: VERIFY },
          },
          gateway: { ...fallback.carrier, channels: ['whatsapp'] },
          telegram: { type: 'telegram', url: whatsapp.url, token: GATEWAY_TOKEN },
        },
        routes: [
          { channel: 'sms', carriers: ['simulator'] },
          { channel: 'whatsapp', carriers: ['meta', 'gateway'] },
          { channel: 'telegram', countries: ['FJ'], carriers: ['telegram'] },
        ],
      },
    });
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await fallback?.[Symbol.asyncDispose]();
    await whatsapp?.close();
  });

  const accepts = (id: string) => whatsapp.play(answer(200, { messages: [{ id }] }));
  const codeIn = (body = '{}'): string =>
    JSON.parse(body).template?.components?.[0]?.parameters?.[0]?.text ?? '';

  /** A message that Meta has taken under this id. */
  async function send(id: string) {
    accepts(id);
    const seen = whatsapp.requests.length;
    const number = freshNumber();
    const { status, json } = await service.client.verify(number, 'whatsapp');
    assert.equal(status, 200);
    assert.deepEqual([json.destination, json.channel], [number, 'whatsapp']);
    const request = await eventually(async () => whatsapp.requests[seen], 10_000);
    return { id: json.id ?? '', number, code: codeIn(request?.body), url: request?.url };
  }

  const report = (statuses: readonly object[], secret = SECRET) => tell({ statuses }, secret);
  const tell = async (told: object, secret = SECRET) => {
    const raw = JSON.stringify({
      entry: [{ changes: [{ value: { metadata: { phone_number_id: PHONE }, ...told } }] }],
    });
    const mac = createHmac('sha256', secret).update(raw).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${mac}` };
    return (await service.client.post(PATH, undefined, { raw, key: null, headers })).status;
  };

  const stateOf = async (id: string) =>
    JSON.parse((await service.client.get(`/verifications/${id}`)).text).status;
  const submitted = async (id: string) => {
    const isSo = async () => (await stateOf(id)) === 'submitted' || undefined;
    assert.ok(await eventually(isSo, 10_000), 'it was not submitted');
  };

  test('a code goes over WhatsApp, is reported delivered, and is confirmed', async () => {
    const sent = await send('wamid.1');
    assert.match(sent.code, /^\d{8}$/);
    assert.ok(!sent.url?.includes(sent.code), 'no code in an address');
    await submitted(sent.id);
    assert.equal(await report([{ id: 'wamid.1', status: 'delivered' }], 'another secret'), 403);
    assert.equal(await stateOf(sent.id), 'submitted');
    assert.equal(await report([{ id: 'wamid.1', status: 'delivered' }]), 200);
    assert.equal(await stateOf(sent.id), 'delivered');
    assert.equal(await report([{ id: 'wamid.1', status: 'failed', errors: [{ code: 131026 }] }]), 200);
    assert.equal(await stateOf(sent.id), 'delivered', 'an outcome is taken once');
    assert.equal((await service.client.confirm(sent.id, sent.code)).status, 200);
  });

  test('a number that is not on WhatsApp: the next carrier of the route sends the same code', async () => {
    const sent = await send('wamid.2');
    await submitted(sent.id);
    const seen = fallback.received.length;
    assert.equal(await report([{ id: 'wamid.2', status: 'failed', errors: [{ code: 131026 }] }]), 200);
    const moved = await eventually(async () => fallback.received[seen], 10_000);
    assert.deepEqual([moved?.to, moved?.code], [sent.number, sent.code]);
  });

  test('STOP of somebody with a username, whose number WhatsApp hides, stops codes to their number', async () => {
    const user = 'GB.13491208655302741918';
    const say = (body: string, from_user_id = user) =>
      tell({ messages: [{ id: 'wamid.said', from_user_id, type: 'text', text: { body } }] });
    const sent = await send('wamid.3');
    await submitted(sent.id);
    assert.equal(await say('STOP'), 200, 'nobody knows who that is');
    assert.equal((await service.client.verify(sent.number)).status, 200);
    assert.equal(await report([{ id: 'wamid.3', status: 'delivered', recipient_user_id: user }]), 200);
    assert.equal(await say('STOP', 'GB.13491208655302741919'), 200);
    assert.equal((await service.client.verify(sent.number)).status, 200, 'that was somebody else');
    assert.equal(await say('STOP'), 200);
    const refused = await service.client.verify(sent.number);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /do-not-send list/);
    assert.equal(await say('START'), 200);
    assert.equal((await service.client.verify(sent.number)).status, 200);
    brought.push(user);
  });

  test('a code goes over Telegram under the request that was paid for, and its report is signed', async () => {
    const seen = whatsapp.requests.length;
    const paid = answer(200, { ok: true, result: { request_id: 'paid-1', phone_number: FIJI } });
    whatsapp.play(paid, paid);
    const { status, json } = await service.client.verify(FIJI, 'telegram');
    assert.equal(status, 200);
    const id = json.id ?? '';
    const message = await eventually(async () => whatsapp.requests[seen + 1], 10_000);
    const asked = whatsapp.requests[seen];
    assert.deepEqual([asked?.url, message?.url], ['/checkSendAbility', '/sendVerificationMessage']);
    const { code, request_id, callback_url } = JSON.parse(message?.body ?? '{}');
    assert.match(code, /^\d{8}$/);
    assert.ok(!asked?.body.includes(code), 'who is only asked about a number is told no code');
    assert.deepEqual(
      [request_id, callback_url],
      ['paid-1', 'https://verify.example.com/carriers/telegram/receipts'],
    );
    await submitted(id);

    const raw = JSON.stringify({ request_id, delivery_status: { status: 'read', updated_at: 1 } });
    const tell = async (token: string) => {
      const time = String(Math.floor(Date.now() / 1_000));
      const key = createHash('sha256').update(token).digest();
      const signature = createHmac('sha256', key).update(`${time}\n${raw}`).digest('hex');
      const headers = {
        ...{ 'content-type': 'application/json', 'x-request-timestamp': time },
        'x-request-signature': signature,
      };
      return (
        await service.client.post('/carriers/telegram/receipts', undefined, { raw, key: null, headers })
      ).status;
    };
    assert.equal(await tell('another token'), 403);
    assert.equal(await stateOf(id), 'submitted');
    assert.deepEqual([await tell(GATEWAY_TOKEN), await tell(GATEWAY_TOKEN)], [200, 200]);
    assert.equal(await stateOf(id), 'delivered');
    assert.equal((await service.client.confirm(id, code)).status, 200);
    brought.push(code, FIJI);
  });

  test('the handshake of the webhook', async () => {
    const ask = (token: string) =>
      service.client.get(`${PATH}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`, {
        key: null,
      });
    const { status, text } = await ask(VERIFY);
    assert.deepEqual([status, text], [200, '1158201444']);
    assert.equal((await ask('guessed-token-of-16')).status, 403);
  });

  test('a channel is offered by its routes, and voice and SMS always are', async () => {
    const { status, text } = await service.client.verify(freshNumber(), 'fax');
    assert.equal(status, 400);
    assert.match(text, /must be one of sms,voice,whatsapp,telegram/);
    const elsewhere = await service.client.verify(freshNumber(), 'telegram');
    assert.equal(elsewhere.status, 400);
    assert.match(elsewhere.text, /no_route/);
    const document = await service.client.get('/openapi.json', { key: null });
    assert.match(document.text, /"telegram"/);
  });

  test('no secret, code or number is in the log or a metric', async () => {
    const { text } = await service.client.get('/metrics', { key: null });
    assert.match(text, /channel="telegram"/);
    // What runs writes its log twice a second, and what stops writes all of it.
    assert.equal(await service.stop(), 0);
    const shown = service.logs() + text;
    const codes = whatsapp.requests.map(({ body }) => codeIn(body)).filter((code) => code !== '');
    const numbers = fallback.received.map(({ to }) => to);
    for (const hidden of [ACCESS, SECRET, VERIFY, GATEWAY_TOKEN, ...codes, ...numbers, ...brought])
      assert.ok(!shown.includes(hidden), 'a secret is shown');
    assert.ok(codes.length > 0);
  });
});
