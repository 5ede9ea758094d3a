/** Budgets: what messages may cost, or how many there may be, in an hour, a day or a month (UTC). Money is in millionths. */
import { DAY_MS, HOUR_MS } from '../seams/spans.ts';

export const BUDGET_HOLDERS = ['installation', 'account', 'key', 'country', 'route'] as const;
type BudgetHolder = (typeof BUDGET_HOLDERS)[number];

/** What an account may set budgets for. */
export const ACCOUNT_HOLDERS = ['account', 'key', 'country'] as const satisfies readonly BudgetHolder[];

export const PERIODS = ['hour', 'day', 'month'] as const;
export type Period = (typeof PERIODS)[number];

export interface Budget {
  /** Each of them has a budget of its own. */
  readonly of: BudgetHolder;
  readonly per: Period;
  /** In millionths of the currency. At least one of `money` and `messages` is there. */
  readonly money?: number | undefined;
  readonly messages?: number | undefined;
  /** Only this country, or the account or key with this id; each of them by default. */
  readonly only?: string | undefined;
  /** What one segment or call is taken to cost where no price is known, in millionths. Without it such messages are refused. */
  readonly worstPrice?: number | undefined;
}

/** A budget that an account sets for itself. */
export interface AccountBudget extends Pick<Budget, 'per' | 'money' | 'messages'> {
  readonly of: (typeof ACCOUNT_HOLDERS)[number];
}

/** The period that a time belongs to: an hour, day or month of UTC. `endsAt` is the first moment after it. */
export function periodOf(per: Period, at: number): { readonly startsAt: number; readonly endsAt: number } {
  if (per === 'month') {
    const time = new Date(at);
    const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
    return { startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
  }
  const length = per === 'hour' ? HOUR_MS : DAY_MS;
  const startsAt = at - (at % length);
  return { startsAt, endsAt: startsAt + length };
}

/** The part of a budget that is told before it is used up: once in each period. */
export const NEARLY_USED = 0.8;

/** One budget's account book for one period: what is used is counted here, by all nodes together. */
export interface Charge {
  /** Whose budget it is: a holder, or `account country` for a country within an account. */
  readonly kind: string;
  /** Which of them; empty for the installation. */
  readonly subject: string;
  readonly per: Period;
  /** Unix ms. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** The limits; null where there is none. */
  readonly money: number | null;
  readonly messages: number | null;
}

/** What a verification takes from budgets before it is accepted: from all of these, or it is refused. */
export interface Reservation {
  readonly charges: readonly Charge[];
  /** What its message costs at each carrier that may be asked, in millionths. Each may be paid, so all are reserved. */
  readonly prices: Readonly<Record<string, number>>;
}

/** Whether both are of one account book; their limits may differ. */
export const isSameBook = (one: Charge, other: Charge): boolean =>
  one.kind === other.kind &&
  one.subject === other.subject &&
  one.per === other.per &&
  one.startsAt === other.startsAt;

/**
 * What is held once `more` is reserved: of each carrier the highest price, and the limits of now. What is in none of its budgets any
 * more still counts there, so that each gets back what it gave, but nothing limits it.
 */
export function joined(held: Reservation | undefined, more: Reservation): Reservation {
  if (held === undefined) return more;
  const kept = held.charges
    .filter((charge) => !more.charges.some((each) => isSameBook(each, charge)))
    .map((charge) => ({ ...charge, money: null, messages: null }));
  const prices = Object.entries(more.prices).map(
    ([name, price]) => [name, Math.max(price, held.prices[name] ?? 0)] as const,
  );
  return {
    charges: [...kept, ...more.charges],
    prices: { ...held.prices, ...Object.fromEntries(prices) },
  };
}

/** The name in answers, logs and metrics: `account per day`. */
export function nameBudget({ kind, per }: Pick<Charge, 'kind' | 'per'>): string {
  return `${kind} per ${per}`;
}

/** What is used of the fullest budget of a kind, in the period under way. */
export interface BudgetUse {
  readonly kind: string;
  /** One of the subjects that were asked for; otherwise null, and this is the fullest of all others. */
  readonly subject: string | null;
  readonly per: Period;
  readonly money: number;
  readonly messages: number;
}

export interface BudgetStore {
  /** For metrics: each kind and period, apart for these subjects. */
  budgetUse(now: number, subjects: readonly string[]): Promise<BudgetUse[]>;
}

/** Hears of budgets that run out. */
export interface BudgetWatch {
  /** Once in each period and for each limit as high, on one node. */
  nearlyUsed(charge: Charge): void;
  /** A message was refused. */
  exhausted(charge: Charge): void;
}

/** What a store names by its place in the list. */
export function chargeOf(reservation: Reservation | undefined, index: number): Charge {
  const charge = reservation?.charges[index];
  if (charge === undefined) throw new Error('the store named a budget that was not asked');
  return charge;
}
