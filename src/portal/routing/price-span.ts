const MILLION = 1_000_000;

/** From the lowest to the highest of what is known, in millionths; null if nothing is. */
export function priceSpan(prices: readonly (number | undefined)[]) {
  const known = prices.filter((price) => price !== undefined);
  return {
    lowest_price: known.length === 0 ? null : Math.min(...known) / MILLION,
    highest_price: known.length === 0 ? null : Math.max(...known) / MILLION,
  };
}
