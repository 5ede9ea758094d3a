import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import { createTestLog, KEY, readToEnd } from '../fixture.ts';
import type { RevokeKey } from '../proxy/cleartext.ts';
import type { Patience } from './listener.ts';
import { createPlainPort } from './plain-port.ts';

const TOKENS = '/camara/oauth2/token';
const FORM = 'application/x-www-form-urlencoded';

async function listen(t: TestContext, revoke: RevokeKey | undefined, patience?: Patience) {
  const log: Record<string, unknown>[] = [];
  const statuses: number[] = [];
  const metrics = { answered: (_route: string, status: number) => statuses.push(status) };
  const server = createPlainPort({ revoke, metrics, log: createTestLog(log) }, patience);
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

  it('revokes a key that was sent unencrypted as the secret of a client of OAuth', async (t) => {
    const tokens: string[] = [];
    const revoke = async (token: string) => {
      tokens.push(token);
      return token === KEY;
    };
    const { ask, log } = await listen(t, revoke);
    const body = `grant_type=client_credentials&client_secret=${encodeURIComponent(KEY)}`;
    const headed = (type: string, path = TOKENS, length: number = body.length) =>
      `POST ${path} HTTP/1.1\r\nContent-Type: ${type}\r\nContent-Length: ${length}`;
    for (const head of [
      headed(FORM),
      headed('Application/X-WWW-Form-Urlencoded ; charset=utf-8', `${TOKENS}?x=1`),
      `${headed(FORM)}\r\nAuthorization: Basic ${btoa('shop:')}`,
    ]) {
      const text = await ask(head, body);
      assert.match(text, /^HTTP\/1\.1 403 Forbidden/);
      assert.match(text, /has been revoked/);
    }
    assert.deepEqual(tokens.splice(0), [KEY, KEY, '', KEY]);
    // Nothing else is read: most of these send less than they announce, and are answered all the same.
    for (const head of [
      headed(FORM, '/camara/oauth2/token/', 999),
      headed(FORM, '/verify', 999),
      headed('application/json', TOKENS, 999),
      headed(`${FORM}s`, TOKENS, 999),
      `POST ${TOKENS} HTTP/1.1\r\nContent-Length: 999`,
    ]) {
      assert.match(await ask(head, body), /^HTTP\/1\.1 403 Forbidden/, head);
    }
    const chunked = `POST ${TOKENS} HTTP/1.1\r\nContent-Type: ${FORM}\r\nTransfer-Encoding: chunked`;
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    assert.match(await ask(chunked, `${chunk}${chunk}`), /^HTTP\/1\.1 403 Forbidden/);
    assert.doesNotMatch(await ask(headed(FORM, TOKENS, 3), 'x=1'), /revoked/);
    assert.deepEqual(tokens, []);
    assert.ok(!JSON.stringify(log).includes(KEY));
  });

  it('waits for no form if it revokes no keys, and not long for one that does not come', async (t) => {
    const head = `POST ${TOKENS} HTTP/1.1\r\nContent-Type: ${FORM}\r\nContent-Length: 999`;
    const kept = await listen(t, undefined);
    assert.match(await kept.ask(head), /^HTTP\/1\.1 403 Forbidden/);
    const patience = { handshake: 50, headers: 50, request: 100, keepAlive: 50 };
    const revoking = await listen(t, async () => assert.fail('a key was revoked'), patience);
    assert.match(await revoking.ask(head, `client_secret=${KEY}`), /^HTTP\/1\.1 408 /);
    assert.match(await revoking.ask('GET / HTTP/1.1'), /^HTTP\/1\.1 403 Forbidden/);
    assert.deepEqual(
      revoking.log.filter(({ level }) => level !== 30),
      [],
    );
  });

  it('refuses also when the key cannot be revoked', async (t) => {
    const { ask, log } = await listen(t, () => Promise.reject(new StoreUnavailable('away')));
    assert.match(await ask(`GET / HTTP/1.1\r\nAuthorization: Bearer ${KEY}`), /^HTTP\/1\.1 403/);
    assert.match(String(log[0]?.msg), /not revoked/);
    assert.ok(!JSON.stringify(log).includes(KEY));
  });
});
