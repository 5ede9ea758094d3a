/** What tests of counting compare. */
import type { Tally, TallyQuery } from '../../../../src/core/counting/tally.ts';
import type { Store } from '../../../../src/store/port.ts';

export const EVER: TallyQuery = { from: 0, to: 4_102_444_800_000, by: [] };

type Counts = Partial<Omit<Tally, 'time' | 'channel' | 'country' | 'carrier' | 'keyId'>>;

/** Sums that are not 0. */
export async function countsOf(store: Store, query: Partial<TallyQuery> = {}): Promise<Counts> {
  const [total] = await store.tally({ ...EVER, ...query, by: [] });
  return total === undefined ? {} : countsIn(total);
}

export function countsIn({ time, channel, country, carrier, keyId, ...counts }: Tally): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

/** Sums that are not 0, by carrier; `-` for none. */
export async function countsByCarrier(
  store: Store,
  query: Partial<TallyQuery> = {},
): Promise<Record<string, Counts>> {
  const tallies = await store.tally({ ...EVER, ...query, by: ['carrier'] });
  return Object.fromEntries(tallies.map((each) => [each.carrier ?? '-', countsIn(each)]));
}

/** The bins that are not 0 of each stage, as `bin: count`. */
export async function binsOf(store: Store, query: Partial<TallyQuery> = {}) {
  const tallies = await store.latencies({ ...EVER, ...query, by: [] });
  return Object.fromEntries(
    tallies.map(({ stage, bins }) => [
      stage,
      Object.fromEntries([...bins.entries()].filter(([, count]) => count !== 0)),
    ]),
  );
}
