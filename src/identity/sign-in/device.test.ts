import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import { Keyring } from '../../core/secrets/keyring.ts';
import { formatDevice, handDevice, readDevice } from './device.ts';

const NOW = Date.UTC(2026, 10, 22);
const DAY = 86_400_000;
const OWNER = { id: 'per_1', devices: 'first' };
const OLD = 'a'.repeat(32);
const NEW = 'b'.repeat(32);
const keyring = new Keyring(OLD);
const cookie = formatDevice(keyring, OWNER, 7, NOW);

test('a cookie identifies its device for half a year', () => {
  assert.equal(readDevice(keyring, OWNER, cookie, NOW), 7);
  assert.equal(readDevice(keyring, OWNER, cookie, NOW + 180 * DAY - 1), 7);
  assert.equal(readDevice(keyring, OWNER, cookie, NOW + 180 * DAY), undefined);
});

test('a cookie made by a clock that was far ahead does not count until then', () => {
  assert.equal(readDevice(keyring, OWNER, cookie, NOW - DAY), undefined);
  assert.equal(readDevice(keyring, OWNER, cookie, NOW - 120_001), undefined);
  assert.equal(readDevice(keyring, OWNER, cookie, NOW - 120_000), 7, 'another node may be a little ahead');
});

test('a cookie is valid for one person, until all their devices are forgotten', () => {
  assert.equal(readDevice(keyring, { ...OWNER, id: 'per_2' }, cookie, NOW), undefined);
  assert.equal(readDevice(keyring, { ...OWNER, devices: 'second' }, cookie, NOW), undefined);
});

test('a cookie stays valid while the secret rotates, and no longer', () => {
  assert.equal(readDevice(new Keyring(NEW, OLD), OWNER, cookie, NOW), 7);
  assert.equal(readDevice(new Keyring(NEW), OWNER, cookie, NOW), undefined);
});

test('a cookie is invalid with any character altered, left out or added', () => {
  for (let at = 0; at < cookie.length; at++) {
    const other = cookie[at] === 'x' ? 'y' : 'x';
    const altered = [
      cookie.slice(0, at) + other + cookie.slice(at + 1),
      cookie.slice(0, at) + cookie.slice(at + 1),
      cookie.slice(0, at) + other + cookie.slice(at),
    ];
    for (const one of altered) assert.equal(readDevice(keyring, OWNER, one, NOW), undefined, one);
  }
  const [id, number, end, mac] = cookie.split('.');
  const other = [id, 8, end, mac].join('.');
  const longer = [id, number, Number(end) + 1, mac].join('.');
  for (const one of [undefined, '', '.', '...', `${cookie}A`, other, longer]) {
    assert.equal(readDevice(keyring, OWNER, one, NOW), undefined, String(one));
  }
});

test('a browser that signs in again stays the same device', async () => {
  const app = fastify();
  app.get('/', (request, reply) => {
    handDevice({ records: { random: SYSTEM_RANDOM }, keyring }, request, reply, OWNER, NOW);
    return 'ok';
  });
  for (let again = 0; again < 20; again++) {
    const { headers } = await app.inject({
      url: '/',
      headers: { cookie: `__Host-countersign-device=${cookie}` },
    });
    const [, handed] = /^__Host-countersign-device=([^;]+)/.exec(String(headers['set-cookie'])) ?? [];
    assert.equal(readDevice(keyring, OWNER, handed, NOW), 7);
  }
  await app.close();
});
