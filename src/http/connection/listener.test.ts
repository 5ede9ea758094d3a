import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { connectTls, createFixture, exchange, KEY, readToEnd } from '../fixture.ts';
import { PATIENCE } from './listener.ts';

/** Each test shortens what it wants to see the end of, so that a machine that stands still cuts off nothing else. */
const PATIENT = { handshake: 60_000, headers: 60_000, request: 60_000, keepAlive: 60_000 };

async function listen(t: TestContext, options = {}) {
  const fixture = await createFixture(t, {}, {}, options);
  return { ...fixture, port: await fixture.listen() };
}

const malformed: [string, string][] = [
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['an unknown method', 'FROB /verify HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['a header without a colon', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nbroken\r\n\r\n'],
  ['two lengths', 'POST /verify HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  [
    'a length and chunks',
    'POST /verify HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ],
  [
    'headers beyond their limit',
    `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(9_000)}\r\n\r\n`,
  ],
];

describe('the listener', () => {
  for (const [what, bytes] of malformed) {
    it(`answers 400 to ${what} and ends the connection`, async (t) => {
      const { port } = await listen(t);
      const text = await exchange(t, port, bytes);
      assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/);
      const [head = '', body = ''] = text.split('\r\n\r\n');
      assert.match(head, /content-type: application\/problem\+json/);
      assert.match(head, /connection: close/);
      assert.equal(JSON.parse(body).type, '/problems/malformed-http');
    });
  }

  it('answers 408 to headers that do not end', async (t) => {
    const { port } = await listen(t, { patience: { ...PATIENT, headers: 50 } });
    const text = await exchange(t, port, 'GET /healthz HTTP/1.1\r\nHost: loc');
    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.match(text, /"\/problems\/request-timeout"/);
  });

  it('cuts off a body that stalls, and does nothing', async (t) => {
    const { port, requests } = await listen(t, { patience: { ...PATIENT, headers: 100, request: 100 } });
    const text = await exchange(
      t,
      port,
      `POST /verify HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"destination`,
    );
    assert.doesNotMatch(text, / 200 /);
    assert.deepEqual(requests, []);
  });

  it('cuts off a connection that says nothing, before or after its handshake or between requests', async (t) => {
    const portWith = async (short: object) => (await listen(t, { patience: { ...PATIENT, ...short } })).port;
    const silent = connect(await portWith({ handshake: 50 }), '127.0.0.1');
    t.after(() => silent.destroy());
    await readToEnd(silent);
    await readToEnd(await connectTls(t, await portWith({ headers: 50 })));
    const kept = await connectTls(t, await portWith({ keepAlive: 50 }));
    kept.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    assert.match(await readToEnd(kept), /^HTTP\/1\.1 200 OK/);
  });

  it('takes a client that leaves in the middle of its body for what it is', async (t) => {
    const { port, log, requests } = await listen(t);
    const socket = await connectTls(t, port);
    socket.write(
      `POST /verify HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{`,
    );
    await once(socket, 'data');
    socket.destroy();
    await exchange(t, port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    assert.ok(!log.some(({ msg }) => msg === 'unexpected error'));
    assert.deepEqual(requests, []);
  });

  it('drops connections beyond its cap', async (t) => {
    const { port } = await listen(t, { maxConnections: 1 });
    await connectTls(t, port);
    const extra = connect(port, '127.0.0.1');
    t.after(() => extra.destroy());
    assert.equal(await readToEnd(extra), '');
  });

  it('serves on after malformed clients', async (t) => {
    const { port } = await listen(t);
    await exchange(t, port, 'nonsense\r\n\r\n');
    assert.match(
      await exchange(t, port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
      /^HTTP\/1\.1 200 OK/,
    );
  });

  it('is patient for seconds, not minutes', () => {
    assert.ok(PATIENCE.handshake <= 5_000 && PATIENCE.headers <= 5_000 && PATIENCE.request <= 10_000);
  });
});
