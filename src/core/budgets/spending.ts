/** Puts budgets together: which apply to a message, and how much of each is used. */
import type { FindLegs } from '../sending/legs.ts';
import { createPriceList, type PriceSources, withFreeSimulator } from '../sending/prices.ts';
import type { Route } from '../sending/routing.ts';
import type { Budget, BudgetStore } from './budget.ts';
import { createBudgets, type FindBudgets, ratiosOf } from './budgets.ts';

interface SpendingConfig extends Pick<PriceSources, 'priceRows'> {
  readonly budgets: readonly Budget[];
  readonly carriers: PriceSources['carriers'] & Readonly<Record<string, { readonly type: string }>>;
}

interface Spending {
  readonly findBudgets: FindBudgets;
  /** How much of each budget is used, by its name; 1 is all of it. */
  readonly readRatios: () => Promise<Iterable<readonly [string, number]>>;
}

/** Messages of `free` routes count against no budget. */
export function createSpending(
  config: SpendingConfig,
  free: ReadonlySet<Route>,
  findLegs: FindLegs,
  store: BudgetStore,
  now: () => number,
): Spending {
  const { budgets, carriers } = config;
  const find = createBudgets(budgets, withFreeSimulator(createPriceList(config), carriers), findLegs);
  const named = budgets.flatMap(({ only = [] }) => only);
  return {
    findBudgets: (asked) => (free.has(asked.route) ? undefined : find(asked)),
    readRatios: async () =>
      budgets.length === 0 ? [] : ratiosOf(budgets, await store.budgetUse(now(), named)),
  };
}
