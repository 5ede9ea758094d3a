/** What accounts decided about rules. An account that decided nothing has no row. */
import { query, type Records, type Row, type Step } from '../../core/accounts/records.ts';
import {
  ACCOUNT_RULES,
  faultOfThreshold,
  isRuleName,
  type RuleName,
  type RuleWish,
  type RuleWishes,
} from '../../core/alerts/rule.ts';
import type { FieldError } from '../../core/field-error.ts';
import { lockAccount } from '../standing.ts';
import { type AlertChange, auditAlerts } from './change.ts';

export async function readRuleWishes(records: Records, accountId: string): Promise<RuleWishes> {
  return wishesOf(
    await query(records, 'SELECT rule, is_on, threshold FROM alert_rule WHERE account_id = $1', accountId),
  );
}

/** Of all accounts that decided something. */
export async function readAllRuleWishes(records: Records): Promise<ReadonlyMap<string, RuleWishes>> {
  const rows = await query(records, 'SELECT account_id, rule, is_on, threshold FROM alert_rule');
  const byAccount = Map.groupBy(rows, (row) => String(row.account_id));
  return new Map([...byAccount].map(([account, own]) => [account, wishesOf(own)]));
}

export type ChangedRule =
  | { readonly kind: 'changed' }
  | { readonly kind: 'wrong'; readonly error: FieldError<'threshold'> }
  /** No rule that an account may decide about. */
  | { readonly kind: 'unknown' };

/** An empty wish is the default again. */
export async function changeRule(
  records: Records,
  change: AlertChange,
  rule: RuleName,
  wish: RuleWish,
): Promise<ChangedRule> {
  if (!ACCOUNT_RULES.includes(rule)) return { kind: 'unknown' };
  const fault = wish.threshold === undefined ? undefined : faultOfThreshold(rule, wish.threshold);
  if (fault !== undefined) {
    return { kind: 'wrong', error: { field: 'threshold', code: 'not_allowed_value', detail: fault } };
  }
  const { accountId } = change;
  const keep: Step = {
    sql: `INSERT INTO alert_rule (account_id, rule, is_on, threshold)
      VALUES ($1, $2, CAST($3 AS INTEGER), CAST($4 AS DOUBLE PRECISION))
      ON CONFLICT (account_id, rule) DO UPDATE SET is_on = excluded.is_on, threshold = excluded.threshold`,
    args: [accountId, rule, wish.on === undefined ? null : Number(wish.on), wish.threshold ?? null],
  };
  const entry = auditAlerts(records, 'alerts.rule-changed', rule, change, describe(wish));
  await records.transact([lockAccount(accountId), keep, entry]);
  return { kind: 'changed' };
}

const describe = ({ on, threshold }: RuleWish): string =>
  [
    ...(on === undefined ? [] : [on ? 'on' : 'off']),
    ...(threshold === undefined ? [] : [`threshold: ${threshold}`]),
  ].join('; ') || 'default';

function wishesOf(rows: readonly Row[]): RuleWishes {
  const wishes: Partial<Record<RuleName, RuleWish>> = {};
  for (const { rule, is_on: on, threshold } of rows) {
    const name = String(rule);
    // A later version may know more rules.
    if (!isRuleName(name)) continue;
    wishes[name] = {
      ...(typeof on === 'number' && { on: on === 1 }),
      ...(typeof threshold === 'number' && { threshold }),
    };
  }
  return wishes;
}
