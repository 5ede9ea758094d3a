/** Requests over a real TLS connection: what counts as an answer, and where they never go. */
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { ensureSelfSigned } from '../http/connection/tls.ts';
import { createPost, type PostAnswer, type PostOptions } from './post.ts';

suite('a request to an endpoint', () => {
  let folder: string;
  let server: Server;
  let ca: string;
  let port: number;
  let behave: RequestListener;
  const paths: string[] = [];
  const LOOPBACK = ['127.0.0.0/8', '::1'];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-post-'));
    const files = await ensureSelfSigned(folder);
    ca = await readFile(files.cert, 'utf8');
    server = createServer({ cert: ca, key: await readFile(files.key) }, (request, response) => {
      paths.push(request.url ?? '');
      behave(request, response);
    });
    server.listen(0, 'localhost');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  });

  const options = (): PostOptions => ({
    ...{ clock: SYSTEM_CLOCK, privateNetworks: LOOPBACK, connections: 2, timeoutMs: 30_000, ca },
  });
  const ask = async (
    wanted: Partial<PostOptions> = {},
    url = `https://localhost:${port}/in`,
  ): Promise<PostAnswer> => {
    const post = createPost(url, { ...options(), ...wanted });
    try {
      return await post.send(async () => ({ body: '{"a":1}', headers: { 'webhook-id': 'msg_1' } }));
    } finally {
      post.close();
    }
  };
  const reasonOf = (answer: PostAnswer) =>
    answer.kind === 'answered' ? `HTTP ${answer.status}` : answer.reason;

  test('carries the body and the headers', async () => {
    let seen: unknown;
    behave = async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { headers, method } = request;
      seen = [method, body, headers['content-type'], headers['webhook-id']];
      response.writeHead(204).end();
    };
    assert.deepEqual(await ask(), { kind: 'answered', status: 204, retryAfterMs: undefined });
    assert.deepEqual(seen, ['POST', '{"a":1}', 'application/json', 'msg_1']);
  });

  test('follows no redirect', async () => {
    paths.length = 0;
    behave = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end();
    assert.equal(reasonOf(await ask()), 'HTTP 302');
    assert.deepEqual(paths, ['/in']);
  });

  test('says for how long the endpoint wants quiet', async () => {
    behave = (_, response) => response.writeHead(429, { 'retry-after': '7' }).end();
    assert.deepEqual(await ask(), { kind: 'answered', status: 429, retryAfterMs: 7_000 });
  });

  test('is made when there is a connection, and not sent if there is nothing to say by then', async () => {
    paths.length = 0;
    behave = (_, response) => response.writeHead(200).end();
    const asked: string[] = [];
    const lookUp: unknown = (
      _: string,
      __: object,
      found: (error: null, addresses: LookupAddress[]) => void,
    ) => {
      asked.push('looked up');
      found(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    const connected = { connections: 1, lookUp: lookUp as PostOptions['lookUp'] };
    const post = createPost(`https://localhost:${port}/in`, { ...options(), ...connected });
    const said = async () => {
      asked.push('said');
      return { body: '{}', headers: {} };
    };
    const both = await Promise.all([post.send(said), post.send(said)]);
    assert.deepEqual(both.map(reasonOf), ['HTTP 200', 'HTTP 200']);
    assert.deepEqual(asked, ['looked up', 'said', 'said']);
    assert.equal((await post.send(async () => undefined)).kind, 'withdrawn');
    await assert.rejects(
      post.send(() => Promise.reject(new Error('not now'))),
      /not now/,
    );
    assert.equal(reasonOf(await post.send(said)), 'HTTP 200');
    assert.equal(paths.length, 3);
    post.close();
  });

  test('is not read without end', async () => {
    behave = (_, response) => {
      const write = () => {
        while (response.writable && response.write('x'.repeat(16_384)));
        response.once('drain', write);
      };
      write();
    };
    assert.equal(reasonOf(await ask()), 'HTTP 200');
  });

  test('is given up in time, and its failure names nothing of it', async () => {
    behave = () => {};
    assert.equal(reasonOf(await ask({ timeoutMs: 300 })), 'no answer within 0.3 s');
    behave = (request) => request.socket.destroy();
    assert.equal(reasonOf(await ask()), 'the connection failed (ECONNRESET)');
    behave = (_, response) => response.writeHead(200).end();
    assert.match(reasonOf(await ask({ ca: undefined })), /^the connection failed \(\w*SELF_SIGNED\w*\)$/);
  });

  test('goes to no inner address, by name or by number', async () => {
    paths.length = 0;
    const refused = /^its address is not on the public Internet/;
    for (const host of ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]']) {
      const answer = await ask({ privateNetworks: ['10.0.0.0/8'] }, `https://${host}:${port}/in`);
      assert.match(reasonOf(answer), refused, host);
    }
    assert.deepEqual(paths, []);
  });

  test('is judged by the addresses that it connects to, not by an earlier look', async () => {
    paths.length = 0;
    let asked = 0;
    // A name that stands for a public address at first, and for an inner one when it matters.
    const lookUp: unknown = (
      _name: string,
      _options: object,
      answer: (error: null, found: LookupAddress[]) => void,
    ) => {
      asked += 1;
      answer(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    const rebinding = { privateNetworks: [], lookUp: lookUp as PostOptions['lookUp'] };
    assert.match(reasonOf(await ask(rebinding)), /^its address is not/);
    assert.equal(asked, 1);
    assert.deepEqual(paths, []);
  });

  test('without TLS goes to named networks only', async () => {
    for (const host of ['93.184.216.34', '127.0.0.1', '169.254.169.254', 'localhost']) {
      const answer = await ask({ privateNetworks: ['10.0.0.0/8'] }, `http://${host}:${port}/`);
      assert.match(reasonOf(answer), /^its address is not/, host);
    }
    // Nothing listens there, so that it was tried shows in its failure.
    assert.match(reasonOf(await ask({}, 'http://127.0.0.1:1/')), /^it refuses connections/);
  });

  test('leaves its connection to the next, whatever the endpoint answers with', async () => {
    behave = (_, response) => response.writeHead(200).end('x'.repeat(1_000));
    const post = createPost(`https://localhost:${port}/in`, { ...options(), connections: 1 });
    for (let i = 0; i < 3; i++)
      assert.equal(reasonOf(await post.send(async () => ({ body: '{}', headers: {} }))), 'HTTP 200');
    post.close();
  });

  test('does not wait for a body, and closes its connection if it goes on for 5 s', async () => {
    const left = Promise.withResolvers<void>();
    behave = (request, response) => {
      request.socket.once('close', () => left.resolve());
      response.writeHead(200).write('and so on');
    };
    const timers: { readonly ms: number; readonly call: () => void }[] = [];
    const after = (ms: number, call: () => void) => {
      timers.push({ ms, call });
      const timer = { unref: () => timer, [Symbol.dispose]: () => {} };
      return timer;
    };
    const clock = { wall: () => 0, after };
    const post = createPost(`https://localhost:${port}/in`, { ...options(), clock });
    assert.equal(reasonOf(await post.send(async () => ({ body: '{}', headers: {} }))), 'HTTP 200');
    assert.deepEqual(
      timers.map(({ ms }) => ms),
      [30_000, 5_000],
    );
    timers.at(-1)?.call();
    await left.promise;
    post.close();
  });

  test('names the user of its address, and asks for all of its path', async () => {
    let seen: unknown;
    behave = (request, response) => {
      seen = [request.url, request.headers.authorization];
      response.writeHead(200).end();
    };
    assert.equal(reasonOf(await ask({}, `https://me:p%40ss@localhost:${port}/in?a=b#c`)), 'HTTP 200');
    assert.deepEqual(seen, ['/in?a=b', `Basic ${btoa('me:p@ss')}`]);
  });

  test('to a name that is not known fails at once', async () => {
    const lookUp: unknown = (_name: string, _options: object, answer: (error: Error, found: []) => void) =>
      answer(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    const unknown = { lookUp: lookUp as PostOptions['lookUp'] };
    assert.equal(reasonOf(await ask(unknown)), 'its name is not known (ENOTFOUND)');
  });
});
