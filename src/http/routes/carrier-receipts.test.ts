import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { StoreUnavailable } from '../../core/errors.ts';
import type { Callback, CallbackAnswer, InboundMessage, Receipt } from '../../core/sending/carrier.ts';
import { createFixture } from '../fixture.ts';
import type { HttpDeps } from '../server.ts';

const PUBLIC_URL = 'https://verify.example.com/countersign';
const RECEIPTS: readonly Receipt[] = [
  { carrier: 'acme', references: ['r-1'], status: 'delivered' },
  { carrier: 'acme', references: ['r-2'], status: 'undelivered', reason: '42' },
];

async function start(
  t: TestContext,
  answer: CallbackAnswer,
  receive = async (_: Receipt) => {},
  deps: Partial<HttpDeps> = {},
) {
  const callbacks: Callback[] = [];
  const received: Receipt[] = [];
  const heard: string[] = [];
  const fixture = await createFixture(
    t,
    {},
    {
      receipts: {
        publicUrl: PUBLIC_URL,
        read: (name, callback) => {
          callbacks.push(callback);
          return name === 'acme' ? answer : undefined;
        },
        hear: async ({ text }) => {
          heard.push(`${text} came`);
          await turn();
          heard.push(`${text} is done`);
        },
        receive: async (receipt) => {
          await receive(receipt);
          received.push(receipt);
        },
      },
      ...deps,
    },
  );
  return { ...fixture, callbacks, received, heard };
}

