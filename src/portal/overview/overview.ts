/** The funnel of an account: in total, over time, and by country, carrier and key. */
import { readKeyNames } from '../../accounts/key-names.ts';
import type { Records } from '../../core/accounts/records.ts';
import { latencyQuantile } from '../../core/counting/latency-quantile.ts';
import { LATENCY_BOUNDS, type LatencyTally, type Tally, type TallyStore } from '../../core/counting/tally.ts';
import { mergeTimesAt } from '../../core/counting/tally-resolution.ts';
import type { FieldError } from '../../core/field-error.ts';
import { formatInstant, parseSpan } from '../instant.ts';
import type { FunnelFigures, Overview, OverviewQuery } from './contract.ts';
import { type CountsFilter, createCounts } from './counts.ts';
import { courseOf, startsOf } from './overview-step.ts';

export interface OverviewDeps {
  readonly tallies: TallyStore;
  readonly records: Records;
  /** ISO 4217. */
  readonly currency: string;
}

export type ReadOverview = (
  accountId: string,
  query: OverviewQuery,
) => Promise<
  | { readonly ok: true; readonly overview: Overview }
  | { readonly ok: false; readonly errors: readonly FieldError[] }
>;

type Part = Overview['countries'][number];

const YEAR_MS = 366 * 86_400_000;
const LONGEST_MS = 9 * YEAR_MS;
const MILLIONTHS = 1_000_000;
/** For destinations without a country: SIP URIs and international numbers. */
const NO_COUNTRY = 'ZZ';

export function createOverview({ tallies, records, currency }: OverviewDeps): ReadOverview {
  const countsOf = createCounts(tallies);

  return async (accountId, query) => {
    const span = parseSpan(query);
    if (!span.ok) return span;
    const { from = 0, to = 0 } = span;
    if (to - from > LONGEST_MS) {
      const detail = 'must be at most nine years before `to`';
      return { ok: false, errors: [{ field: 'from', code: 'too_far_apart', detail }] };
    }
    const now = Date.now();
    const course = courseOf(from, to, mergeTimesAt(now));
    const [{ groups, course: counted, latencies }, keyNames] = await Promise.all([
      countsOf(filterOf(accountId, query), course, now),
      readKeyNames(records, accountId),
    ]);
    const atStage = (stage: LatencyTally['stage']) => latencies.filter((each) => each.stage === stage);
    const confirmed = atStage('confirmed');
    const byTime = Map.groupBy(counted, ({ time }) => time);
    const all = addUp(groups);
    const funnel = query.carrier === undefined ? funnelOfRequests : funnelOfCarrier;
    return {
      ok: true,
      overview: {
        currency,
        total: funnel(groups),
        latency: {
          submitted: describeLatency(atStage('submitted')),
          delivered: describeLatency(atStage('delivered')),
          confirmed: describeLatency(confirmed),
        },
        limits:
          query.carrier === undefined
            ? {
                by_key: all('limitedByKey'),
                by_destination: all('limitedByDestination'),
                mismatched: all('mismatched'),
              }
            : null,
        step: course.step / 1_000,
        series: startsOf(course).map((at) => ({
          at: formatInstant(at),
          funnel: funnel(byTime.get(at) ?? []),
        })),
        countries: partsOf('country', groups, funnel, confirmed, nameCountry),
        carriers: partsOf('carrier', groups, funnelOfCarrier, confirmed, (name) => name),
        keys: partsOf('keyId', groups, funnel, [], (id) => keyNames.get(id) ?? id),
      },
    };
  };
}

function filterOf(accountId: string, query: OverviewQuery): CountsFilter {
  const { test = 'false', channel, country, carrier, key } = query;
  return {
    accountId,
    test: test === 'true',
    ...(channel !== undefined && { channel }),
    ...(country !== undefined && { country }),
    ...(carrier !== undefined && { carrier }),
    ...(key !== undefined && { keyId: key }),
  };
}

type Measure = { [K in keyof Tally]: Tally[K] extends number ? K : never }[keyof Tally];

const addUp = (tallies: readonly Tally[]) => (measure: Measure) =>
  tallies.reduce((sum, tally) => sum + tally[measure], 0);

function funnelOfCarrier(tallies: readonly Tally[]): FunnelFigures {
  const sum = addUp(tallies);
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

function funnelOfRequests(tallies: readonly Tally[]): FunnelFigures {
  const sum = addUp(tallies);
  return { ...funnelOfCarrier(tallies), requested: sum('requested'), failed: sum('failed') };
}

/** The groups of one dimension, busiest first. Counts without a value for it appear only in the total. */
function partsOf(
  dimension: 'country' | 'carrier' | 'keyId',
  groups: readonly Tally[],
  funnelOf: (tallies: readonly Tally[]) => FunnelFigures,
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
  const busy = ({ funnel }: Part) => funnel.requested ?? funnel.attempted;
  return parts.sort((a, b) => busy(b) - busy(a) || a.label.localeCompare(b.label));
}

/** Beyond the last bound nothing more is known, so the result is the bound itself. */
export function describeLatency(latencies: readonly LatencyTally[]): {
  readonly p50: number | null;
  readonly p95: number | null;
} {
  const bins = latencies.reduce<readonly number[]>(
    (sums, each) => each.bins.map((count, bin) => count + (sums[bin] ?? 0)),
    [],
  );
  const quantile = (share: number) => {
    const ms = latencyQuantile(bins, share);
    return ms === undefined ? null : Math.round(Math.min(ms, LATENCY_BOUNDS.at(-1) ?? ms));
  };
  return { p50: quantile(0.5), p95: quantile(0.95) };
}

function nameCountry(code: string): string {
  return code === NO_COUNTRY ? 'No country' : (countryNames().of(code) ?? code);
}

let names: Intl.DisplayNames | undefined;

/** Made when it is first needed, because reading the names would delay every start. */
function countryNames(): Intl.DisplayNames {
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
  return names;
}
