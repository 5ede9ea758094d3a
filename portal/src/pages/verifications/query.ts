import { useInfiniteQuery } from '@tanstack/react-query';
import type { RefusalQuery } from '#contract/guard.ts';
import type { AttemptResult, Filters } from '#contract/verifications.ts';
import { call } from '../../api/call.ts';
import { useAccount } from '../../frame/account.ts';

export const FILTERS = [
  'status',
  'channel',
  'country',
  'carrier',
  'attempt',
  'key',
  'test',
  'counted',
  'from',
  'to',
] as const;
export type Filter = (typeof FILTERS)[number];

/** What became of an attempt: of the chosen carrier, or of any. */
export const ATTEMPTS: Readonly<Record<AttemptResult, string>> = {
  accepted: 'Accepted',
  delivered: 'Delivered',
  undelivered: 'Reported undelivered',
  unreported: 'Without a receipt',
  refused: 'Not accepted',
  carried: 'Carried the code',
};

/** The filters in the address; the server checks them. */
export function filtersOf(search: URLSearchParams): Filters {
  const filters: Record<string, string> = {};
  for (const name of FILTERS) {
    const value = search.get(name);
    if (value) filters[name] = value;
  }
  return filters;
}

/** The status of what never became a verification. */
export const REFUSED = 'refused';

export type RefusalFilters = Omit<RefusalQuery, 'before'>;

/** The filters that a refused request can be found by. */
export function refusalFiltersOf({ channel, country, key, from, to }: Filters): RefusalFilters {
  return Object.fromEntries(
    Object.entries({ channel, country, key, from, to }).filter(([, value]) => value !== undefined),
  );
}

/** `query` is an id or a full number, and is sent in the body, never in an address. */
export function useVerifications(filters: Filters, query: string) {
  const account = useAccount();
  return useInfiniteQuery({
    queryKey: ['verifications', account.id, filters, query],
    queryFn: ({ pageParam, signal }) => {
      const page = pageParam === '' ? filters : { ...filters, before: pageParam };
      return query === ''
        ? call('GET accounts/:account/verifications', account.id, { query: page }, signal)
        : call(
            'POST accounts/:account/verifications/search',
            account.id,
            { body: { ...page, query } },
            signal,
          );
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    // A number that was searched for is not kept after the search.
    ...(query === '' ? {} : { gcTime: 0 }),
    select: ({ pages }) => ({
      verifications: pages.flatMap(({ verifications }) => verifications),
      searchedTo: pages.at(-1)?.searched_to,
    }),
  });
}
