import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyTextIn, type Place, placesWith, verificationIn } from './places.ts';

const PLACES: readonly Place[] = [
  { kind: 'Page', name: 'Do not send', words: 'do-not-send', to: '/a' },
  { kind: 'Page', name: 'API keys', to: '/b' },
  { kind: 'Account', name: 'Harbour', to: '/c' },
];
const namesWith = (text: string) => placesWith(text, PLACES).map(({ name }) => name);
const ID = `ver_${'0a'.repeat(16)}`;

test('a place matches when it has every typed word, in any order; without words all of them match', () => {
  assert.deepEqual(namesWith(''), ['Do not send', 'API keys', 'Harbour']);
  assert.deepEqual(namesWith('SEND not'), ['Do not send']);
  assert.deepEqual(namesWith('do-not'), ['Do not send']);
  assert.deepEqual(namesWith('account har'), ['Harbour']);
  assert.deepEqual(namesWith('keys harbour'), []);
});

test('a verification is found by its whole id', () => {
  assert.equal(verificationIn(` ${ID.toUpperCase()} `), ID);
  for (const text of ['ver_', ID.slice(0, -1), `${ID}0`]) assert.equal(verificationIn(text), undefined, text);
});

test('keys are searched for by what may be part of them, never by a number', () => {
  assert.equal(keyTextIn(' checkout '), 'checkout');
  assert.equal(keyTextIn('csk_live_AbC'), 'csk_live_AbC');
  for (const text of ['', 'c', '+44 7700 900123', '07700900123', ID])
    assert.equal(keyTextIn(text), undefined);
});
