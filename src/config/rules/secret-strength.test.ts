import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { findWeakness } from './secret-strength.ts';

test('what people type instead of a secret is refused, and not repeated', () => {
  for (const secret of [
    '',
    'hunter2',
    'b7Rk2vQ9xT4mZc8LwHd5Yf1JnPs6Ga3',
    'a'.repeat(32),
    ' '.repeat(64),
    `hunter22${'x'.repeat(32)}`,
    '0123456789abcdef0123456789abcdef',
    '12345678901234567890123456789012',
    'b7Rk2vQ9xT4mZc8Lb7Rk2vQ9xT4mZc8L',
    'abbcadcbddacbbdacadbbcdaacbdbadc',
    'correct horse correct horse correct horse',
    'passwordpasswordpasswordpassword1',
    'qwertyuiopqwertyuiopqwertyuiop12',
    '!!passwordpasswordPasswordpassword',
    'abcdefghijklmnopqrstuvwxyz0123456789',
    'zyxwvutsrqponmlkjihgfedcba9876543210',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
    'changeme-changeit-change-me-please',
    'CHANGE_ME_TO_SOMETHING_LONG_AND_SAFE',
    'replace-this-with-32-random-bytes-x7',
    'your-secret-of-at-least-32-letters-q',
    'at least 32 random characters, the same',
    '<openssl rand -hex 32 goes here, ok?>',
  ]) {
    const weakness = findWeakness(secret);
    assert.ok(weakness !== undefined, secret);
    assert.match(weakness.expected, /32 random characters.*openssl rand -hex 32/);
    if (secret.length > 6) assert.ok(!weakness.wrong.includes(secret.slice(0, 7)), weakness.wrong);
  }
});

test('any text that repeats a text at most half as long is refused', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 40 }), fc.integer({ min: 2, max: 9 }), (part, times) => {
      assert.ok(findWeakness(part.repeat(times).padEnd(32, part)) !== undefined);
    }),
  );
});

test('so is one that has something before or after it, as long as most of it repeats', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 8, maxLength: 16 }),
      fc.integer({ min: 4, max: 9 }),
      fc.string({ maxLength: 4 }),
      fc.string({ maxLength: 4 }),
      (part, times, head, tail) => assert.ok(findWeakness(head + part.repeat(times) + tail) !== undefined),
    ),
  );
});

/** Some of each length: the shorter of a word list's, between the same separators, are where chance repeats most. */
const WORDS =
  'able acid aged also area army away baby back ball band bank base bath bear beat been beer bell belt best bill bird blow blue boat body bomb bond bone book boom born boss both bowl bulk burn bush busy call calm came camp card care case cash cast cell chat chip city club coal coat code cold come cook cool cope copy core cost crew crop dark data date dawn days abacus blossom cactus dolphin elephant furnace gadget harvest island jackal'.split(
    ' ',
  );
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

test('random secrets are accepted, in any alphabet', () => {
  for (let draw = 0; draw < 5_000; draw++) {
    const bytes = randomBytes(32);
    // Without a word twice: lists to draw from have thousands of words, and this one is short.
    const left = [...WORDS];
    const words = Array.from(bytes.subarray(0, 10), (byte) => left.splice(byte % left.length, 1)[0]);
    for (const secret of [
      bytes.toString('hex').slice(0, 32),
      bytes.toString('hex'),
      bytes.toString('base64').slice(0, 32),
      bytes.toString('base64url'),
      Array.from(bytes, (byte) => BASE32[byte % 32]).join(''),
      randomUUID(),
      randomUUID() + randomUUID(),
      words.join('-'),
      words.join(' '),
    ]) {
      assert.equal(findWeakness(secret), undefined, secret);
    }
  }
});
