/** Budgets must limit something, and name what there is. */
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';
import { checkCountry } from './route-rules.ts';

export function* checkBudgets({ budgets }: Config): Generator<RuleFinding> {
  for (const [index, { of, only, money, messages, worstPrice }] of budgets.entries()) {
    if (money === undefined && messages === undefined) {
      yield {
        key: ['budgets', index],
        wrong: 'limits neither money nor messages',
        expected: 'at least one of them',
        fix: 'add money: or messages:',
      };
    }
    if (worstPrice !== undefined && money === undefined) {
      yield {
        key: ['budgets', index, 'worstPrice'],
        wrong: 'is set without money',
        expected: 'it only where money is limited',
        fix: 'add money: or remove it',
      };
    }
    if (only === undefined) continue;
    if (of === 'country') yield* checkCountry(only, ['budgets', index, 'only']);
    else if (of === 'installation' || of === 'route') {
      yield {
        key: ['budgets', index, 'only'],
        wrong: `is set for ${of}`,
        expected: 'it only of account, key or country',
        fix: 'remove it',
      };
    }
  }
}
