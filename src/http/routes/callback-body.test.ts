import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import fastify from 'fastify';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import type { Callback, Carrier } from '../../core/sending/carrier.ts';
import { registerErrors } from '../errors.ts';
import { createTestLog } from '../fixture.ts';
import { createReceiptHandler, registerCarrierReceipts } from './carrier-receipts.ts';

const KIB = 1_024;
const MIB = KIB * KIB;

/** `usual` takes bodies as all carriers do, `meta` larger ones. */
async function listen(t: TestContext) {
  const read: number[] = [];
  const carrierOf = (name: string, largestCallback?: number): Carrier => ({
    ...{ name, concurrency: 1, start() {}, stop: async () => {} },
    ...{ submit: () => ({ kind: 'accepted' }), check: async () => ({ ok: true, detail: '' }) },
    readCallback({ body }: Callback) {
      read.push(body.length);
      return { kind: 'receipts', receipts: [] };
    },
    ...(largestCallback && { largestCallback }),
  });
  const carriers = [carrierOf('usual'), carrierOf('meta', 3 * MIB)];
  const none = async () => {};
  const handler = createReceiptHandler('https://x', (name) => carriers.filter((each) => each.name === name), {
    ...{ receive: none, hear: none, unusable() {}, isElsewhere: async () => false },
  });
  assert.ok(handler);
  const lines: Record<string, unknown>[] = [];
  const log = createTestLog(lines);
  const app = fastify();
  registerErrors(app, log);
  registerCarrierReceipts(app, handler, {}, { clock: SYSTEM_CLOCK, log });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const opened: ClientRequest[] = [];
  t.after(async () => {
    // The service would wait for what they still send.
    for (const each of opened) each.destroy();
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo;
  const open = (name: string, length?: number): ClientRequest => {
    const headers = { 'content-type': 'application/json', ...(length && { 'content-length': length }) };
    const path = `/carriers/${name}/receipts`;
    const asked = request({ host: '127.0.0.1', port, method: 'POST', path, headers, agent: false });
    opened.push(asked);
    // The service hangs up on what it does not read.
    return asked.on('error', () => {});
  };
  const answerOf = async (asked: ClientRequest): Promise<number | undefined> => {
    const [response]: IncomingMessage[] = await once(asked, 'response');
    response?.resume();
    return response?.statusCode;
  };
  const post = (name: string, size: number, chunked = false) => {
    const asked = open(name, chunked ? undefined : size);
    const answer = answerOf(asked);
    asked.end(Buffer.alloc(size));
    return answer;
  };
  const said = () => lines.map(({ msg, carrier }) => [msg, carrier]);
  return { read, open, answerOf, post, said };
}

const TOO_LARGE = 'a callback was refused: it is larger than those of this carrier may be';
const TOO_MANY = 'a callback was refused: too many large ones come at once';

test('a carrier that needs it may send 3 MiB, and any other 256 KiB, however the size is announced', async (t) => {
  const { read, post, said } = await listen(t);
  for (const chunked of [false, true]) {
    assert.equal(await post('usual', 256 * KIB, chunked), 204);
    assert.equal(await post('usual', 256 * KIB + 1, chunked), 400);
    assert.equal(await post('meta', 3 * MIB, chunked), 204);
    assert.equal(await post('meta', 3 * MIB + 1, chunked), 400);
  }
  assert.deepEqual(read, [256 * KIB, 3 * MIB, 256 * KIB, 3 * MIB]);
  assert.equal(await post('nobody', 256 * KIB + 1), 400);
  assert.deepEqual(
    said(),
    [
      [TOO_LARGE, 'usual'],
      [TOO_LARGE, 'meta'],
    ],
    'once a minute for each carrier, and nothing of names that somebody made up',
  );
});

test('of large bodies four are read at once, and small ones are not kept waiting by them', async (t) => {
  const { open, answerOf, post, said } = await listen(t);
  async function postUntil(status: number): Promise<void> {
    for (let tries = 0; (await post('meta', MIB)) !== status; tries++) assert.ok(tries < 200, `no ${status}`);
  }
  const slow = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const asked = open('meta', MIB);
      await new Promise<void>((resolve) => asked.write(Buffer.alloc(300 * KIB), () => resolve()));
      return asked;
    }),
  );
  // They may still be on their way.
  await postUntil(503);
  assert.equal(await post('meta', MIB, true), 503);
  assert.equal(await post('meta', 256 * KIB), 204);
  assert.equal(await post('usual', 1), 204);
  assert.deepEqual(
    said().filter(([what]) => what === TOO_MANY),
    [[TOO_MANY, 'meta']],
  );
  const unavailable = said().filter(([what]) => what !== TOO_MANY);
  assert.ok(unavailable.every(([what]) => what === 'requests are answered 503'));
  const [first, second, ...others] = slow;
  assert.ok(first && second);
  const answer = answerOf(first);
  first.end(Buffer.alloc(MIB - 300 * KIB));
  assert.equal(await answer, 204);
  assert.equal(await post('meta', MIB), 204, 'the place is free when one was read');
  for (const each of [second, ...others]) each.destroy();
  const again = Array.from({ length: 3 }, async () => {
    await postUntil(204);
  });
  await Promise.all(again);
});
