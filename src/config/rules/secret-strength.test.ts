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
    assert.match(weakness.expected ?? '', /32 random characters.*openssl rand -hex 32/);
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

/**
 * Some of each length: the shorter of a word list's, between the same separators, are where chance repeats most. As in a list, any
 * letter may begin one: words that began with four letters only repeated themselves in one of twenty runs of this test.
 */
const WORDS =
  'able acid army away baby bell bird blue bulk calm chip city crew dark dawn disk duty each echo edge evil exit face film flag frog gate gift glow grid half herb hint hush icon idle inch iron jazz join july jump keen kiwi knot lamp left lion luck maze milk moth myth navy neck nine oath obey oval oxen palm pier plug pyre quay quiz rice roof ruby salt sixth skip swim taxi thin tofu twig ugly unit urge vast veil void wasp whip wolf yard yeti yolk zero zinc abacus blossom cactus dolphin elephant furnace gadget harvest island jackal'.split(
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
