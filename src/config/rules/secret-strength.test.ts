import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
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

test('random secrets are accepted, in any alphabet', () => {
  for (let draw = 0; draw < 5_000; draw++) {
    const bytes = randomBytes(32);
    for (const secret of [bytes.toString('hex').slice(0, 32), bytes.toString('base64url')]) {
      assert.equal(findWeakness(secret), undefined, secret);
    }
  }
});
