/** Budgets of accounts in words: `account 50 per day` is money, `key 100 messages per hour` a number of messages. */
import { ACCOUNT_HOLDERS, type AccountBudget, type Charge, PERIODS } from './budget.ts';

const MILLIONTHS = 1_000_000;

/** A regular expression without flags, as JSON Schema takes it. */
export const BUDGET_PATTERN = `^(${ACCOUNT_HOLDERS.join('|')}) ([0-9]{1,9}(?:\\.[0-9]{1,6})?)( messages)? per (${PERIODS.join('|')})$`;

const BUDGET = new RegExp(BUDGET_PATTERN);

/** Undefined if it is not one, or limits to nothing. */
export function parseBudget(text: string): AccountBudget | undefined {
  const [, holder, amount, messages, period] = BUDGET.exec(text) ?? [];
  const of = ACCOUNT_HOLDERS.find((each) => each === holder);
  const per = PERIODS.find((each) => each === period);
  const limit = Number(amount);
  if (of === undefined || per === undefined || !(limit > 0)) return undefined;
  if (messages === undefined) return { of, per, money: Math.round(limit * MILLIONTHS) };
  return Number.isInteger(limit) ? { of, per, messages: limit } : undefined;
}

export const formatBudget = ({ of, per, money, messages }: AccountBudget): string =>
  `${of} ${formatLimits({ money: money ?? null, messages: messages ?? null })} per ${per}`;

/** Such as `50 or 100 messages`. */
export const formatLimits = ({ money, messages }: Pick<Charge, 'money' | 'messages'>): string =>
  [
    ...(money === null ? [] : [`${money / MILLIONTHS}`]),
    ...(messages === null ? [] : [`${messages} messages`]),
  ].join(' or ');
