/** How much of budgets is used. PostgreSQL takes the subjects as an array. */
import type { DatabaseSync } from 'node:sqlite';
import { type BudgetUse, PERIODS } from '../../../core/budgets/budget.ts';

export function createBudgetUse(db: DatabaseSync) {
  const fullest = db.prepare(`
    SELECT kind, per, CASE WHEN subject IN (SELECT value FROM json_each(:subjects)) THEN subject END AS subject,
      max(money) AS money, max(messages) AS messages
    FROM budget_use WHERE starts_at <= :now AND ends_at > :now GROUP BY 1, 2, 3`);
  return {
    budgetUse: (now: number, subjects: readonly string[]): BudgetUse[] =>
      fullest.all({ now, subjects: JSON.stringify(subjects) }).flatMap((row) => {
        const per = PERIODS.find((period) => period === row.per);
        if (per === undefined) return [];
        const subject = row.subject === null ? null : String(row.subject);
        return {
          kind: String(row.kind),
          subject,
          per,
          money: Number(row.money),
          messages: Number(row.messages),
        };
      }),
  };
}
