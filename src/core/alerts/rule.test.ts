import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inForce, RULE_NAMES, ruleOf, timingOf } from './rule.ts';

test('every usual threshold is one that may be stated, and every rule says N where it has one', () => {
  for (const name of RULE_NAMES) {
    const { threshold, means } = ruleOf(name);
    assert.equal(/\bN\b/.test(means), threshold !== undefined, name);
    if (threshold?.usual == null) continue;
    const { usual, least, most, whole } = threshold;
    assert.ok(usual >= least && usual <= most && (!whole || Number.isInteger(usual)), name);
  }
});

test('a number is the threshold of a rule, false switches it off, and true leaves the default', () => {
  const name = 'sign-ins-failed';
  for (const option of [undefined, true])
    assert.deepEqual(inForce(name, option), { on: true, threshold: 20 });
  assert.deepEqual(inForce(name, false), { on: false, threshold: 20 });
  assert.deepEqual(inForce(name, 7), { on: true, threshold: 7 });
  assert.deepEqual(inForce('owner-new'), { on: true, threshold: null });
});

test('a rule that needs an amount is off until there is one', () => {
  assert.equal(inForce('spend-over').on, false);
  assert.equal(inForce('spend-over', true).on, false);
  assert.equal(inForce('spend-over', 50).on, true);
});

test('a carrier is down for as long as its threshold says', () => {
  assert.equal(timingOf('carrier-down', { on: true, threshold: 7 }).holdMs, 7 * 60_000);
});
