import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keyring } from '../secrets/keyring.ts';
import { openRuleText, sealRuleText } from './guard-rule.ts';

test('what a rule is about opens in its own rule only', () => {
  const keyring = new Keyring('a secret for these tests only, yes');
  const sealed = sealRuleText(keyring, 'grl_1', '+4915112345678');
  assert.equal(openRuleText(keyring, 'grl_1', sealed), '+4915112345678');
  assert.throws(() => openRuleText(keyring, 'grl_2', sealed));
});
