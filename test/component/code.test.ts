/** The code in what people type and paste. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCode } from '../../component/src/code.ts';

test('the code is found in what was pasted', () => {
  for (const text of [
    '482913',
    ' 482 913 ',
    '482-913',
    '482913 is your Countersign code. Do not share it with anyone.\n@example.com #482913',
    'Your code: 482 913.',
    'G-482913',
    'Call 2026 or type 482913',
    '٤٨٢٩١٣',
    '４８２９１３',
    '482\u200b913',
  ]) {
    assert.equal(readCode(text, { length: 6, alphabet: 'digits' }), '482913', text);
  }
});

test('a code in letters is found between words', () => {
  for (const text of [
    'k7qx2m',
    'K7Q-X2M',
    'Please type K7QX2M.',
    'k7qx2m is your secret code.\n@example.com #k7qx2m',
  ]) {
    assert.equal(readCode(text, { length: 6, alphabet: 'letters' }), 'K7QX2M', text);
  }
  assert.equal(readCode('Please type KVQXZM.', { length: 6, alphabet: 'letters' }), 'KVQXZM');
});

test('of a code that is being typed, what is there so far', () => {
  const form = { length: 6, alphabet: 'digits' } as const;
  assert.equal(readCode('48', form), '48');
  assert.equal(readCode('48a2', form), '482');
  assert.equal(readCode('4829134', form), '482913');
  assert.equal(readCode('', form), '');
  assert.equal(readCode('kü7', { length: 6, alphabet: 'letters' }), 'K7');
  assert.equal(readCode('1234', { length: 4, alphabet: 'digits' }), '1234');
});
