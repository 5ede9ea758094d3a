import { LATENCY_BOUNDS } from './tally.ts';

/**
 * The latency in ms that the given share does not exceed, interpolated within its bin. Undefined without data, Infinity
 * beyond the last bound.
 */
export function latencyQuantile(bins: readonly number[], share: number): number | undefined {
  const total = bins.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let below = 0;
  for (const [bin, count] of bins.entries()) {
    const wanted = share * total - below;
    if (count > 0 && wanted <= count) {
      const upper = LATENCY_BOUNDS[bin];
      if (upper === undefined) return Number.POSITIVE_INFINITY;
      const lower = LATENCY_BOUNDS[bin - 1] ?? 0;
      return lower + ((upper - lower) * wanted) / count;
    }
    below += count;
  }
  return Number.POSITIVE_INFINITY;
}
