/** Tells the log and the metrics of budgets that run out. */
import { type BudgetWatch, type Charge, NEARLY_USED, nameBudget } from '../core/budgets/budget.ts';
import { formatLimits } from '../core/budgets/notation.ts';
import type { Metrics } from './metrics.ts';

type Log = (level: 'warn', message: string, fields: Record<string, unknown>) => void;

/** Budgets that are remembered; beyond that, some are told again. */
const MOST_TOLD = 1_000;

export function createBudgetWatch(
  metrics: Pick<Metrics, 'budgetNearlyUsed' | 'budgetExhausted'>,
  log: Log,
  /** Hears the same, once for each period and limit of a budget. */
  next: BudgetWatch,
): BudgetWatch {
  /** Until when each budget was told to be used up: one line for each, not for each message. */
  const told = new Map<string, number>();

  function describe({ subject, startsAt, endsAt, ...charge }: Charge) {
    const [from, until] = [startsAt, endsAt].map((time) => new Date(time).toISOString());
    return { event: 'budget.reached', budget: nameBudget(charge), of: subject || undefined, from, until };
  }

  return {
    nearlyUsed(charge) {
      metrics.budgetNearlyUsed(nameBudget(charge));
      log('warn', `${NEARLY_USED * 100} % of a budget is used`, describe(charge));
      next.nearlyUsed(charge);
    },
    exhausted(charge) {
      metrics.budgetExhausted(nameBudget(charge));
      const key = `${nameBudget(charge)} ${charge.subject} ${formatLimits(charge)}`;
      if (told.get(key) === charge.endsAt) return;
      if (told.size >= MOST_TOLD) told.clear();
      told.set(key, charge.endsAt);
      log('warn', 'a budget is used up: messages are refused', describe(charge));
      next.exhausted(charge);
    },
  };
}
