import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditFilters } from '#contract/audit.ts';
import { call } from '../../api/call.ts';
import { useAccount } from '../../frame/account.ts';

/** What a person typed to find entries. It is not kept in the page's address. */
export interface Typed {
  readonly who: string;
  readonly text: string;
}

export const NOTHING_TYPED: Typed = { who: '', text: '' };

export const FILTERS = ['group', 'from', 'to'] as const;

/** The filters in the address and in the fields; the server checks them. */
export function filtersOf(search: URLSearchParams, typed: Typed): AuditFilters {
  const filters: Record<string, string> = {};
  for (const name of FILTERS) {
    const value = search.get(name);
    if (value) filters[name] = value;
  }
  if (typed.who !== '') filters.who = typed.who;
  if (typed.text !== '') filters.text = typed.text;
  return filters;
}

export function useAuditLog(filters: AuditFilters) {
  const account = useAccount();
  return useInfiniteQuery({
    queryKey: ['audit', account.id, filters],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET accounts/:account/audit',
        account.id,
        { query: pageParam === '' ? filters : { ...filters, before: pageParam } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => ({
      entries: pages.flatMap(({ entries }) => entries),
      searchedTo: pages.at(-1)?.searched_to ?? null,
      last: pages[0]?.last ?? null,
    }),
  });
}
