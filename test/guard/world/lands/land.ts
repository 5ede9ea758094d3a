/** One country in one world: its operators, its people's habits, its price. */
import { getCountryCallingCode } from 'libphonenumber-js/max';
import type { Random } from '../random.ts';
import { Addresses } from './addresses.ts';
import { type Country, hoursAhead, usualPrice } from './countries.ts';
import { drawNumber, listBlocks } from './numbers.ts';

const FREE_IN_BLOCK = 5;

export interface Outage {
  readonly from: number;
  readonly to: number;
  /** The part of the country's blocks whose people get nothing. */
  readonly share: number;
  /** The part of their messages that arrives all the same. */
  readonly delivered: number;
}

export interface Land {
  readonly country: Country;
  /** With its plus sign. */
  readonly callingCode: string;
  readonly price: number;
  /** The share of honest newcomers who confirm, sooner or later. */
  readonly conversion: number;
  /** From the message to the confirmation. */
  readonly delay: { readonly median: number; readonly sigma: number; readonly tail: number };
  readonly ahead: number;
  /** The blocks of its operators that honest people have, those with the most people first. */
  readonly blocks: readonly string[];
  readonly addresses: Addresses;
  readonly outages: Outage[];
}

export function drawLand(country: Country, random: Random, conversion: number): Land {
  const all = random.shuffle(listBlocks(country));
  return {
    country,
    callingCode: `+${getCountryCallingCode(country)}`,
    price: Math.round(usualPrice(country) * random.between(0.7, 1.4) * 1e4) / 1e4,
    conversion,
    delay: {
      median: random.scale(8_000, 40_000),
      sigma: random.between(0.5, 1),
      tail: random.between(0.02, 0.1),
    },
    ahead: hoursAhead(country),
    blocks: all.slice(0, random.whole(Math.min(8, all.length), all.length)),
    addresses: new Addresses(random.fork()),
    outages: [],
  };
}

/** A number that somebody there has. */
export function drawSubscriber(land: Land, random: Random): string {
  return drawNumber(random.pickEarly(land.blocks), FREE_IN_BLOCK, land.country, random);
}

/** From here to when somebody there types the code in. */
export function drawDelay({ delay }: Land, random: Random): number {
  const slow = random.chance(delay.tail) ? random.between(3, 10) : 1;
  return Math.min(9 * 60_000, Math.max(2_500, slow * random.logNormal(delay.median, delay.sigma)));
}

/** Whether a message that is sent now arrives. */
export function isDelivered(land: Land, number: string, at: number, random: Random): boolean {
  const outage = land.outages.find(({ from, to }) => from <= at && at < to);
  if (outage === undefined) return true;
  const block = land.blocks.findIndex((beginning) => number.startsWith(beginning));
  // Spread over popular and rare blocks alike.
  const isHit = ((block + 1) * 0.618_034) % 1 < outage.share;
  return !isHit || random.chance(outage.delivered);
}
