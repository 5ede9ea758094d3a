import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshNumber, secondOf } from './client.ts';
import { openTarget } from './target.ts';

const { client, testKey: key, own: service } = await openTarget();

const ENDPOINTS = [
  ['POST', '/verify'],
  ['POST', '/confirm'],
  ['GET', '/simulator/messages'],
] as const;

const send = (method: string, path: string, headers: Record<string, string>) =>
  client.send(method, path, method === 'POST' ? {} : undefined, { key: null, headers });

const forged = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');

const INVALID_CREDENTIALS: Readonly<Record<string, string>> = {
  'a key that nobody issued': 'Bearer nonsense',
  'a key with one character changed': `Bearer ${forged}`,
  'a key in base64': `Bearer ${Buffer.from(key).toString('base64')}`,
};

for (const [method, path] of ENDPOINTS) {
  test(`${method} ${path}: 401 with a bare challenge without credentials`, async () => {
    const answer = await send(method, path, {});
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['www-authenticate'], 'Bearer');
  });

  for (const [what, authorization] of Object.entries(INVALID_CREDENTIALS)) {
    test(`${method} ${path}: 401 invalid_token for ${what}`, async () => {
      const answer = await send(method, path, { authorization });
      assert.equal(answer.status, 401);
      assert.equal(answer.headers['www-authenticate'], 'Bearer error="invalid_token"');
    });
  }

  for (const authorization of [
    `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    'Bearer',
    key,
    `Bearer ${key} ${key}`,
  ]) {
    test(`${method} ${path}: 401 for the credentials ${authorization.replaceAll(key, 'KEY')}`, async () => {
      const answer = await send(method, path, { authorization });
      assert.equal(answer.status, 401);
      assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer/);
    });
  }

  test(`${method} ${path}: the key in the query or in a cookie is no authentication`, async () => {
    const query = await send(method, `${path}?access_token=nonsense&key=nonsense`, { cookie: `key=${key}` });
    assert.equal(query.status, 401);
  });

  if (method === 'POST') {
    test(`${path}: 401 comes before 400`, async () => {
      const answer = await client.post(path, undefined, { key: null, raw: '{"destination":' });
      assert.equal(answer.status, 401);
    });
  }
}

test('the key is sent as it is, after a scheme in any case', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const headers = { authorization: `${scheme} ${key}` };
    const answer = await client.verify(freshNumber(), 'sms', { key: null, headers });
    assert.equal(answer.status, 200, scheme);
  }
});

if (service !== undefined) {
  test('keys are created, listed and revoked while the service runs', async () => {
    assert.match(await service.command('keys', 'create', '--name', 'alone'), /^csk_live_[0-9A-Za-z]+\n$/);
    assert.match(
      await service.command('keys', 'create', '--name', 'alone', '--test'),
      /^csk_test_[0-9A-Za-z]+\n$/,
    );

    const fresh = await service.createKey('short-lived');
    assert.equal((await service.client.verify(freshNumber(), 'sms', { key: fresh })).status, 200);
    const line = (await service.command('keys', 'list')).split('\n').find((l) => l.includes('short-lived'));
    const prefix = line?.split(/\s+/).find((word) => word.startsWith('csk_live_'));
    assert.ok(prefix !== undefined && fresh.startsWith(prefix) && prefix.length < fresh.length);

    await service.command('keys', 'revoke', prefix);
    // Effective within one second of the command's end: that is the promise, so the wait is exactly that.
    await secondOf(service.client);
    const refused = await service.client.verify(freshNumber(), 'sms', { key: fresh });
    assert.equal(refused.status, 401);
    assert.equal(refused.headers['www-authenticate'], 'Bearer error="invalid_token"');
    assert.equal((await service.client.verify(freshNumber())).status, 200, 'the other keys still work');
  });
}
