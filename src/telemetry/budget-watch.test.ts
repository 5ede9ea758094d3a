import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Charge } from '../core/budgets/budget.ts';
import { createBudgetWatch } from './budget-watch.ts';

const HOUR = 3_600_000;
const CHARGE: Charge = {
  ...{ kind: 'account', subject: 'acc_1', per: 'hour', startsAt: 0, endsAt: HOUR },
  ...{ money: 1, messages: null },
};

test('each refusal is counted, and the first in a period is told, and the first after the limit was raised', () => {
  const heard: string[] = [];
  const next: string[] = [];
  const watch = createBudgetWatch(
    {
      budgetNearlyUsed: (budget) => heard.push(`nearly ${budget}`),
      budgetExhausted: (budget) => heard.push(`refused ${budget}`),
    },
    (level, message, { budget, of, until }) => heard.push([level, message, budget, of, until].join(', ')),
    {
      nearlyUsed: ({ subject }) => next.push(`nearly ${subject}`),
      exhausted: ({ subject, startsAt }) => next.push(`all ${subject} ${startsAt}`),
    },
  );
  watch.nearlyUsed(CHARGE);
  const other = { ...CHARGE, subject: 'acc_2' };
  for (const charge of [CHARGE, other, CHARGE, { ...CHARGE, startsAt: HOUR, endsAt: 2 * HOUR }])
    watch.exhausted(charge);
  const raised = { ...CHARGE, subject: 'acc_3' };
  for (const money of [1, 5, 5, 1]) watch.exhausted({ ...raised, money });
  const words = 'warn, a budget is used up: messages are refused, account per hour';
  assert.deepEqual(heard, [
    'nearly account per hour',
    'warn, 80 % of a budget is used, account per hour, acc_1, 1970-01-01T01:00:00.000Z',
    'refused account per hour',
    `${words}, acc_1, 1970-01-01T01:00:00.000Z`,
    'refused account per hour',
    `${words}, acc_2, 1970-01-01T01:00:00.000Z`,
    'refused account per hour',
    'refused account per hour',
    `${words}, acc_1, 1970-01-01T02:00:00.000Z`,
    ...Array.from({ length: 2 }, () => [
      'refused account per hour',
      `${words}, acc_3, 1970-01-01T01:00:00.000Z`,
    ]).flat(),
    'refused account per hour',
    'refused account per hour',
  ]);
  assert.deepEqual(next, [
    'nearly acc_1',
    'all acc_1 0',
    'all acc_2 0',
    `all acc_1 ${HOUR}`,
    'all acc_3 0',
    'all acc_3 0',
  ]);
});
