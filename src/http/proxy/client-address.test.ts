import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { readClientAddress } from './client-address.ts';

async function addressOf(
  proxies: readonly string[],
  peer: string,
  legacy?: string,
  forwarded?: string,
): Promise<string> {
  const app = fastify();
  const read = readClientAddress(proxies);
  app.get('/', async (request) => read(request));
  const headers = {
    ...(legacy === undefined ? {} : { 'x-forwarded-for': legacy }),
    ...(forwarded === undefined ? {} : { forwarded }),
  };
  const { body } = await app.inject({ url: '/', remoteAddress: peer, headers });
  return body;
}

test('without proxies the other end of the connection counts, whatever it claims', async () => {
  assert.equal(await addressOf([], '203.0.113.9'), '203.0.113.9');
  assert.equal(await addressOf([], '203.0.113.9', '198.51.100.1'), '203.0.113.9');
  assert.equal(await addressOf([], '::ffff:203.0.113.9'), '203.0.113.9');
});

test('behind proxies the last hop that is not a proxy counts: the client may have written those before it', async () => {
  const proxies = ['10.0.0.0/8', '::1'];
  assert.equal(await addressOf(proxies, '10.1.2.3', '198.51.100.1'), '198.51.100.1');
  assert.equal(await addressOf(proxies, '10.1.2.3', '192.0.2.66, 198.51.100.1, 10.9.9.9'), '198.51.100.1');
  assert.equal(await addressOf(proxies, '203.0.113.9', '198.51.100.1'), '203.0.113.9');
  assert.equal(await addressOf(proxies, '10.1.2.3'), '10.1.2.3');
  assert.equal(
    await addressOf(proxies, '10.1.2.3', 'x'.repeat(1_000)),
    'x'.repeat(64),
    'it is stored and logged',
  );
});

test('an address with a port is the address', async () => {
  const of = (legacy: string, forwarded?: string) =>
    addressOf(['10.0.0.0/8', '2001:db8:1::/48'], '10.1.2.3', legacy, forwarded);
  assert.equal(await of('198.51.100.1:4711'), '198.51.100.1');
  assert.equal(await of('[2001:db8::7]:443'), '2001:db8::7');
  assert.equal(await of('2001:db8::7'), '2001:db8::7');
  assert.equal(await of('198.51.100.1, 10.9.9.9:5000, [2001:db8:1::5]:80'), '198.51.100.1');
  assert.equal(await of('198.51.100.1:4711', 'for="198.51.100.1:4712"'), '198.51.100.1');
  assert.equal(await of('198.51.100.1:no'), '198.51.100.1:no');
});

test('an IPv4 address that is written as one of IPv6 is the IPv4 address, however it is spelled', async () => {
  const of = (legacy: string, forwarded?: string) => addressOf(['10.0.0.0/8'], '10.1.2.3', legacy, forwarded);
  for (const spelled of [
    '::ffff:203.0.113.9',
    '::FFFF:203.0.113.9',
    '::ffff:cb00:7109',
    '0:0:0:0:0:ffff:cb00:7109',
    '0000:0000:0000:0000:0000:FFFF:CB00:7109',
    '[::ffff:cb00:7109]:443',
  ]) {
    assert.equal(await of(spelled), '203.0.113.9', spelled);
    assert.equal(
      await of('203.0.113.9', `for="${spelled.replace(/^([^[]*)$/, '[$1]')}"`),
      '203.0.113.9',
      spelled,
    );
  }
  assert.equal(await of('203.0.113.9, ::ffff:a09:909'), '203.0.113.9', 'of a proxy');
  for (const other of [
    '::ffff:0:cb00:7109',
    '2001:db8::ffff:1',
    '::cb00:7109',
    '::ffff:x',
    '::ffff:1.2.3.400',
  ])
    assert.equal(await of(other), other);
});

test('Forwarded tells it as well', async () => {
  const of = (forwarded: string, legacy?: string) =>
    addressOf(['10.0.0.0/8', '::1'], '10.1.2.3', legacy, forwarded);
  assert.equal(await of('for=198.51.100.1'), '198.51.100.1');
  assert.equal(await of('for=192.0.2.66, For="198.51.100.1:4711", for=10.9.9.9'), '198.51.100.1');
  assert.equal(await of('for="[2001:db8::7]"'), '2001:db8::7');
  assert.equal(await of('for=192.0.2.66, for=_hidden;proto=https'), '_hidden');
  assert.equal(await of('proto=https'), '10.1.2.3', 'it names nobody');
  assert.equal(await of('for=198.51.100.1', '198.51.100.1'), '198.51.100.1');
});

test('if two headers differ, the client wrote one of them, and the address is unknown', async () => {
  const of = (forwarded: string, legacy: string) => addressOf(['10.0.0.0/8'], '10.1.2.3', legacy, forwarded);
  assert.equal(await of('for=192.0.2.66', '198.51.100.1'), 'unknown');
  assert.equal(await of('for=10.6.6.6', '198.51.100.1'), 'unknown');
  assert.equal(await of('no pair', '198.51.100.1'), 'unknown');
  assert.equal(await of('for=192.0.2.66, proto=https', '198.51.100.1'), 'unknown');
});
