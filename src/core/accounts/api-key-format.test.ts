import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { SYSTEM_RANDOM } from '../seams/random.ts';
import { anyText } from '../text/any-text-fixture.ts';
import { hashApiKey, isWellFormedKey, mintKey, prefixOf } from './api-key-format.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const minted = fc.boolean().map((isTest) => mintKey(SYSTEM_RANDOM, isTest).key);

test('a minted key says what it is, and scanners find it', () => {
  const live = mintKey(SYSTEM_RANDOM, false);
  assert.match(live.key, /^csk_live_[0-9A-Za-z]{36}$/);
  assert.match(mintKey(SYSTEM_RANDOM, true).key, /^csk_test_[0-9A-Za-z]{36}$/);
  assert.match(live.id, /^key_[0-9A-Za-z]{16}$/);
  assert.equal(live.prefix, live.key.slice(0, 17));
  assert.equal(prefixOf(live.key), live.prefix);
  assert.equal(live.hash, createHash('sha256').update(live.key).digest('hex'));
  assert.equal(hashApiKey(live.key), live.hash);
  assert.match(`see ${live.key}, please`, /\bcsk_(live|test)_[0-9A-Za-z]{36}\b/);
});

test('a known key: the CRC-32 of csk_live_ and 30 zeros is 0x09e2857b, in base 62 0BDqcl', () => {
  assert.ok(isWellFormedKey(`csk_live_${'0'.repeat(30)}0BDqcl`));
});

/** CRC-32 (IEEE 802.3) bit by bit, in base 62: written again so that the test does not trust what it tests. */
function checksum(body: string): string {
  let crc = 0xffff_ffff;
  for (const byte of Buffer.from(body)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  let rest = (crc ^ 0xffff_ffff) >>> 0;
  let digits = '';
  for (; rest > 0; rest = Math.floor(rest / 62)) digits = BASE62.charAt(rest % 62) + digits;
  return digits.padStart(6, '0');
}

test('every minted key is well formed, by our checksum and by another', () => {
  fc.assert(
    fc.property(minted, (key) => {
      assert.ok(isWellFormedKey(key));
      assert.equal(checksum(key.slice(0, -6)), key.slice(-6));
    }),
  );
});

test('any one character changed breaks a key', () => {
  fc.assert(
    fc.property(minted, fc.nat(), fc.constantFrom(...BASE62), (key, at, character) => {
      const index = at % key.length;
      const changed = key.slice(0, index) + character + key.slice(index + 1);
      assert.equal(isWellFormedKey(changed), changed === key);
    }),
    { numRuns: 2_000 },
  );
});

test('two neighbours exchanged, one lost or one added break a key', () => {
  fc.assert(
    fc.property(minted, fc.nat(), fc.constantFrom(...BASE62), (key, at, character) => {
      const index = at % (key.length - 1);
      const [a = '', b = ''] = [key[index], key[index + 1]];
      const swapped = key.slice(0, index) + b + a + key.slice(index + 2);
      assert.equal(isWellFormedKey(swapped), a === b);
      assert.ok(!isWellFormedKey(key.slice(0, index) + key.slice(index + 1)));
      assert.ok(!isWellFormedKey(key.slice(0, index) + character + key.slice(index)));
    }),
  );
});

test('nothing else is a key', () => {
  fc.assert(fc.property(anyText({ maxLength: 60 }), (text) => !isWellFormedKey(text)));
  const { key } = mintKey(SYSTEM_RANDOM, true);
  for (const text of ['', ` ${key}`, `${key}\n`, key.toUpperCase(), key.replace('csk', 'CSK')]) {
    assert.ok(!isWellFormedKey(text));
  }
});

test('keys use all of the alphabet, and do not repeat', () => {
  const keys = Array.from({ length: 500 }, () => mintKey(SYSTEM_RANDOM, false));
  const random = keys.map(({ key }) => key.slice(9, 39)).join('');
  assert.equal(new Set(random).size, 62);
  assert.equal(new Set(keys.map(({ prefix }) => prefix)).size, 500);
  assert.equal(new Set(keys.map(({ id }) => id)).size, 500);
});
