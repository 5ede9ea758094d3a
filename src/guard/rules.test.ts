import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRules, type OperatorRule } from './rules.ts';

const subject = {
  at: 1_000,
  account: 'acme',
  key: 'web',
  number: 'hash',
  destination: '+99899394123456',
  network: '2001:db8:1:2::/64',
};

function rule(
  action: OperatorRule['action'],
  of: OperatorRule['of'],
  value: string,
  until?: number,
): OperatorRule {
  return { action, of, value, until, reason: `${action} ${of}` };
}

test('the most particular rule decides: number, longest range, address, key, account', () => {
  const rules = [
    rule('deny', 'account', 'acme'),
    rule('allow', 'key', 'acme/web'),
    rule('pause', 'address', '2001:db8:1:2::/64'),
    rule('allow', 'range', '+998'),
    rule('deny', 'range', '+99899394'),
    rule('allow', 'number', 'hash'),
  ];
  while (rules.length > 0) assert.deepEqual(compileRules(rules)(subject), rules.pop());
  assert.equal(compileRules(rules)(subject), undefined);
});

test('a rule ends, and of two for one place the one that refuses decides', () => {
  assert.equal(compileRules([rule('deny', 'account', 'acme', 1_000)])(subject), undefined);
  const both = [rule('deny', 'account', 'acme', 2_000), rule('allow', 'account', 'acme')];
  assert.equal(compileRules(both)(subject)?.action, 'deny');
  assert.equal(compileRules(both.toReversed())(subject)?.action, 'deny');
});
