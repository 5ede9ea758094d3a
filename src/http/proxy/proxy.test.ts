import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import { createFixture, KEY, NUMBER, readToEnd } from '../fixture.ts';
import type { HttpDeps } from '../server.ts';
import { matchPeers } from './peer.ts';

const VERIFY = { destination: NUMBER, channel: 'sms' };
const HTTPS = { 'x-forwarded-proto': 'https' };

function behindProxy(t: TestContext, trustedPeers: string[], patience?: object, deps?: Partial<HttpDeps>) {
  const transport = { kind: 'proxy', trustedPeers } as const;
  return createFixture(t, {}, deps, { transport, ...patience });
}

describe('behind a proxy', () => {
  it('serves what came from the proxy over HTTPS, as either header says it', async (t) => {
    const { post } = await behindProxy(t, ['10.0.0.0/8', '127.0.0.1']);
    for (const headers of [
      { 'x-forwarded-proto': 'https' },
      { 'x-forwarded-proto': 'HTTPS' },
      { 'x-forwarded-proto': 'https, https' },
      { forwarded: 'proto=https' },
      { forwarded: 'for="[2001:db8::7]:4711";Proto="HTTPS";by=10.0.0.1' },
      { forwarded: 'for=198.51.100.1;proto=https, for=10.0.0.9;proto=https' },
      { 'x-forwarded-proto': 'https', forwarded: 'for=198.51.100.1' },
    ]) {
      assert.equal((await post('/verify', VERIFY, headers)).status, 200, JSON.stringify(headers));
    }
  });

  it('refuses what did not come over HTTPS, and says which key and what to do', async (t) => {
    const { post, log, requests } = await behindProxy(t, ['127.0.0.1']);
    const refused = [
      {},
      { 'x-forwarded-proto': 'http' },
      { 'x-forwarded-proto': '' },
      { 'x-forwarded-proto': 'https, http' },
      { 'x-forwarded-proto': 'HTTPS!' },
      { forwarded: 'for=198.51.100.1' },
      { forwarded: 'proto=http' },
      { forwarded: 'proto=https, proto=http' },
      { forwarded: 'proto=https, for=198.51.100.1' },
      { forwarded: 'proto=https;proto=http' },
      // One of the two is the client's own word.
      { 'x-forwarded-proto': 'https', forwarded: 'proto=http' },
      { 'x-forwarded-proto': 'http', forwarded: 'proto=https' },
      { 'x-forwarded-proto': 'https', forwarded: 'no pair' },
    ];
    for (const headers of refused) {
      const answer = await post('/verify', VERIFY, headers);
      assert.equal(answer.status, 403, JSON.stringify(headers));
      assert.equal(answer.json.type, '/problems/https-required');
      assert.match(String(answer.json.detail), /X-Forwarded-Proto: https/);
    }
    assert.equal((await post('/unknown', VERIFY)).status, 403);
    assert.deepEqual(requests, []);
    const warnings = log.filter(({ level }) => level === 40);
    assert.equal(warnings.length, refused.length + 1);
    for (const { keyId, peer, msg } of warnings) {
      assert.deepEqual([keyId, peer], ['key_1', '127.0.0.1']);
      assert.match(String(msg), /did not say https; make it set X-Forwarded-Proto/);
    }
    assert.ok(!JSON.stringify(log).includes(KEY));
  });

  it('trusts each of its proxies in a row, and nobody before them', async (t) => {
    const { post } = await behindProxy(t, ['10.0.0.0/8', '127.0.0.1']);
    const cases = [
      // The first word is a client's, who says what it likes.
      ['http, https', '192.0.2.66, 198.51.100.1', 200],
      ['http, https', '198.51.100.1', 200],
      // The first word is that of a proxy of ours, which the client reached in clear.
      ['http, https', '198.51.100.1, 10.0.0.9', 403],
      ['https, https', '198.51.100.1, 10.0.0.9', 200],
      // The nearest one wrote its own word over the other's.
      ['https', '198.51.100.1, 10.0.0.9', 200],
      ['https, http', '198.51.100.1', 403],
    ] as const;
    for (const [protos, froms, status] of cases) {
      const legacy = { 'x-forwarded-proto': protos, 'x-forwarded-for': froms };
      assert.equal((await post('/verify', VERIFY, legacy)).status, status, `${protos} from ${froms}`);
    }
    const inClear = 'for=198.51.100.1;proto=http, for="10.0.0.9:443";proto=https';
    assert.equal((await post('/verify', VERIFY, { forwarded: inClear })).status, 403);
    const claimed = 'for=192.0.2.66;proto=http, for=198.51.100.1;proto=https';
    assert.equal((await post('/verify', VERIFY, { forwarded: claimed })).status, 200);
  });

  it('refuses even if the key cannot be looked up, and logs no warning for strangers', async (t) => {
    const away = () => Promise.reject(new StoreUnavailable(KEY));
    const { post, log } = await behindProxy(t, ['127.0.0.1'], undefined, { authenticate: away });
    assert.equal((await post('/verify', VERIFY)).status, 403);
    const stranger = await behindProxy(t, ['127.0.0.1']);
    assert.equal((await stranger.post('/verify', VERIFY, { authorization: 'Bearer x' })).status, 403);
    assert.deepEqual(
      [...log, ...stranger.log].filter(({ level }) => level !== 30),
      [],
    );
  });

  it('refuses other peers, whatever they claim', async (t) => {
    const { post, log } = await behindProxy(t, ['10.0.0.0/8', '::1']);
    const answer = await post('/verify', VERIFY, HTTPS);
    assert.equal(answer.status, 403);
    assert.doesNotMatch(String(answer.json.detail), /revoked/);
    const basic = `Basic ${btoa(`AC1:${KEY}`)}`;
    await post('/twilio/v2/Services/VA/Verifications', 'To=1', { ...HTTPS, authorization: basic });
    const warnings = log.filter(({ level }) => level === 40);
    assert.equal(warnings.length, 2);
    for (const warning of warnings) {
      assert.match(String(warning.msg), /not in trustProxy/);
      assert.deepEqual([warning.keyId, warning.peer], ['key_1', '127.0.0.1']);
    }
  });

  it('answers probes directly, and metrics only with the token', async (t) => {
    const { app } = await behindProxy(t, ['127.0.0.1']);
    assert.equal((await app.inject('/healthz')).statusCode, 200);
    assert.equal((await app.inject('/readyz')).statusCode, 200);
    assert.equal((await app.inject('/metrics')).statusCode, 403);
    // The proxy is on this machine, but who speaks through it need not be, whatever the proxy says of its address.
    for (const headers of [
      HTTPS,
      { forwarded: 'proto=https' },
      { ...HTTPS, 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1;proto=https' },
    ]) {
      assert.equal((await app.inject({ url: '/metrics', headers })).statusCode, 401, JSON.stringify(headers));
    }
    const metricsToken = 'scrape-me';
    const { app: withToken } = await behindProxy(t, ['127.0.0.1'], { metricsToken });
    const authorization = `Bearer ${metricsToken}`;
    assert.equal((await withToken.inject({ url: '/metrics', headers: HTTPS })).statusCode, 401);
    const scraped = await withToken.inject({ url: '/metrics', headers: { ...HTTPS, authorization } });
    assert.equal(scraped.statusCode, 200);
  });

  it('cuts off a connection that says nothing', async (t) => {
    const patience = { handshake: 50, headers: 50, request: 100, keepAlive: 50 };
    const { listen } = await behindProxy(t, ['127.0.0.1'], { patience });
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
    for (const block of ['::ffff:192.0.2.0/120', '::ffff:c000:200/120', '0:0:0:0:0:FFFF:192.0.2.9']) {
      assert.ok(matches([block], '192.0.2.9'), block);
      assert.ok(matches([block], '::ffff:c000:209'), block);
      assert.ok(!matches([block], '192.0.3.9'), block);
    }
    assert.ok(matches(['::/0'], '2001:db8::1'));
  });

  it('are refused when they are neither', () => {
    for (const wrong of [
      'proxy.example',
      '10.0.0.0/33',
      '10.0.0.0/x',
      '::ffff:10.0.0.0/129',
      '',
      '10.0.0.0/',
    ]) {
      assert.throws(() => matchPeers([wrong]), RangeError, wrong);
    }
  });
});
