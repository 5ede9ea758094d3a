/** Prices and networks as carriers write them in receipts. What cannot be read is left out: it must not cost the receipt. */
import type { Receipt, StatedPrice } from '../../core/sending/carrier.ts';

const MILLIONTHS = 1_000_000;
/** More than any message costs: beyond it a figure is wrong, and would spoil what is added up. */
const HIGHEST = 10_000;
/** Longer fractions than millionths occur, and so do powers of ten, because JSON writes small numbers so. */
const DECIMAL = /^\d{1,6}(\.\d{1,20})?(e-\d{1,2})?$/i;

/** What a receipt says besides what became of the message. */
export type Stated = Pick<Receipt, 'price' | 'network' | 'user'>;

/** @param times for how many parts, if the figure is that of one; null if that is missing */
export function priceOf(
  figure: string | null | undefined,
  currency: string | null | undefined,
  times: string | null = '1',
): StatedPrice | undefined {
  if (!DECIMAL.test(figure ?? '') || !/^[A-Z]{3}$/.test(currency ?? '')) return undefined;
  if (!/^[1-9]\d?$/.test(times ?? '')) return undefined;
  const whole = Number(figure) * Number(times);
  return whole <= HIGHEST && currency ? { amount: Math.round(whole * MILLIONTHS), currency } : undefined;
}

/** MCC and MNC, in one field or in two. */
export function mobileNetworkOf(...codes: readonly (string | null | undefined)[]): string | undefined {
  const network = codes.join('');
  return /^\d{5,6}$/.test(network) ? network : undefined;
}