describe('/carriers/NAME/receipts', () => {
  it('hands the bytes and the public address over, and answers once every receipt is kept', async (t) => {
    const { app, callbacks, received } = await start(t, { kind: 'receipts', receipts: RECEIPTS });
    const payload = Buffer.from([0xff, 0x00, 0x7b]);
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'what/ever']) {
      const answer = await app.inject({
        method: 'POST',
        url: '/carriers/acme/receipts?a=%2B1&b',
        payload,
        headers: { 'content-type': type, 'x-signature': 's' },
      });
      assert.equal(answer.statusCode, 204);
      assert.equal(answer.body, '');
    }
    const [callback] = callbacks;
    assert.equal(callback?.method, 'POST');
    assert.equal(callback.url, `${PUBLIC_URL}/carriers/acme/receipts?a=%2B1&b`);
    assert.equal(callback.headers['x-signature'], 's');
    assert.deepEqual(callback.body, payload);
    assert.deepEqual(received.slice(0, 2), RECEIPTS);
  });

  it('obeys what people send back in its order, and answers once all is done', async (t) => {
    const messages = ['STOP', 'START'].map((text) => ({ carrier: 'acme', from: '+12025550123', text }));
    const { app, heard } = await start(t, { kind: 'messages', messages });
    const answer = await app.inject({ method: 'POST', url: '/carriers/acme/receipts', payload: 'x' });
    assert.equal(answer.statusCode, 204);
    assert.deepEqual(heard, ['STOP came', 'STOP is done', 'START came', 'START is done']);
  });

  it('takes many receipts in one request, but no body without bounds', async (t) => {
    const { app, callbacks } = await start(t, { kind: 'receipts', receipts: RECEIPTS });
    const post = (bytes: number) =>
      app.inject({ method: 'POST', url: '/carriers/acme/receipts', payload: Buffer.alloc(bytes) });
    assert.equal((await post(256 * 1024)).statusCode, 204);
    const refused = await post(256 * 1024 + 1);
    assert.equal(refused.statusCode, 400);
    assert.equal(refused.json().errors[0].code, 'too_large');
    assert.equal(callbacks.length, 1);
  });

  it('takes a GET, and a body without a type', async (t) => {
    const { app, callbacks } = await start(t, { kind: 'receipts', receipts: [] });
    const url = '/carriers/acme/receipts?status=delivered';
    assert.equal((await app.inject({ method: 'GET', url })).statusCode, 204);
    assert.equal((await app.inject({ method: 'POST', url, payload: 'x' })).statusCode, 204);
    assert.equal((await app.inject({ method: 'POST', url })).statusCode, 204);
    assert.deepEqual(
      callbacks.map(({ method, body }) => [method, body.toString()]),
      [
        ['GET', ''],
        ['POST', 'x'],
        ['POST', ''],
      ],
    );
  });

  it('answers what a person sent back once it is obeyed, and has it sent again if it was not', async (t) => {
    const message = { carrier: 'acme', from: '+4915112345678', text: 'STOP' };
    const { promise: obeyed, resolve: obey } = Promise.withResolvers<void>();
    const heard: InboundMessage[] = [];
    let outcome = () => obeyed;
    const { app } = await createFixture(
      t,
      {},
      {
        receipts: {
          publicUrl: PUBLIC_URL,
          read: () => ({ kind: 'messages', messages: [message] }),
          receive: async () => {},
          hear: (said) => {
            heard.push(said);
            return outcome();
          },
        },
      },
    );
    const say = () => app.inject({ method: 'POST', url: '/carriers/acme/receipts', payload: 'x' });
    let status: number | undefined;
    const answered = say().then((answer) => {
      status = answer.statusCode;
    });
    while (heard.length === 0) await turn();
    await turn();
    assert.equal(status, undefined);
    obey();
    await answered;
    assert.equal(status, 204);
    outcome = () => Promise.reject(new StoreUnavailable('too many'));
    assert.equal((await say()).statusCode, 503);
    assert.deepEqual(heard, [message, message]);
  });

  const REFUSALS: readonly [CallbackAnswer, number, string][] = [
    [{ kind: 'forged' }, 403, '/problems/forged-callback'],
    [{ kind: 'malformed', detail: 'needs an id' }, 400, '/problems/invalid-request'],
    [{ kind: 'unavailable' }, 503, '/problems/unavailable'],
  ];
  for (const [answer, status, type] of REFUSALS) {
    it(`answers ${status} to what is ${answer.kind}`, async (t) => {
      const { app, received } = await start(t, answer);
      const refused = await app.inject({ method: 'POST', url: '/carriers/acme/receipts', payload: 'x' });
      assert.equal(refused.statusCode, status);
      assert.equal(refused.json().type, type);
      assert.deepEqual(received, []);
    });
  }

  it('has the carrier try again when a receipt cannot be stored', async (t) => {
    const { app } = await start(t, { kind: 'receipts', receipts: RECEIPTS }, async () => {
      throw new StoreUnavailable('away');
    });
    const answer = await app.inject({ method: 'POST', url: '/carriers/acme/receipts', payload: 'x' });
    assert.equal(answer.statusCode, 503);
    assert.equal(answer.headers['retry-after'], '1');
  });

  it('has the carrier try again while the service is overloaded, and reads nothing', async (t) => {
    const { app, callbacks } = await start(t, { kind: 'receipts', receipts: RECEIPTS }, undefined, {
      findUnfit: () => 'overloaded',
    });
    const answer = await app.inject({ method: 'POST', url: '/carriers/acme/receipts', payload: 'x' });
    assert.equal(answer.statusCode, 503);
    assert.equal(answer.headers['retry-after'], '1');
    assert.deepEqual(callbacks, []);
  });

  it('knows no other carrier, no other method and no endless body', async (t) => {
    const { app, callbacks } = await start(t, { kind: 'receipts', receipts: [] });
    const post = (url: string, payload: string | Buffer) => app.inject({ method: 'POST', url, payload });
    assert.equal((await post('/carriers/other/receipts', 'x')).statusCode, 404);
    const put = await app.inject({ method: 'PUT', url: '/carriers/acme/receipts', payload: 'x' });
    assert.deepEqual([put.statusCode, put.headers.allow], [405, 'GET, POST']);
    assert.equal((await app.inject({ method: 'HEAD', url: '/carriers/acme/receipts' })).statusCode, 405);
    const before = callbacks.length;
    assert.equal((await post('/carriers/acme/receipts', Buffer.alloc(300_000))).statusCode, 400);
    assert.equal(callbacks.length, before);
  });

  it('writes nothing of a callback into the log', async (t) => {
    const { app, log } = await start(t, { kind: 'forged' });
    await app.inject({
      method: 'POST',
      url: '/carriers/acme-x/receipts?to=12025550123',
      payload: 'To=12025550123',
      headers: { 'x-signature': '12025550123' },
    });
    assert.equal(log.length, 1);
    assert.doesNotMatch(JSON.stringify(log), /12025550123|acme-x/);
  });

  it('is not there where no carrier can reach the service', async (t) => {
    const { app } = await createFixture(t);
    assert.equal((await app.inject({ method: 'POST', url: '/carriers/acme/receipts' })).statusCode, 404);
  });
});
