import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import tls, { type SecureVersion } from 'node:tls';
import { generate } from 'selfsigned';
import { closed } from '../closed.ts';
import { freePort } from '../free-port.ts';
import { startService } from '../service.ts';
import { eventually, freshNumber, secondOf } from './client.ts';
import { isOwnService, openTarget } from './target.ts';

const { baseUrl, ca, client } = await openTarget();
const { hostname: host, port } = new URL(baseUrl);
const address = { host, port: Number(port || 443), servername: host, ...(ca === undefined ? {} : { ca }) };

/** The version that a handshake ends with, or the error that ends it. */
async function handshake(version: SecureVersion): Promise<string | null> {
  const socket = tls.connect({
    ...address,
    minVersion: version,
    maxVersion: version,
    // OpenSSL does not even offer TLS 1.1 at its default security level.
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  try {
    await once(socket, 'secureConnect');
    return socket.getProtocol();
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  } finally {
    socket.destroy();
  }
}

test('TLS 1.2 and 1.3 are spoken, 1.1 is refused', async () => {
  assert.equal(await handshake('TLSv1.3'), 'TLSv1.3');
  assert.equal(await handshake('TLSv1.2'), 'TLSv1.2');
  assert.equal(await handshake('TLSv1.1'), 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
});

test('the TLS port does not serve plain HTTP', async () => {
  const socket = net.connect(address);
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  let seen = '';
  socket.on('data', (chunk) => {
    seen += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  await closed(socket);
  assert.ok(!/^HTTP\/1\.1 (?!4)/.test(seen), seen);
  assert.ok(!seen.includes('ok'), seen);
});

test('answers are not to be stored or sniffed', async () => {
  const { headers } = await client.verify(freshNumber());
  assert.match(headers['cache-control'] ?? '', /no-store/);
  assert.equal(headers['x-content-type-options'], 'nosniff');
});

/** One request in clear; the body is left out where a server must not wait for it. */
async function sendPlain(to: number, path: string, headers: Record<string, string>, body = '{}') {
  const outgoing = request({ port: to, host: 'localhost', path, method: 'POST', headers, agent: false });
  outgoing.end(body);
  const [incoming] = await once(outgoing, 'response');
  let text = '';
  for await (const chunk of incoming) text += chunk;
  return { status: Number(incoming.statusCode), headers: incoming.headers, text, json: JSON.parse(text) };
}

if (isOwnService) {
  test('the plain port answers 403 https-required and revokes the leaked key', async () => {
    const plain = await freePort();
    await using service = await startService({ config: { plain: { port: plain } } });
    const other = await service.createKey('other');
    for (const path of ['/verify', '/confirm', '/', '/healthz']) {
      const answer = await sendPlain(plain, path, {});
      assert.equal(answer.status, 403);
      assert.match(answer.headers['content-type'], /^application\/problem\+json/);
      assert.match(answer.json.type, /\/https-required$/);
      assert.equal(answer.headers.location, undefined, 'it never redirects');
    }
    assert.equal((await service.client.verify(freshNumber())).status, 200);

    const body = JSON.stringify({ destination: freshNumber(), channel: 'sms' });
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const answer = await sendPlain(plain, '/verify', headers, body);
    assert.equal(answer.status, 403);
    assert.match(answer.json.type, /\/https-required$/);
    assert.ok(!answer.text.includes(service.key));
    await secondOf(service.client);
    assert.equal((await service.client.verify(freshNumber())).status, 401, 'the key is revoked');
    assert.equal((await service.client.verify(freshNumber(), 'sms', { key: other })).status, 200);
    await service.restart();
    assert.equal((await service.client.verify(freshNumber())).status, 401, 'for good');
  });

  test('the plain port revokes a key that was sent as the secret of a client of OAuth', async () => {
    const plain = await freePort();
    await using service = await startService({ config: { plain: { port: plain } } });
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_secret: service.key });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await sendPlain(plain, '/camara/oauth2/token', headers, form.toString());
    assert.equal(answer.status, 403);
    assert.match(answer.json.detail, /has been revoked/);
    assert.ok(!answer.text.includes(service.key));
    await secondOf(service.client);
    assert.equal((await service.client.verify(freshNumber())).status, 401, 'the key is revoked');
  });

  test('revocation by the plain port can be turned off', async () => {
    const plain = await freePort();
    await using service = await startService({ config: { plain: { port: plain, revokeKeys: false } } });
    const answer = await sendPlain(plain, '/verify', { authorization: `Bearer ${service.key}` });
    assert.equal(answer.status, 403);
    await sleep(1_000);
    assert.equal((await service.client.verify(freshNumber())).status, 200);
  });

  test('behind a proxy only what came to it over HTTPS is served', async () => {
    await using service = await startService({
      config: { trustProxy: ['127.0.0.1', '::1'] },
      proxied: true,
    });
    const body = JSON.stringify({ destination: freshNumber(), channel: 'sms' });
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const over = (proto: Record<string, string>) =>
      sendPlain(service.port, '/verify', { ...headers, ...proto }, body);
    assert.equal((await over({ 'x-forwarded-proto': 'https' })).status, 200);
    const refused = await over({ 'x-forwarded-proto': 'http' });
    assert.equal(refused.status, 403);
    assert.match(refused.json.type, /\/https-required$/);
    assert.equal((await sendPlain(service.port, '/verify', {})).status, 403, 'without the header');
    assert.equal((await over({})).status, 403);
    assert.equal((await over({ forwarded: 'proto=http' })).status, 403);
    await sleep(1_000);
    assert.equal(
      (await over({ forwarded: 'for=192.0.2.7;proto=HTTPS' })).status,
      200,
      'the key is good still',
    );
    const [key] = JSON.parse(await service.command('keys', 'list', '--json'));
    assert.equal(key.revoked_at, null);
    const line = new RegExp(`"keyId":"${key.id}".*did not say https`);
    assert.ok(await eventually(async () => line.test(service.logs()) || undefined), service.logs());
  });

  test('a certificate from files is served, and a new one without a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-certificate-'));
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    const renew = async () => {
      const pair = await generate([{ name: 'commonName', value: 'localhost' }], {
        keyType: 'ec',
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
      });
      await writeFile(files.key, pair.private);
      await writeFile(files.cert, pair.cert);
      return { cert: pair.cert, fingerprint: new X509Certificate(pair.cert).fingerprint };
    };
    const first = await renew();
    try {
      await using service = await startService({ config: { tls: files }, ca: first.cert });
      assert.equal(await servedCertificate(service.port), first.fingerprint);
      const second = await renew();
      const seen = await eventually(async () =>
        (await servedCertificate(service.port)) === second.fingerprint ? true : undefined,
      );
      assert.equal(seen, true, 'the new certificate is served');
      await writeFile(files.cert, 'no certificate');
      // What was refused while the two good files were written comes before they were taken.
      const isRefused = async () => {
        const [, ...since] = service.logs().split('"certificate reloaded"');
        return since.at(-1)?.includes('"certificate not reloaded"') || undefined;
      };
      assert.ok(await eventually(isRefused), 'it was read');
      assert.equal(await servedCertificate(service.port), second.fingerprint, 'a bad one is not');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

async function servedCertificate(port: number): Promise<string> {
  // Only its identity is asked for, and it has just been changed: there is nothing yet to trust it by.
  const socket = tls.connect({ host: 'localhost', port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint;
}
