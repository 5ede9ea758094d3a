/** The funnel of an account: in total, over time, and by country, carrier and key. */
import { readKeyNames } from '../../accounts/key-names.ts';
import { LATENCY_BOUNDS, type LatencyTally, type Tally, type TallyStore } from '../../core/counting/tally.ts';
import { type MergeTimes, mergeTimesAt } from '../../core/counting/tally-resolution.ts';
import type { FieldError } from '../../core/errors/field-error.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Records } from '../../core/sql/records.ts';
import { formatInstant, parseSpan } from '../../operations/instant.ts';
import type {
  CarrierCourses,
  EarlierOverview,
  Overview,
  OverviewChanges,
  OverviewParts,
  OverviewQuery,
  OverviewTotal,
} from './contract.ts';
import { type CountsFilter, createCounts, type Groups } from './counts.ts';
import {
  addBins,
  beginOf,
  cellsOf,
  countryLabel,
  describeLatency,
  type FunnelOf,
  funnelOfCarrier,
  funnelOfRequests,
  partsOf,
  sumFigures,
} from './figures.ts';
import { type Course, courseOf, earlierOf, finishedOf, startsOf } from './overview-step.ts';

export interface OverviewDeps {
  readonly clock: Clock;
  readonly tallies: TallyStore;
  readonly records: Records;
  /** ISO 4217. */
  readonly currency: string;
}

type Found<T> =
  | { readonly ok: true; readonly answer: T }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

type Read<T> = (accountId: string, query: OverviewQuery) => Promise<Found<T>>;

export interface OverviewReader {
  readonly read: Read<Overview>;
  readonly readTotal: Read<OverviewTotal>;
  readonly readParts: Read<OverviewParts>;
  readonly readEarlier: Read<EarlierOverview>;
  readonly readChanges: Read<OverviewChanges>;
  readonly readCarriers: Read<CarrierCourses>;
}

const YEAR_MS = 366 * 86_400_000;
const LONGEST_MS = 9 * YEAR_MS;

export function createOverview({ clock, tallies, records, currency }: OverviewDeps): OverviewReader {
  const counts = createCounts(clock, tallies);

  async function readTotal(
    accountId: string,
    query: OverviewQuery,
    { course, now }: Asked,
  ): Promise<OverviewTotal> {
    const filter = filterOf(accountId, query);
    const [counted, latencies] = await Promise.all([
      counts.course(filter, course, now),
      counts.latencies(filter, course, now),
    ]);
    const atStage = (stage: LatencyTally['stage']) => latencies.filter((each) => each.stage === stage);
    const confirmed = atStage('confirmed');
    const all = sumFigures(counted);
    const funnel = funnelFor(query);
    return {
      currency,
      from: formatInstant(course.from),
      to: formatInstant(course.to),
      total: funnel(counted),
      latency: {
        submitted: describeLatency(atStage('submitted')),
        delivered: describeLatency(atStage('delivered')),
        confirmed: describeLatency(confirmed),
      },
      confirmed_within: addBins(confirmed).map((count, bin) => ({ ms: LATENCY_BOUNDS[bin] ?? null, count })),
      limits:
        query.carrier === undefined
          ? {
              by_key: all('limitedByKey'),
              by_destination: all('limitedByDestination'),
              mismatched: all('mismatched'),
            }
          : null,
      step: course.step / 1_000,
      series: seriesOf(course, counted, funnel),
      finished: finishedOf(course, now),
    };
  }

  async function readParts(
    accountId: string,
    query: OverviewQuery,
    { course, now }: Asked,
  ): Promise<OverviewParts> {
    const filter = filterOf(accountId, query);
    const [groups, ofPlaces, ofChannels, keyNames] = await Promise.all([
      counts.groups(filter, course, now),
      counts.latenciesByPlace(filter, course, now),
      counts.latenciesByChannel(filter, course, now),
      readKeyNames(records, accountId),
    ]);
    const { countries, carriers, keys, channels } = partsIn(groups, funnelFor(query), keyNames, {
      places: ofPlaces,
      channels: ofChannels,
    });
    return { countries, carriers, keys, channels, cells: cellsOf(groups.places) };
  }

  async function readChanges(
    accountId: string,
    query: OverviewQuery,
    { course, now, times }: Asked,
  ): Promise<OverviewChanges> {
    const earlier = earlierOf(course, now, times);
    if (earlier === undefined) return { changes: null };
    const filter = filterOf(accountId, query);
    const over = { ...course, to: course.from + finishedOf(course, now) * course.step };
    const [after, before] = await Promise.all(
      [over, earlier].map(async (each) => partsIn(await counts.groups(filter, each, now), funnelFor(query))),
    );
    const of = (parts: 'countries' | 'carriers' | 'keys' | 'channels') => {
      const [now, then] = [after, before].map(
        (found) => new Map(found?.[parts].map(({ name, funnel }) => [name, beginOf(funnel)])),
      );
      return [...new Set([...(now?.keys() ?? []), ...(then?.keys() ?? [])])].map((name) => ({
        name,
        now: now?.get(name) ?? 0,
        before: then?.get(name) ?? 0,
      }));
    };
    return {
      changes: {
        countries: of('countries'),
        carriers: of('carriers'),
        keys: of('keys'),
        channels: of('channels'),
      },
    };
  }

  async function read(...question: Parameters<typeof readTotal>): Promise<Overview> {
    const [total, parts] = await Promise.all([readTotal(...question), readParts(...question)]);
    return { ...total, ...parts };
  }

  async function readEarlier(
    accountId: string,
    query: OverviewQuery,
    { course, now, times }: Asked,
  ): Promise<EarlierOverview> {
    const earlier = earlierOf(course, now, times);
    if (earlier === undefined) return { earlier: null };
    const counted = await counts.course(filterOf(accountId, query), earlier, now);
    const funnel = funnelFor(query);
    return {
      earlier: {
        from: formatInstant(earlier.from),
        to: formatInstant(earlier.to),
        total: funnel(counted),
        series: seriesOf(earlier, counted, funnel),
      },
    };
  }

  async function readCarriers(
    accountId: string,
    query: OverviewQuery,
    { course, now }: Asked,
  ): Promise<CarrierCourses> {
    const counted = await counts.courseByCarrier(filterOf(accountId, query), course, now);
    const starts = startsOf(course);
    const carriers = partsOf('carrier', counted, funnelOfCarrier, [], (name) => name);
    const byCarrier = Map.groupBy(counted, ({ carrier }) => carrier);
    return {
      step: course.step / 1_000,
      starts: starts.map(formatInstant),
      finished: finishedOf(course, now),
      carriers: carriers.map(({ name }) => {
        const byTime = Map.groupBy(byCarrier.get(name) ?? [], ({ time }) => time);
        const figures = starts.map((at) => funnelOfCarrier(byTime.get(at) ?? []));
        return {
          name,
          attempted: figures.map(({ attempted }) => attempted),
          submitted: figures.map(({ submitted }) => submitted),
          confirmed: figures.map(({ confirmed }) => confirmed),
        };
      }),
    };
  }

  return {
    read: asking(clock, read),
    readTotal: asking(clock, readTotal),
    readParts: asking(clock, readParts),
    readEarlier: asking(clock, readEarlier),
    readChanges: asking(clock, readChanges),
    readCarriers: asking(clock, readCarriers),
  };
}

