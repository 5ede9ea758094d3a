/** Puts budgets together: which apply to a message, and how much of each is used. */
import type { FindFallbackSteps } from '../sending/fallback-steps.ts';
import { createPriceList, type PriceSources, withFreeSimulator } from '../sending/prices.ts';
import type { Route } from '../sending/routing.ts';
import type { Budget, BudgetStore } from './budget.ts';
import { createBudgets, createLimits, type FindBudgets, ratiosOf } from './budgets.ts';
import { createFindLack, type FindLack, type LackParts } from './funds.ts';

interface SpendingConfig extends Pick<PriceSources, 'priceRows'> {
  readonly budgets: readonly Budget[];
  readonly carriers: PriceSources['carriers'] & Readonly<Record<string, { readonly type: string }>>;
}

interface Spending {
  readonly findBudgets: FindBudgets;
  readonly findLack: FindLack;
  /** How much of each budget is used, by its name; 1 is all of it. */
  readonly readRatios: () => Promise<Iterable<readonly [string, number]>>;
}

/** Messages of `free` routes count against no budget. */
export function createSpending(
  config: SpendingConfig,
  free: ReadonlySet<Route>,
  findSteps: FindFallbackSteps,
  routeOf: LackParts['payingRoute'],
  store: BudgetStore,
  now: () => number,
): Spending {
  const { budgets, carriers } = config;
  const priceOf = withFreeSimulator(createPriceList(config), carriers);
  const find = createBudgets(budgets, priceOf, findSteps);
  const named = budgets.flatMap(({ only = [] }) => only);
  return {
    findBudgets: (asked) => (free.has(asked.route) ? undefined : find(asked)),
    findLack: createFindLack({
      findLimits: createLimits(budgets),
      priceOf,
      payingRoute(message) {
        const route = routeOf(message);
        return route && free.has(route) ? undefined : route;
      },
    }),
    readRatios: async () =>
      budgets.length === 0 ? [] : ratiosOf(budgets, await store.budgetUse(now(), named)),
  };
}
