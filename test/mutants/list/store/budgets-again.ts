/** What another round of a message takes from budgets. */
import type { Mutant } from '../../mutant.ts';
import { IN_POSTGRES, IN_SQLITE, POSTGRES, SQLITE } from './budgets.ts';

export const BUDGETS_AGAIN: readonly Mutant[] = [
  {
    breaks: 'the round of a lease that ran out counts in budgets',
    file: IN_SQLITE,
    from: 'kept.underWay ? (kept.spent ?? 0) + worst : kept.spent',
    to: 'kept.spent',
    ...SQLITE,
  },
  {
    breaks: 'a late settlement of a lost lease changes no budget',
    file: IN_SQLITE,
    from: 'WHERE verification_id = :id AND fence = :fence AND under_way = 1',
    to: 'WHERE verification_id = :id AND (fence = :fence OR true) AND under_way = 1',
    ...SQLITE,
  },
  {
    breaks: 'a message whose failed round cost something waits at the rows of its budgets, too',
    file: IN_POSTGRES,
    from: 'PERFORM lock_budgets(ARRAY[known || joining]);',
    to: '',
    tests: ['test/store/postgres/interleavings.test.ts'],
    named: 'budget',
  },
  {
    breaks: 'the round of a lease that ran out counts in budgets',
    file: IN_POSTGRES,
    from: 'CASE WHEN under_way THEN coalesce(spent, 0) + price_of(left_over, NULL) ELSE spent END AS paid',
    to: 'spent AS paid',
    ...POSTGRES,
  },
  {
    breaks: 'a message whose failed round cost something is reserved again before it is sent again (SQLite)',
    file: IN_SQLITE,
    from: '(spent ?? 0) + worst <= kept.held ? left : {}',
    to: 'left',
    ...SQLITE,
  },
  {
    breaks:
      'a message whose failed round cost something is reserved again before it is sent again (PostgreSQL)',
    file: IN_POSTGRES,
    from: "CASE WHEN coalesce(paid, 0) + worst <= held THEN left_over ELSE '{}' END",
    to: 'left_over',
    ...POSTGRES,
  },
  {
    breaks: 'what was paid for a message is no room for sending it again (SQLite)',
    file: IN_SQLITE,
    from: 'const needed = (kept?.spent ?? 0) + sum',
    to: 'const needed = sum',
    ...SQLITE,
  },
  {
    breaks: 'what was paid for a message is no room for sending it again (PostgreSQL)',
    file: IN_POSTGRES,
    from: 'greatest(coalesce(kept.spent, 0) + price_of',
    to: 'greatest(price_of',
    ...POSTGRES,
  },
  {
    breaks: 'a budget that is gone holds up no message (SQLite)',
    file: 'src/core/budgets/budget.ts',
    from: '.map((charge) => ({ ...charge, money: null, messages: null }))',
    to: '',
    ...SQLITE,
  },
  {
    breaks: 'a budget that is gone holds up no message (PostgreSQL)',
    file: IN_POSTGRES,
    from: `jsonb_agg(old || '{"money": null, "messages": null}')`,
    to: 'jsonb_agg(old)',
    ...POSTGRES,
  },
  {
    breaks: 'a budget of money that is gone asks for no price',
    file: 'src/core/budgets/funds.ts',
    from: 'boundsMoney(charges)',
    to: 'boundsMoney([...held.charges, ...charges])',
    tests: ['src/core/budgets/funds.test.ts'],
  },
  {
    breaks: 'who lost a lease does not end the round of the next holder in the budgets',
    file: IN_POSTGRES,
    from: 'WHERE verification_id = settled.id AND reservation.fence = settled.fence AND under_way;',
    to: 'WHERE verification_id = settled.id AND under_way;',
    ...POSTGRES,
  },
  {
    breaks: 'another round of a message takes for each carrier that may be asked again',
    file: IN_POSTGRES,
    from: "AND (outcome = 'permanent' OR receipt = 'undelivered'))), '{}') AS left_over",
    to: ")), '{}') AS left_over",
    ...POSTGRES,
  },
];
