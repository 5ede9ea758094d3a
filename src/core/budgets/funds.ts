/**
 * Whether a message holds what a carrier may cost, right before that carrier is asked. Since it was accepted, its route, prices,
 * texts and budgets may have changed, and another node may go by others.
 */

import type { InSuccession } from '../accounts/succession.ts';
import type { OutgoingMessage } from '../sending/carrier.ts';
import { carrierOn } from '../sending/carrier-on.ts';
import { countUnits, type PriceList } from '../sending/prices.ts';
import type { Route } from '../sending/routing.ts';
import { type AccountBudget, type Charge, isSameBook, type Reservation } from './budget.ts';
import { boundsMoney, chargesOf, type FindLimits } from './budgets.ts';

/** Who pays for a message that was accepted, and what it holds of budgets. */
export interface Funds extends InSuccession {
  /** The account's own budgets. */
  readonly own: readonly AccountBudget[];
  /** Undefined if no budget applied when it was accepted. */
  readonly reservation: Reservation | undefined;
  /** By which it was reserved. Nothing is lacking while the same is in effect. */
  readonly asOf?: FindLack | undefined;
}

export interface LackAsked {
  readonly message: OutgoingMessage;
  readonly funds: Funds;
  readonly carrier: string;
  /** Unix ms: a message counts in the periods in which it was accepted. */
  readonly createdAt: number;
}

/** What has to be reserved in addition; `no-price` if a budget of money applies and nobody knows what the message would cost. */
export type FindLack = (asked: LackAsked) => Reservation | 'no-price' | undefined;

export interface LackParts {
  readonly findLimits: FindLimits;
  readonly priceOf: PriceList;
  /** The route that the message was asked for on; undefined if it is gone, or counts against no budget. */
  readonly payingRoute: (message: OutgoingMessage) => Route | undefined;
}

export function createFindLack({ findLimits, priceOf, payingRoute }: LackParts): FindLack {
  const findLack: FindLack = ({ message, funds, carrier, createdAt }) => {
    const { keyId, predecessors, own, reservation, asOf } = funds;
    if (message.test || asOf === findLack) return undefined;
    const { accountId, channel, destination, fallback, text } = message;
    const route = payingRoute(message);
    const counting = route && findLimits({ accountId, keyId, predecessors, destination, route, own });
    if (counting === undefined && reservation === undefined) return undefined;
    const charges = chargesOf(counting?.limits ?? [], createdAt);
    const held = reservation ?? NOTHING;
    const name = carrierOn(carrier, fallback === undefined ? null : channel);
    const known = held.prices[name];
    const unit = priceOf(carrier, { channel, destination }) ?? counting?.worstPrice;
    if (unit === undefined && known === undefined && boundsMoney(charges)) return 'no-price';
    const price = unit === undefined ? (known ?? 0) : unit * countUnits(channel, text);
    const isCovered = price <= (known ?? 0) && charges.every((charge) => countsIn(held, charge));
    return isCovered ? undefined : { charges, prices: { [name]: price } };
  };
  return findLack;
}

const NOTHING: Reservation = { charges: [], prices: {} };

const countsIn = ({ charges }: Reservation, wanted: Charge): boolean =>
  charges.some((charge) => isSameBook(charge, wanted));
