import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { ownOrigin, refuseCrossSite } from './origin.ts';

const open = () =>
  fastify()
    .addHook('onRequest', refuseCrossSite)
    .post('/', async (request) => ownOrigin(request));

test('a proxy may name the default port: our own pages still count as ours', async () => {
  await using app = open();
  const ask = async (host: string, origin: string) => {
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/', headers: { host, origin } });
    return statusCode === 200 ? body : statusCode;
  };
  for (const host of ['name.example', 'name.example:443', 'NAME.example:443']) {
    assert.equal(await ask(host, 'https://name.example'), 'https://name.example', host);
    assert.equal(await ask(host, 'https://name.example:443'), 'https://name.example', host);
    for (const other of [
      'https://name.example:8443',
      'http://name.example',
      'https://evil.example',
      'null',
      '',
    ])
      assert.equal(await ask(host, other), 403, `${other} at ${host}`);
  }
  for (const host of ['someone@name.example', 'name.example/x', ''])
    assert.equal(await ask(host, 'https://name.example'), 403, host);
  assert.equal(await ask('', 'https://host.invalid'), 403, 'nobody’s');
});
