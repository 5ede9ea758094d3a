import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { readClientAddress } from './client-address.ts';

async function addressOf(proxies: readonly string[], peer: string, forwarded?: string): Promise<string> {
  const app = fastify();
  const read = readClientAddress(proxies);
  app.get('/', async (request) => read(request));
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const { body } = await app.inject({ url: '/', remoteAddress: peer, headers });
  return body;
}

test('without proxies the other end of the connection counts, whatever it claims', async () => {
  assert.equal(await addressOf([], '203.0.113.9'), '203.0.113.9');
  assert.equal(await addressOf([], '203.0.113.9', '198.51.100.1'), '203.0.113.9');
  assert.equal(await addressOf([], '::ffff:203.0.113.9'), '203.0.113.9');
});

test('behind proxies the last hop that is none of theirs counts: those before it are the client’s own words', async () => {
  const proxies = ['10.0.0.0/8', '::1'];
  assert.equal(await addressOf(proxies, '10.1.2.3', '198.51.100.1'), '198.51.100.1');
  assert.equal(await addressOf(proxies, '10.1.2.3', '192.0.2.66, 198.51.100.1, 10.9.9.9'), '198.51.100.1');
  assert.equal(await addressOf(proxies, '203.0.113.9', '198.51.100.1'), '203.0.113.9');
  assert.equal(await addressOf(proxies, '10.1.2.3'), '10.1.2.3');
});
