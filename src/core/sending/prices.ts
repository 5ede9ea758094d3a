/** What a message costs at a carrier. */
import { CHANNELS, type Channel } from '../destination/channel.ts';
import { countSegments } from '../message/segments.ts';
import { SIMULATOR } from './carrier.ts';

/** Prices by country (ISO 3166 alpha-2) or `default`, for one segment of an SMS or one call, in the currency. */
export type Prices = Readonly<Record<string, number>>;

/** The price of one segment or call, in millionths of the currency; undefined if unknown. */
export type PriceList = (carrier: string, country: string) => number | undefined;

const MILLIONTHS = 1_000_000;

export function createPriceList(carriers: Readonly<Record<string, { readonly prices?: Prices }>>): PriceList {
  return (carrier, country) => {
    const prices = carriers[carrier]?.prices;
    const price = prices?.[country] ?? prices?.default;
    return price === undefined ? undefined : Math.round(price * MILLIONTHS);
  };
}

/** The simulator costs nothing, whatever its prices say for statistics. */
export function withFreeSimulator(
  priceOf: PriceList,
  carriers: Readonly<Record<string, { readonly type: string }>>,
): PriceList {
  return (carrier, country) => (carriers[carrier]?.type === SIMULATOR ? 0 : priceOf(carrier, country));
}

/** The number of units that a carrier charges for: segments, or one call. */
export function countUnits(channel: Channel, text: string): number {
  switch (CHANNELS[channel].wording) {
    case 'text':
      return countSegments(text);
    case 'speech':
      return 1;
  }
}
