/** Tells the log and the metrics of budgets that run out. */
import { type BudgetWatch, type Charge, NEARLY_USED, nameBudget } from '../core/budgets/budget.ts';
import type { Metrics } from './metrics.ts';

type Log = (level: 'warn', message: string, fields: Record<string, unknown>) => void;

export function createBudgetWatch(
  metrics: Pick<Metrics, 'budgetNearlyUsed' | 'budgetExhausted'>,
  log: Log,
): BudgetWatch {
  /** The last charge of each budget that was told to be used up: one line for each, not for each message. */
  const told = new Map<string, number>();

  function describe({ subject, startsAt, endsAt, ...charge }: Charge) {
    const [from, until] = [startsAt, endsAt].map((time) => new Date(time).toISOString());
    return { budget: nameBudget(charge), of: subject || undefined, from, until };
  }

  return {
    nearlyUsed(charge) {
      metrics.budgetNearlyUsed(nameBudget(charge));
      log('warn', `${NEARLY_USED * 100} % of a budget is used`, describe(charge));
    },
    exhausted(charge) {
      const name = nameBudget(charge);
      metrics.budgetExhausted(name);
      if (told.get(name) === charge.endsAt) return;
      told.set(name, charge.endsAt);
      log('warn', 'a budget is used up: messages are refused', describe(charge));
    },
  };
}
