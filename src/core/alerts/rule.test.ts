import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACCOUNT_RULES, faultOfThreshold, inForce, RULE_NAMES, ruleOf, timingOf } from './rule.ts';

test('every usual threshold is one that may be stated, and every rule says N where it has one', () => {
  for (const name of RULE_NAMES) {
    const { threshold, means } = ruleOf(name);
    assert.equal(/\bN\b/.test(means), threshold !== undefined, name);
    if (threshold?.usual != null) assert.equal(faultOfThreshold(name, threshold.usual), undefined, name);
  }
  assert.ok(!ACCOUNT_RULES.includes('carrier-down'));
});

test('the account decides before the configuration, and that before the default', () => {
  const name = 'sign-ins-failed';
  assert.deepEqual(inForce(name), { on: true, threshold: 20 });
  assert.deepEqual(inForce(name, { [name]: { on: false } }), { on: false, threshold: 20 });
  assert.deepEqual(inForce(name, {}, { [name]: { threshold: 7 } }), { on: true, threshold: 7 });
  const both = inForce(name, { [name]: { threshold: 5 } }, { [name]: { on: false, threshold: 7 } });
  assert.deepEqual(both, { on: false, threshold: 5 });
});

test('a rule that needs an amount is off until there is one', () => {
  assert.equal(inForce('spend-over').on, false);
  assert.equal(inForce('spend-over', { 'spend-over': { on: true } }).on, false);
  assert.equal(inForce('spend-over', { 'spend-over': { threshold: 50 } }).on, true);
});

test('thresholds outside of their bounds are refused, in words', () => {
  assert.equal(faultOfThreshold('carrier-down', 0), 'must be a whole number from 1 to 120');
  assert.equal(faultOfThreshold('carrier-down', 1.5), 'must be a whole number from 1 to 120');
  assert.equal(faultOfThreshold('spend-high', 1.5), undefined);
  assert.equal(faultOfThreshold('spend-high', Number.NaN), 'must be a number from 1.5 to 100');
  assert.equal(faultOfThreshold('owner-new', 1), 'must be left out: the rule has none');
});

test('a carrier is down for as long as its threshold says', () => {
  assert.equal(timingOf('carrier-down', { on: true, threshold: 7 }).holdMs, 7 * 60_000);
});
