/** What the counts add up to: funnels, their parts, and latencies. */
import { latencyQuantile } from '../../core/counting/latency-quantile.ts';
import { LATENCY_BOUNDS, type LatencyTally, type Tally } from '../../core/counting/tally.ts';
import type { FunnelFigures, Overview } from './contract.ts';

type Part = Overview['countries'][number];
export type FunnelOf = (tallies: readonly Tally[]) => FunnelFigures;

const MILLIONTHS = 1_000_000;
/** For destinations without a country: SIP URIs and international numbers. */
const NO_COUNTRY = 'ZZ';

type Measure = { [K in keyof Tally]: Tally[K] extends number ? K : never }[keyof Tally];

export const sumFigures = (tallies: readonly Tally[]) => (measure: Measure) =>
  tallies.reduce((sum, tally) => sum + tally[measure], 0);

export function funnelOfCarrier(tallies: readonly Tally[]): FunnelFigures {
  const sum = sumFigures(tallies);
  return {
    requested: null,
    attempted: sum('submitted') + sum('failedAttempts'),
    submitted: sum('submitted'),
    delivered: sum('delivered'),
    undelivered: sum('undelivered'),
    failed: null,
    confirmed: sum('confirmed'),
    cost: sum('cost') / MILLIONTHS,
  };
}

export function funnelOfRequests(tallies: readonly Tally[]): FunnelFigures {
  const sum = sumFigures(tallies);
  return { ...funnelOfCarrier(tallies), requested: sum('requested'), failed: sum('failed') };
}

/** What a funnel begins with: requests, or the attempts of one carrier. */
export const beginOf = ({ requested, attempted }: FunnelFigures): number => requested ?? attempted;

/** The groups of one dimension, busiest first. Counts without a value for it appear only in the total. */
export function partsOf(
  dimension: 'country' | 'carrier' | 'keyId' | 'channel',
  groups: readonly Tally[],
  funnelOf: FunnelOf,
  confirmed: readonly LatencyTally[],
  label: (name: string) => string,
): Part[] {
  const latencies = Map.groupBy(confirmed, (each) => each[dimension]);
  const parts = [...Map.groupBy(groups, (each) => each[dimension])].flatMap(([name, tallies]) =>
    name === null
      ? []
      : [
          {
            name,
            label: label(name),
            funnel: funnelOf(tallies),
            confirmed_ms: describeLatency(latencies.get(name) ?? []),
          },
        ],
  );
  return parts.sort((a, b) => beginOf(b.funnel) - beginOf(a.funnel) || a.label.localeCompare(b.label));
}

/** What a carrier did in a country; requests that no carrier was asked for are in none. */
export function cellsOf(groups: readonly Tally[]): Overview['cells'] {
  const byPlace = Map.groupBy(groups, ({ country, carrier }) => JSON.stringify([country, carrier]));
  return [...byPlace.values()].flatMap((tallies) => {
    const [{ country, carrier } = { country: null, carrier: null }] = tallies;
    if (country === null || carrier === null) return [];
    const { attempted, submitted, confirmed } = funnelOfCarrier(tallies);
    return attempted === 0 ? [] : [{ country, carrier, attempted, submitted, confirmed }];
  });
}

/** Beyond the last bound nothing more is known, so the result is the bound itself. */
export function describeLatency(latencies: readonly LatencyTally[]): {
  readonly p50: number | null;
  readonly p95: number | null;
} {
  const bins = addBins(latencies);
  const quantile = (share: number) => {
    const ms = latencyQuantile(bins, share);
    return ms === undefined ? null : Math.round(Math.min(ms, LATENCY_BOUNDS.at(-1) ?? ms));
  };
  return { p50: quantile(0.5), p95: quantile(0.95) };
}

export const addBins = (latencies: readonly LatencyTally[]): readonly number[] =>
  latencies.reduce<readonly number[]>(
    (sums, each) => each.bins.map((count, bin) => count + (sums[bin] ?? 0)),
    [],
  );

export function countryLabel(code: string): string {
  return code === NO_COUNTRY ? 'No country' : (countryNames().of(code) ?? code);
}

let names: Intl.DisplayNames | undefined;

/** Made when it is first needed, because reading the names would delay every start. */
function countryNames(): Intl.DisplayNames {
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
  return names;
}
