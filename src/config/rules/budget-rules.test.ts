import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProblem, loadText } from '../fixture.ts';

test('money is kept in millionths', () => {
  const { budgets } = loadText('budgets: [{ of: account, per: day, money: 50.000001, worstPrice: 0.07 }]');
  assert.deepEqual(budgets, [{ of: 'account', per: 'day', money: 50_000_001, worstPrice: 70_000 }]);
});

test('a budget limits something, and names what there is', () => {
  const problemOf = (budget: string) => findProblem(`budgets: [${budget}]`);
  assert.match(problemOf('{ of: account, per: day }'), /^budgets\[0\].*: limits neither money nor messages/);
  assert.match(
    problemOf('{ of: account, per: day, messages: 1, worstPrice: 1 }'),
    /^budgets\[0\]\.worstPrice.*: is set without money/,
  );
  assert.match(
    problemOf('{ of: country, per: day, money: 1, only: UK }'),
    /^budgets\[0\]\.only.*: UK is not a country .*did you mean GB/,
  );
  for (const all of ['route', 'installation']) {
    const found = problemOf(`{ of: ${all}, per: day, money: 1, only: x }`);
    assert.match(found, /^budgets\[0\]\.only.*: is set for (route|installation)/, all);
  }
  assert.match(problemOf('{ of: account, per: week, money: 1 }'), /^budgets\[0\]\.per.*: is "week"/);
  for (const money of ['0', '-1', '0.0000001', '1.0000001', 'much']) {
    assert.match(problemOf(`{ of: account, per: day, money: ${money} }`), /^budgets\[0\]\.money/, money);
  }
  loadText(
    'budgets: [{ of: country, per: day, money: 1, only: DE }, { of: key, per: hour, messages: 1, only: key_1 }]',
  );
});