interface Asked {
  readonly course: Course;
  readonly now: number;
  readonly times: MergeTimes;
}

/** Checks the span before anything is read. */
function asking<T>(
  clock: Clock,
  read: (accountId: string, query: OverviewQuery, asked: Asked) => Promise<T>,
): Read<T> {
  return async (accountId, query) => {
    const span = parseSpan(query);
    if (!span.ok) return span;
    const { from = 0, to = 0 } = span;
    if (to - from > LONGEST_MS) {
      const detail = 'must be at most nine years before `to`';
      return { ok: false, errors: [{ field: 'from', code: 'too_far_apart', detail }] };
    }
    const now = clock.wall();
    const times = mergeTimesAt(now);
    return {
      ok: true,
      answer: await read(accountId, query, { course: courseOf(from, to, times), now, times }),
    };
  };
}

/** The parts of each dimension. Latencies are not kept by key. */
const partsIn = (
  { places, keys, channels }: Groups,
  funnel: FunnelOf,
  keyNames: ReadonlyMap<string, string> = new Map(),
  latencies: { readonly places: readonly LatencyTally[]; readonly channels: readonly LatencyTally[] } = {
    places: [],
    channels: [],
  },
) => ({
  countries: partsOf('country', places, funnel, latencies.places, countryLabel),
  carriers: partsOf('carrier', places, funnelOfCarrier, latencies.places, (name) => name),
  keys: partsOf('keyId', keys, funnel, [], (id) => keyNames.get(id) ?? id),
  channels: partsOf('channel', channels, funnel, latencies.channels, (name) => name),
});

const funnelFor = ({ carrier }: OverviewQuery): FunnelOf =>
  carrier === undefined ? funnelOfRequests : funnelOfCarrier;

function seriesOf(course: Course, counted: readonly Tally[], funnel: FunnelOf): Overview['series'] {
  const byTime = Map.groupBy(counted, ({ time }) => time);
  return startsOf(course).map((at) => ({ at: formatInstant(at), funnel: funnel(byTime.get(at) ?? []) }));
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
