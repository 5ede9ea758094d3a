import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RULE_ACTIONS, RULE_SUBJECTS } from '../core/guarding/guard-rule.ts';
import { compileRules, type OperatorRule } from './rules.ts';

const subject = {
  at: 1_000,
  account: 'acme',
  key: 'web',
  number: 'hash',
  destination: '+99899394123456',
  country: 'UZ',
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

test('the most particular rule decides: number, longest range, country, address, key, account', () => {
  const rules = [
    rule('deny', 'account', 'acme'),
    rule('allow', 'key', 'acme/web'),
    rule('pause', 'address', '2001:db8:1:2::/64'),
    rule('deny', 'country', 'UZ'),
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

test('what a stronger rule for the same place hid holds again when that ends', () => {
  const both = [rule('deny', 'account', 'acme', 1_000), rule('allow', 'account', 'acme')];
  assert.equal(compileRules(both)(subject)?.action, 'allow');
});

test('a rule of a key holds for those that take its place; of several the latest decides', () => {
  const rotated = { ...subject, key: 'third', predecessors: ['web', 'second'] };
  const pause = rule('pause', 'key', 'acme/web');
  assert.deepEqual(compileRules([pause])(rotated), pause);
  assert.equal(compileRules([rule('pause', 'key', 'other/web')])(rotated), undefined);
  assert.equal(
    compileRules([rule('pause', 'key', 'acme/third')])(subject),
    undefined,
    'not for those before',
  );
  const [second, third] = [rule('allow', 'key', 'acme/second'), rule('deny', 'key', 'acme/third')];
  assert.deepEqual(compileRules([pause, second])(rotated), second);
  assert.deepEqual(compileRules([pause, second, third])(rotated), third);
  assert.deepEqual(compileRules([pause, rule('deny', 'account', 'acme')])(rotated), pause);
});

test('a rule of one account applies to no other, and cannot undo a refusal that holds for all', () => {
  const own = (of: OperatorRule['action']): OperatorRule => ({
    ...rule(of, 'range', '+998'),
    account: 'acme',
  });
  assert.equal(compileRules([own('deny')])(subject)?.action, 'deny');
  assert.equal(compileRules([own('deny')])({ ...subject, account: 'other' }), undefined);
  const deny = rule('deny', 'account', 'acme');
  assert.deepEqual(compileRules([own('allow'), deny])(subject), deny);
  assert.equal(compileRules([own('deny'), rule('allow', 'number', 'hash')])(subject)?.action, 'deny');
});

test('the compiled rules decide as a reader of the whole list would', () => {
  const few = <T>(...values: T[]) => fc.constantFrom(...values);
  const rules = fc.array(
    fc.record({
      action: few(...RULE_ACTIONS),
      of: few(...RULE_SUBJECTS),
      value: few('+1', '+12', '+123', 'a', 'b', 'a/k', 'b/k', 'n', 'm', 'net', 'US', 'CA'),
      account: few(undefined, 'a', 'b'),
      until: few(undefined, 5, 10),
      reason: fc.constant(''),
    }),
    { maxLength: 12 },
  );
  const asked = fc.record({
    at: few(1, 5, 7, 20),
    account: few('a', 'b'),
    key: few('k', 'l'),
    number: few('n', 'm'),
    destination: few('+1234', '+1299', '+1999', '+4'),
    country: few('US', 'CA'),
    network: few(undefined, 'net', 'other'),
  });
  fc.assert(
    fc.property(rules, asked, (list, one) => {
      assert.equal(compileRules(list)(one)?.action, decide(list, one));
    }),
    { numRuns: 2_000 },
  );
});

type Asked = Parameters<ReturnType<typeof compileRules>>[0];

/** The action, written down as one would say it. Deny and pause are told apart only by which of them ends later. */
function decide(list: readonly OperatorRule[], asked: Asked): OperatorRule['action'] | undefined {
  const ends = ({ until = Number.POSITIVE_INFINITY }: OperatorRule) => until;
  const refuses = ({ action }: OperatorRule) => action !== 'allow';
  const rank = ({ of, value }: OperatorRule) => {
    if (of === 'number') return value === asked.number ? 100 : 0;
    if (of === 'range') return asked.destination.startsWith(value) ? 10 + value.length : 0;
    if (of === 'country') return value === asked.country ? 5 : 0;
    if (of === 'address') return value === asked.network ? 3 : 0;
    if (of === 'key') return value === `${asked.account}/${asked.key}` ? 2 : 0;
    return value === asked.account ? 1 : 0;
  };
  const best = (rules: readonly OperatorRule[]) =>
    rules
      .filter((each) => ends(each) > asked.at && rank(each) > 0)
      .sort(
        (a, b) =>
          rank(b) - rank(a) || Number(refuses(b)) - Number(refuses(a)) || compareEnds(ends(b), ends(a)),
      )[0];
  const general = best(list.filter(({ account }) => account === undefined));
  const own = best(list.filter(({ account }) => account === asked.account));
  return (general !== undefined && refuses(general) ? general : (own ?? general))?.action;
}

const compareEnds = (a: number, b: number): number => (a === b ? 0 : a > b ? 1 : -1);
