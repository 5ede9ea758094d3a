import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf } from './call.ts';

const KEY = `csk_live_AbC3dE7f${'x'.repeat(28)}`;
const textIn = (text: string) =>
  new URL(
    addressOf('GET accounts/:account/audit', 'acc', { query: { text } }),
    'https://portal',
  ).searchParams.get('text');

test('an address has only the beginning of a key, whole or in part', () => {
  assert.equal(textIn(KEY), 'csk_live_AbC3dE7f');
  assert.equal(textIn(KEY.slice(0, 18)), 'csk_live_AbC3dE7f');
  assert.equal(
    textIn(`"${KEY.replace('live', 'test')}", and ${KEY}!`),
    '"csk_test_AbC3dE7f", and csk_live_AbC3dE7f!',
  );
});

test('the beginning of a key, and any other text, is searched for as it is', () => {
  for (const text of ['csk_live_AbC3dE7f', 'csk_live_', 'csk_', 'key.created', 'Anna & Co'])
    assert.equal(textIn(text), text);
});
