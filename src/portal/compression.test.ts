import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { compressAnswer } from './compression.ts';

const LIST = { keys: Array.from({ length: 200 }, (_, n) => ({ id: `key_${n}`, name: `Shop ${n}` })) };
const TEXT = JSON.stringify(LIST);
const OURS = { 'accept-encoding': 'gzip, deflate, br', 'sec-fetch-site': 'same-origin' };

function serve(t: TestContext) {
  const app = fastify();
  t.after(() => app.close());
  app.addHook('onSend', compressAnswer);
  app.get('/long', async () => LIST);
  app.get('/short', async () => ({ firing: 0 }));
  app.get('/stream', async (_request, reply) => reply.type('text/csv').send(Readable.from([TEXT])));
  app.get('/refused', async (_request, reply) => reply.code(404).send(LIST));
  app.get('/packed', async (_request, reply) =>
    reply.header('content-encoding', 'br').send(Buffer.from(TEXT)),
  );
  app.post('/long', async () => LIST);
  return (
    url: string,
    headers: Readonly<Record<string, string>> = OURS,
    method: 'GET' | 'HEAD' | 'POST' = 'GET',
  ) => app.inject({ url, method, headers });
}

test('a long answer comes in the best form that our page takes', async (t) => {
  const ask = serve(t);
  for (const [accepted, encoding, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip;q=0.5, br;q=0', 'gzip', gunzipSync],
  ] as const) {
    const answer = await ask('/long', { ...OURS, 'accept-encoding': accepted });
    assert.equal(answer.headers['content-encoding'], encoding);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers.vary, 'accept-encoding, sec-fetch-site');
    assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length);
    assert.ok(answer.rawPayload.length < TEXT.length / 2);
    assert.equal(String(unpack(answer.rawPayload)), TEXT);
  }
});

test('a client that takes no compressed answers gets it as it is, and caches are told that they differ', async (t) => {
  const ask = serve(t);
  for (const accepted of ['', 'identity', 'br;q=0']) {
    const { headers, body } = await ask('/long', { ...OURS, 'accept-encoding': accepted });
    assert.deepEqual([headers['content-encoding'], body], [undefined, TEXT]);
    assert.equal(headers.vary, 'accept-encoding, sec-fetch-site');
  }
});

test('what another site has a browser ask for is not compressed, and neither is the answer to a change', async (t) => {
  const ask = serve(t);
  for (const site of ['cross-site', 'same-site', 'none', '']) {
    const { headers, body } = await ask('/long', { ...OURS, 'sec-fetch-site': site });
    assert.deepEqual([headers['content-encoding'], body], [undefined, TEXT], site);
  }
  const { headers, body } = await ask('/long', OURS, 'POST');
  assert.deepEqual([headers['content-encoding'], body], [undefined, TEXT]);
});

test('short answers, refusals, streams and what is packed already stay as they are', async (t) => {
  const ask = serve(t);
  for (const url of ['/short', '/refused', '/stream']) {
    const { headers } = await ask(url);
    assert.equal(headers['content-encoding'], undefined, url);
  }
  const { headers, body } = await ask('/packed');
  assert.deepEqual([headers['content-encoding'], body], ['br', TEXT]);
});

test('the head of an answer says the length that the answer has', async (t) => {
  const ask = serve(t);
  const [head, answer] = [await ask('/long', OURS, 'HEAD'), await ask('/long')];
  for (const name of ['content-encoding', 'content-length', 'content-type', 'vary']) {
    assert.equal(head.headers[name], answer.headers[name], name);
  }
  assert.equal(head.body, '');
});
