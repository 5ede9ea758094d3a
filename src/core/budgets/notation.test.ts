import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBudget, parseBudget } from './notation.ts';

test('a budget is read as it is written', () => {
  assert.deepEqual(parseBudget('account 50 per day'), { of: 'account', per: 'day', money: 50_000_000 });
  assert.deepEqual(parseBudget('country 0.075 per month'), { of: 'country', per: 'month', money: 75_000 });
  assert.deepEqual(parseBudget('key 100 messages per hour'), { of: 'key', per: 'hour', messages: 100 });
  for (const text of ['account 50 per day', 'country 0.075 per month', 'key 999999999.999999 per hour']) {
    const budget = parseBudget(text);
    assert.equal(budget && formatBudget(budget), text);
  }
});

test('what is no budget, or one of nothing, is refused', () => {
  const wrong = ['', 'account 50', 'account 0 per day', 'account 0.000 per day', 'account -1 per day'];
  const others = ['key 1.5 messages per day', 'route 5 per day', 'account 5 per week', ' account 5 per day'];
  for (const text of [...wrong, ...others]) assert.equal(parseBudget(text), undefined, text);
});
