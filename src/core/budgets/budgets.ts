/** Finds the budgets that a message counts against, and what it may cost. */

import { firstOfLine, type InSuccession, isOfLine } from '../accounts/succession.ts';
import type { Channel } from '../destination/channel.ts';
import type { Destination } from '../destination/destination.ts';
import { carrierOn } from '../sending/carrier-on.ts';
import type { FindFallbackSteps } from '../sending/fallback-steps.ts';
import type { PriceList } from '../sending/prices.ts';
import { nameRoute, type Route } from '../sending/routing.ts';
import { NO_KEY } from '../verification/carrier-test.ts';
import {
  type AccountBudget,
  type Budget,
  type BudgetUse,
  type Charge,
  nameBudget,
  periodOf,
  type Reservation,
} from './budget.ts';

/** A message that would leave the machine. */
interface Asked extends InSuccession {
  readonly accountId: string;
  readonly destination: Destination;
  readonly route: Route;
  /** The account's own budgets. */
  readonly own: readonly AccountBudget[];
}

interface Later {
  readonly channel: Channel;
  readonly prices: Readonly<Record<string, number>>;
}

type Limits = readonly Omit<Charge, 'startsAt' | 'endsAt'>[];

/** The budgets that a message counts against. */
interface Counting {
  readonly limits: Limits;
  /** What one segment or call is taken to cost where no price is known; undefined if no budget says so. */
  readonly worstPrice: number | undefined;
}

/** Undefined if there is none. */
export type FindLimits = (asked: Asked) => Counting | undefined;

/** What applies to a message before its text is known. */
export interface Applying {
  readonly limits: Limits;
  /** Of one segment or call, by carrier. */
  readonly prices: Readonly<Record<string, number>>;
  /** The same of the channels that the message may go on by, by carriers as `carrierOn` names them. */
  readonly later: readonly Later[];
}

/**
 * - `undefined`: no budget applies.
 * - `no-price`: a budget of money applies, and nobody knows what the message would cost.
 */
type Found = Applying | 'no-price' | undefined;

export type FindBudgets = (asked: Asked) => Found;

export function createLimits(budgets: readonly Budget[]): FindLimits {
  return (asked) => {
    const { accountId, destination, own } = asked;
    if (budgets.length === 0 && own.length === 0) return undefined;
    const limits = new Map<string, Applying['limits'][number]>();
    const worstPrices: number[] = [];
    const apply = (
      kind: string,
      subject: string | undefined,
      { per, money, messages, worstPrice }: Budget,
    ) => {
      if (subject === undefined) return;
      const key = `${kind} ${per} ${subject}`;
      const before = limits.get(key);
      limits.set(key, {
        ...{ kind, subject, per },
        money: least(before?.money, money),
        messages: least(before?.messages, messages),
      });
      if (worstPrice !== undefined) worstPrices.push(worstPrice);
    };
    for (const budget of budgets) {
      apply(budget.of, subjectWithin(budget, asked), budget);
    }
    for (const budget of own) {
      const inAccount = budget.of === 'country';
      const subject = inAccount ? `${accountId} ${destination.country}` : subjectOf(budget, asked);
      apply(inAccount ? 'account country' : budget.of, subject, budget);
    }
    if (limits.size === 0) return undefined;
    const worstPrice = worstPrices.length === 0 ? undefined : Math.max(...worstPrices);
    return { limits: [...limits.values()], worstPrice };
  };
}

/** Whether any of them is one of money. */
export const boundsMoney = (limits: readonly Pick<Charge, 'money'>[]): boolean =>
  limits.some(({ money }) => money !== null);

/** A money budget without a price cannot be kept, so the price is the stated worst one, or there is no message. */
export function createBudgets(
  budgets: readonly Budget[],
  priceOf: PriceList,
  findSteps: FindFallbackSteps = () => [],
): FindBudgets {
  const findLimits = createLimits(budgets);
  return (asked) => {
    const found = findLimits(asked);
    if (found === undefined) return undefined;
    const { destination, route } = asked;
    const { limits, worstPrice } = found;
    const isBound = boundsMoney(limits);
    const pricesOf = ({ channel, carriers }: Route, later: Channel | null) => {
      const prices: Record<string, number> = {};
      for (const carrier of carriers) {
        const price = priceOf(carrier, { channel, destination }) ?? worstPrice;
        if (price === undefined && isBound) return undefined;
        prices[carrierOn(carrier, later)] = price ?? 0;
      }
      return prices;
    };
    const prices = pricesOf(route, null);
    if (prices === undefined) return 'no-price';
    const later: Later[] = [];
    for (const leg of findSteps(route, destination)) {
      const { channel } = leg.route;
      const pricesThere = pricesOf(leg.route, channel);
      if (pricesThere === undefined) return 'no-price';
      later.push({ channel, prices: pricesThere });
    }
    return { limits, prices, later };
  };
}

/** What a message of so many segments reserves, if it is asked for now; `laterUnits` of a channel that it may go on by. */
export function reserve(
  { limits, prices, later }: Applying,
  units: number,
  now: number,
  laterUnits: (channel: Channel) => number,
): Reservation {
  const times = (each: Readonly<Record<string, number>>, count: number) =>
    Object.entries(each).map(([carrier, price]) => [carrier, price * count] as const);
  const more = later.flatMap(({ channel, prices: there }) => times(there, laterUnits(channel)));
  return {
    charges: chargesOf(limits, now),
    prices: Object.fromEntries([...times(prices, units), ...more]),
  };
}

/** Those of the periods that a time belongs to. */
export const chargesOf = (limits: Limits, at: number): Charge[] =>
  limits.map((limit) => ({ ...limit, ...periodOf(limit.per, at) }));

/** The same of a budget for one only. That of a key is one book for it and for those that take its place. */
function subjectWithin({ of, only }: Pick<Budget, 'of' | 'only'>, asked: Asked): string | undefined {
  if (only === undefined) return subjectOf({ of }, asked);
  const isMeant = of === 'key' ? isOfLine(asked, only) : subjectOf({ of }, asked) === only;
  return isMeant ? only : undefined;
}

/** Whose budget it is; undefined if there is nobody: the tests of carriers of all accounts would share one. */
function subjectOf({ of }: Pick<Budget, 'of'>, asked: Asked): string | undefined {
  const { accountId, keyId, destination, route } = asked;
  switch (of) {
    case 'installation':
      return '';
    case 'account':
      return accountId;
    case 'key':
      // A key that was rotated does not begin anew.
      return keyId === NO_KEY ? undefined : firstOfLine(asked);
    case 'country':
      return destination.country;
    case 'route':
      return nameRoute(route);
  }
}

/** Where several limits bound one account book, the lowest does. */
function least(one: number | null | undefined, other: number | undefined): number | null {
  if (other === undefined) return one ?? null;
  return one === null || one === undefined ? other : Math.min(one, other);
}

/** How much of the fullest budget of each name is used: 1 is all of it. */
export function ratiosOf(budgets: readonly Budget[], uses: readonly BudgetUse[]): Map<string, number> {
  const ratios = new Map<string, number>();
  for (const budget of budgets) {
    const { of: kind, per, only, money, messages } = budget;
    const name = nameBudget({ kind, per });
    const ratio = uses
      .filter((use) => use.kind === kind && use.per === per && (only === undefined || use.subject === only))
      .reduce(
        (most, use) => Math.max(most, share(use.money, money), share(use.messages, messages)),
        ratios.get(name) ?? 0,
      );
    ratios.set(name, ratio);
  }
  return ratios;
}

function share(used: number, limit: number | undefined): number {
  return limit === undefined ? 0 : used / limit;
}
