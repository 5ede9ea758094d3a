import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import { createTestLog, KEY, readToEnd } from '../fixture.ts';
import type { RevokeKey } from '../proxy/cleartext.ts';
import { createPlainPort } from './plain-port.ts';

async function listen(t: TestContext, revoke: RevokeKey | undefined) {
  const log: Record<string, unknown>[] = [];
  const statuses: number[] = [];
  const metrics = { answered: (_route: string, status: number) => statuses.push(status) };
  const server = createPlainPort({ revoke, metrics, log: createTestLog(log) });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (head: string, body = '') => {
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    socket.write(`${head}\r\nHost: localhost\r\n\r\n${body}`);
    return await readToEnd(socket);
  };
  return { ask, log, statuses };
}

describe('the plain port', () => {
  it('refuses every request, redirects none, and ends the connection', async (t) => {
    const { ask, statuses } = await listen(t, undefined);
    for (const head of [
      'GET / HTTP/1.1',
      'GET /healthz HTTP/1.0',
      'POST /verify HTTP/1.1\r\nContent-Length: 999999',
    ]) {
      const text = await ask(head);
      assert.match(text, /^HTTP\/1\.1 403 Forbidden/);
      assert.match(text, /content-type: application\/problem\+json/);
      assert.match(text, /connection: close/);
      assert.match(text, /"type":"\/problems\/https-required"/);
      assert.doesNotMatch(text, /location:/i);
    }
    assert.deepEqual(statuses, [403, 403, 403]);
  });

  it('revokes a key that was sent unencrypted, and says so', async (t) => {
    const tokens: string[] = [];
    const revoke = async (token: string) => {
      tokens.push(token);
      return token === KEY;
    };
    const { ask, log } = await listen(t, revoke);
    assert.match(await ask(`POST /verify HTTP/1.1\r\nAuthorization: bearer ${KEY}`), /has been revoked/);
    assert.doesNotMatch(await ask('GET / HTTP/1.1\r\nAuthorization: Bearer unknown'), /revoked/);
    assert.doesNotMatch(await ask('GET / HTTP/1.1\r\nAuthorization: Basic abc'), /revoked/);
    const basic = `Basic ${btoa(`AC1:${KEY}`)}`;
    assert.match(await ask(`POST /twilio/v2 HTTP/1.1\r\nAuthorization: ${basic}`), /has been revoked/);
    assert.deepEqual(tokens, [KEY, 'unknown', KEY]);
    assert.ok(!JSON.stringify(log).includes(KEY));
  });

  it('refuses also when the key cannot be revoked', async (t) => {
    const { ask, log } = await listen(t, () => Promise.reject(new StoreUnavailable('away')));
    assert.match(await ask(`GET / HTTP/1.1\r\nAuthorization: Bearer ${KEY}`), /^HTTP\/1\.1 403/);
    assert.match(String(log[0]?.msg), /not revoked/);
    assert.ok(!JSON.stringify(log).includes(KEY));
  });
});
