import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  CarrierCourses,
  EarlierOverview,
  OverviewChanges,
  OverviewParts,
  OverviewQuery,
  OverviewTotal,
} from '#contract/overview.ts';
import { call } from '../../api/call.ts';
import { useAccount } from '../../frame/account.ts';
import { useZone } from '../../frame/zone.ts';
import { type Behind, listBehind } from './behind.ts';
import { type Range, rangeOf, refreshEvery } from './time/range.ts';

/** Adding up a month by carrier takes the store a while. */
const COURSES_EVERY = { day: 30_000, more: 300_000 };

export const FILTERS = ['channel', 'country', 'carrier', 'key'] as const;
export type Filter = (typeof FILTERS)[number];

/** What of the address decides which figures there are; the rest says how they are shown. */
function askedBy(search: URLSearchParams): string {
  const asked = [...search].filter(([name]) => !SHOWN_BY.has(name));
  return new URLSearchParams(asked).toString();
}
const SHOWN_BY: ReadonlySet<string> = new Set(['view', 'by', 'sort', 'metric']);

/** The API query for the address of the page. */
export function overviewQuery(search: URLSearchParams, range: Range): OverviewQuery {
  const query: Record<string, string> = {};
  for (const filter of FILTERS) {
    const value = search.get(filter);
    if (value) query[filter] = value;
  }
  return {
    ...query,
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    test: search.get('test') === 'true' ? 'true' : 'false',
  };
}

export type OverviewInRange = OverviewTotal & { readonly range: Range };

/** The query key stays the same while the range moves on with the clock. */
export function useOverview(search: URLSearchParams) {
  const account = useAccount();
  const [zone] = useZone();
  const asked = askedBy(search);
  return useQuery<OverviewInRange>({
    queryKey: ['overview', account.id, asked, zone],
    queryFn: ({ signal }) => {
      const range = rangeOf(search, Date.now(), zone);
      const query = overviewQuery(search, range);
      return call('GET accounts/:account/overview/total', account.id, { query }, signal).then((answer) => ({
        ...answer,
        range,
      }));
    },
    refetchInterval: refreshEvery(rangeOf(search, Date.now(), zone)),
    placeholderData: keepPreviousData,
  });
}

/** By country, carrier and key, as often as the total. */
export function useParts(search: URLSearchParams) {
  const account = useAccount();
  const [zone] = useZone();
  const asked = askedBy(search);
  return useQuery<OverviewParts>({
    queryKey: ['overview/parts', account.id, asked, zone],
    queryFn: ({ signal }) => {
      const query = overviewQuery(search, rangeOf(search, Date.now(), zone));
      return call('GET accounts/:account/overview/parts', account.id, { query }, signal);
    },
    refetchInterval: refreshEvery(rangeOf(search, Date.now(), zone)),
    placeholderData: keepPreviousData,
  });
}

/**
 * The period before, undefined until it is known, or null if there is none to compare with. Asked again only when the overview has moved on by a
 * step.
 */
export function useEarlier(search: URLSearchParams, { range, from, finished }: OverviewInRange) {
  const account = useAccount();
  const { data } = useQuery<EarlierOverview>({
    queryKey: ['overview/earlier', account.id, askedBy(search), from, finished],
    queryFn: ({ signal }) =>
      call(
        'GET accounts/:account/overview/earlier',
        account.id,
        { query: overviewQuery(search, range) },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const earlier = data?.earlier;
  // A step may have ended between the two answers.
  return !earlier || (earlier.to === from && earlier.series.length === finished) ? earlier : undefined;
}
export type Earlier = NonNullable<EarlierOverview['earlier']>;

/** How each part changed, undefined until it is known. Asked again as the period before is. */
export function useChanges(search: URLSearchParams, { range, from, finished }: OverviewInRange) {
  const account = useAccount();
  const { data } = useQuery<OverviewChanges>({
    queryKey: ['overview/changes', account.id, askedBy(search), from, finished],
    queryFn: ({ signal }) =>
      call(
        'GET accounts/:account/overview/changes',
        account.id,
        { query: overviewQuery(search, range) },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  return data?.changes ?? undefined;
}
export type Changes = NonNullable<OverviewChanges['changes']>;

/** Leads from a figure to the list of what it counts, with the filters of the address. */
export function useBehind({ from, to }: OverviewInRange, search: URLSearchParams): Behind {
  const account = useAccount();
  const given = FILTERS.flatMap((name) => {
    const value = search.get(name);
    return value ? [[name, value]] : [];
  });
  const test = search.get('test') === 'true' ? 'true' : 'false';
  return listBehind(account.id, { from, to }, { ...Object.fromEntries(given), test });
}

function coursesEvery({ from, to, preset }: Range): number | false {
  if (preset === undefined) return false;
  return to - from <= 86_400_000 ? COURSES_EVERY.day : COURSES_EVERY.more;
}

export function useCarrierCourses(search: URLSearchParams) {
  const account = useAccount();
  const [zone] = useZone();
  const asked = askedBy(search);
  return useQuery<CarrierCourses>({
    queryKey: ['overview/carriers', account.id, asked, zone],
    queryFn: ({ signal }) => {
      const query = overviewQuery(search, rangeOf(search, Date.now(), zone));
      return call('GET accounts/:account/overview/carriers', account.id, { query }, signal);
    },
    refetchInterval: coursesEvery(rangeOf(search, Date.now(), zone)),
    placeholderData: keepPreviousData,
  });
}
