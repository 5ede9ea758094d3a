/** What a message costs at a carrier. */
import { CHANNEL_NAMES, type Channel, isSegmented } from '../destination/channel.ts';
import type { Destination } from '../destination/destination.ts';
import { callingCodeOf } from '../destination/numbering-plan.ts';
import { compilePrefixes } from '../destination/prefixes.ts';
import { telephoneOf } from '../destination/telephone.ts';
import { countSegments } from '../message/segments.ts';
import { SIMULATOR } from './carrier.ts';

/**
 * Prices by country (ISO 3166 alpha-2), by prefix of numbers with `+`, or `default`, for one segment of an SMS or one call, in the
 * currency.
 */
type Prices = Readonly<Record<string, number>>;

/** One line of a list of prices. */
export interface PriceRow {
  readonly carrier: string;
  /** Undefined for all channels of the carrier. */
  readonly channel: Channel | undefined;
  /** A country, a prefix, or `default`. */
  readonly to: string;
  readonly price: number;
}

export interface PriceSources {
  readonly carriers: Readonly<Record<string, { readonly prices?: Prices }>>;
  readonly priceRows: readonly PriceRow[];
}

/** What a price depends on, besides the carrier and the length of the text. */
export interface Priced {
  readonly channel: Channel;
  readonly destination: Pick<Destination, 'address' | 'country'>;
}

/** The price of one segment or call, in millionths of the currency; undefined if unknown. */
export type PriceList = (carrier: string, message: Priced) => number | undefined;

const MILLIONTHS = 1_000_000;
const DEFAULT = 'default';

type Table = (destination: Priced['destination']) => number | undefined;

/** Prepares the prices once; the result runs for every message. */
export function createPriceList({ carriers, priceRows }: PriceSources): PriceList {
  const inline = Object.entries(carriers).flatMap(([carrier, { prices = {} }]) =>
    Object.entries(prices).map(([to, price]): PriceRow => ({ carrier, channel: undefined, to, price })),
  );
  const byCarrier = Map.groupBy([...inline, ...priceRows], ({ carrier }) => carrier);
  const tables = new Map(
    [...byCarrier].map(([carrier, rows]) => [
      carrier,
      new Map(
        CHANNEL_NAMES.map((channel) => [
          channel,
          compile(rows.filter((row) => row.channel === undefined || row.channel === channel)),
        ]),
      ),
    ]),
  );
  return (carrier, { channel, destination }) => tables.get(carrier)?.get(channel)?.(destination);
}

/**
 * The longest prefix decides, then the country, then the default. A country goes before the calling code that it shares with
 * others and anything shorter: `+1` is not the price of Jamaica if `JM` has one.
 */
function compile(rows: readonly PriceRow[]): Table {
  const amounts = rows.map(({ to, price }) => [to, Math.round(price * MILLIONTHS)] as const);
  const byPrefix = compilePrefixes(
    amounts.filter(([to]) => to.startsWith('+')).map(([to, amount]) => [to, { amount, length: to.length }]),
  );
  const byCountry = new Map(
    amounts
      .filter(([to]) => !to.startsWith('+'))
      .map(([to, amount]) => [to, { amount, length: callingCodeOf(to).length }]),
  );
  const fallback = byCountry.get(DEFAULT)?.amount;
  return ({ address, country }) => {
    const prefix = byPrefix(telephoneOf(address));
    const whole = byCountry.get(country);
    if (prefix === undefined) return whole?.amount ?? fallback;
    return whole === undefined || prefix.length > whole.length ? prefix.amount : whole.amount;
  };
}

/** The simulator costs nothing, whatever its prices say for statistics. */
export function withFreeSimulator(
  priceOf: PriceList,
  carriers: Readonly<Record<string, { readonly type: string }>>,
): PriceList {
  return (carrier, message) => (carriers[carrier]?.type === SIMULATOR ? 0 : priceOf(carrier, message));
}

/** The number of units that a carrier charges for: segments, or one call. */
export function countUnits(channel: Channel, text: string): number {
  return isSegmented(channel) ? countSegments(text) : 1;
}
