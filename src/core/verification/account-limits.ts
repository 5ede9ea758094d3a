/** The limits of one number, as they hold for one account: the service's or its own ceiling, and what it sets itself. */
import type { AccountSettings } from '../accounts/account-settings.ts';
import type { Limit, Limits } from './limits.ts';

type NumberLimits = Pick<Limits, 'sendsPerDestination' | 'failedGuessesPerDestination'>;
export type NumberLimit = keyof NumberLimits;

/** By the account's id, what holds for it in place of the service's; what is left out is the service's. */
export type Ceilings = Readonly<
  Record<string, { readonly limits: { readonly [Kind in NumberLimit]?: readonly Limit[] | undefined } }>
>;

/** An account's number of the service is not the same number of another account, so neither uses up what the other may. */
export class AccountLimits {
  readonly #service: NumberLimits;
  readonly #ceilings: Ceilings;

  constructor(service: NumberLimits, ceilings: Ceilings) {
    this.#service = service;
    this.#ceilings = ceilings;
  }

  /** What the account cannot go beyond. `isOwn`: the operator lets this account have more, or less, than others. */
  ceiling(
    accountId: string,
    kind: NumberLimit,
  ): { readonly limits: readonly Limit[]; readonly isOwn: boolean } {
    const own = this.#ownCeiling(accountId, kind);
    return { limits: own ?? this.#service[kind], isOwn: own !== undefined };
  }

  /** All that hold. */
  of(accountId: string, kind: NumberLimit, settings: AccountSettings | undefined): readonly Limit[] {
    return [...this.ceiling(accountId, kind).limits, ...(settings?.[kind] ?? [])];
  }

  /** As `of`, for a store: undefined for one of the many accounts for which the service's hold, whose calls it takes together. */
  apart(
    accountId: string,
    kind: NumberLimit,
    settings: AccountSettings | undefined,
  ): readonly Limit[] | undefined {
    const isUsual = this.#ownCeiling(accountId, kind) === undefined && !settings?.[kind].length;
    return isUsual ? undefined : this.of(accountId, kind, settings);
  }

  #ownCeiling(accountId: string, kind: NumberLimit): readonly Limit[] | undefined {
    return Object.hasOwn(this.#ceilings, accountId) ? this.#ceilings[accountId]?.limits[kind] : undefined;
  }
}

/**
 * The limit of `ceiling` that is stricter than `limit` in every case. A window of it is covered by so many windows of that one, each with
 * its most: 50/1h is never reached under 5/10m. As strict is not stricter: it holds when the other is loosened.
 */
export function findTighter(limit: Limit, ceiling: readonly Limit[]): Limit | undefined {
  return ceiling.find(({ max, windowMs }) => limit.max > max * Math.ceil(limit.windowMs / windowMs));
}
