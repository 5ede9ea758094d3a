/** How much of budgets is used. SQLite takes the subjects as JSON. */
import type { BudgetStore, BudgetUse } from '../../../core/budgets/budget.ts';
import type { Database } from '../connection/database.ts';

export function createBudgetUse(db: Database): BudgetStore {
  const fullest = {
    name: 'budget_use',
    text: `
      SELECT kind, per, CASE WHEN subject = ANY ($2::text[]) THEN subject END AS subject,
        max(money) AS money, max(messages) AS messages
      FROM budget_use WHERE starts_at <= $1 AND ends_at > $1 GROUP BY 1, 2, 3`,
  };
  return {
    budgetUse: (now, subjects) => db.read<BudgetUse & Record<string, unknown>>(fullest, [now, subjects]),
  };
}
