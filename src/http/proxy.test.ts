import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import type { RevokeKey } from './cleartext.ts';
import { createFixture, KEY, NUMBER, readToEnd } from './fixture.ts';
import { matchPeers } from './peer.ts';

const VERIFY = { destination: NUMBER, channel: 'sms' };
const HTTPS = { 'x-forwarded-proto': 'https' };

function behindProxy(t: TestContext, trustedPeers: string[], revoke?: RevokeKey, patience?: object) {
  const transport = { kind: 'proxy', trustedPeers, revoke } as const;
  return createFixture(t, {}, {}, { transport, ...patience });
}

describe('behind a proxy', () => {
  it('serves what came from the proxy over HTTPS', async (t) => {
    const { post } = await behindProxy(t, ['10.0.0.0/8', '127.0.0.1']);
    assert.equal((await post('/verify', VERIFY, HTTPS)).status, 200);
    assert.equal((await post('/verify', VERIFY, { 'x-forwarded-proto': 'https, https' })).status, 200);
  });

  it('refuses what did not come over HTTPS, and revokes its key', async (t) => {
    const tokens: string[] = [];
    const { post, requests } = await behindProxy(t, ['127.0.0.1'], async (token) => tokens.push(token) > 0);
    for (const proto of ['http', '', 'https, http', 'http, https', 'HTTPS!']) {
      const answer = await post('/verify', VERIFY, { 'x-forwarded-proto': proto });
      assert.equal(answer.status, 403);
      assert.equal(answer.json.type, '/problems/https-required');
      assert.match(String(answer.json.detail), /revoked/);
    }
    assert.equal((await post('/verify', VERIFY)).status, 403);
    assert.equal((await post('/unknown', VERIFY)).status, 403);
    assert.deepEqual(new Set(tokens), new Set([KEY]));
    assert.deepEqual(requests, []);
  });

  it('refuses other peers, whatever they claim', async (t) => {
    const { post } = await behindProxy(t, ['10.0.0.0/8', '::1']);
    const answer = await post('/verify', VERIFY, HTTPS);
    assert.equal(answer.status, 403);
    assert.doesNotMatch(String(answer.json.detail), /revoked/);
  });

  it('answers probes directly, and metrics by token alone', async (t) => {
    const { app } = await behindProxy(t, ['127.0.0.1']);
    assert.equal((await app.inject('/healthz')).statusCode, 200);
    assert.equal((await app.inject('/readyz')).statusCode, 200);
    assert.equal((await app.inject('/metrics')).statusCode, 403);
    assert.equal((await app.inject({ url: '/metrics', headers: HTTPS })).statusCode, 401);
  });

  it('cuts off a connection that says nothing', async (t) => {
    const patience = { handshake: 50, headers: 50, request: 100, keepAlive: 50 };
    const { listen } = await behindProxy(t, ['127.0.0.1'], undefined, { patience });
    const socket = connect(await listen(), '127.0.0.1');
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    assert.doesNotMatch(await readToEnd(socket), / 200 /);
  });
});

describe('peers', () => {
  const matches = (blocks: string[], remoteAddress: string) =>
    matchPeers(blocks)({ remoteAddress } as Parameters<ReturnType<typeof matchPeers>>[0]);

  it('match by address and by block, also where IPv4 is mapped into IPv6', () => {
    assert.ok(matches(['192.0.2.7'], '192.0.2.7'));
    assert.ok(matches(['192.0.2.0/24'], '::ffff:192.0.2.9'));
    assert.ok(matches(['2001:db8::/32'], '2001:db8::1'));
    assert.ok(!matches(['192.0.2.0/24', '2001:db8::/32'], '198.51.100.1'));
    assert.ok(!matches([], '127.0.0.1'));
  });

  it('are refused when they are neither', () => {
    for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/x', '', '10.0.0.0/']) {
      assert.throws(() => matchPeers([wrong]), RangeError, wrong);
    }
  });
});
