/** What a message costs at a carrier. */
import { CHANNELS, type Channel } from './destination/channel.ts';
import { countSegments } from './segments.ts';

/** By country (ISO 3166 alpha-2) and `default`: the price of one segment of an SMS, or of one call, in the currency. */
export type Prices = Readonly<Record<string, number>>;

/** The price of one segment or call, in millionths of the currency; undefined when none is known. */
export type PriceList = (carrier: string, country: string) => number | undefined;

const MILLIONTHS = 1_000_000;

export function createPriceList(carriers: Readonly<Record<string, { readonly prices?: Prices }>>): PriceList {
  return (carrier, country) => {
    const prices = carriers[carrier]?.prices;
    const price = prices?.[country] ?? prices?.default;
    return price === undefined ? undefined : Math.round(price * MILLIONTHS);
  };
}

/** What a carrier charges a message as: segments, or one call. */
export function countUnits(channel: Channel, text: string): number {
  switch (CHANNELS[channel].wording) {
    case 'text':
      return countSegments(text);
    case 'speech':
      return 1;
  }
}
