import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Overview, OverviewQuery } from '#contract/overview.ts';
import { call } from '../../api/call.ts';
import { useAccount } from '../../frame/account.ts';
import { type Range, rangeOf, refreshEvery } from './range.ts';

export const FILTERS = ['channel', 'country', 'carrier', 'key'] as const;
export type Filter = (typeof FILTERS)[number];

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

export type OverviewInRange = Overview & { readonly range: Range };

/** The query key stays the same while the range moves on with the clock. */
export function useOverview(search: URLSearchParams) {
  const account = useAccount();
  return useQuery<OverviewInRange>({
    queryKey: ['overview', account.id, search.toString()],
    queryFn: ({ signal }) => {
      const range = rangeOf(search, Date.now());
      const query = overviewQuery(search, range);
      return call('GET accounts/:account/overview', account.id, { query }, signal).then((answer) => ({
        ...answer,
        range,
      }));
    },
    refetchInterval: refreshEvery(rangeOf(search, 0)),
    placeholderData: keepPreviousData,
  });
}
