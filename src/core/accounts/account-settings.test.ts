import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codePolicyOf, messagesOf, NO_SETTINGS } from './account-settings.ts';

const MESSAGES = { brand: 'Acme', locale: 'de' };
const POLICY = { length: 6, alphabet: 'digits', validFor: 600_000, guesses: 5 } as const;

test('what an account does not set is as the service has it', () => {
  for (const settings of [undefined, NO_SETTINGS]) {
    assert.deepEqual(messagesOf(MESSAGES, settings), MESSAGES);
    assert.deepEqual(codePolicyOf(POLICY, settings), POLICY);
  }
  assert.deepEqual(messagesOf(MESSAGES, { ...NO_SETTINGS, brand: 'Other' }), { ...MESSAGES, brand: 'Other' });
  assert.deepEqual(messagesOf(MESSAGES, { ...NO_SETTINGS, locale: 'fr' }), { ...MESSAGES, locale: 'fr' });
  assert.deepEqual(codePolicyOf(POLICY, { ...NO_SETTINGS, codeLength: 8 }), { ...POLICY, length: 8 });
});
