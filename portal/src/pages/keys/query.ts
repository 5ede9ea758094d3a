import { useInfiniteQuery } from '@tanstack/react-query';
import type { KeySearch } from '#contract/keys.ts';
import { call } from '../../api/call.ts';
import { useAccount } from '../../frame/account.ts';

/** Those in the address; keys in use if it says nothing else. */
export const FILTERS = ['key', 'state', 'test'] as const;

export function filtersOf(search: URLSearchParams, text: string): Omit<KeySearch, 'before'> {
  const [id, state, test] = FILTERS.map((name) => search.get(name));
  // A link leads to one key, whatever became of it.
  if (id) return { id };
  return {
    ...(text !== '' && { text }),
    ...(state !== 'any' && { state: state === 'ended' ? 'ended' : 'in-use' }),
    ...(test && { test: test === 'true' }),
  };
}

/** What is looked for goes in the body: people paste whole keys. */
export function useKeys(filters: Omit<KeySearch, 'before'>) {
  const account = useAccount();
  return useInfiniteQuery({
    queryKey: ['keys', account.id, filters],
    queryFn: ({ pageParam, signal }) => {
      const body = pageParam === '' ? filters : { ...filters, before: pageParam };
      return call('POST accounts/:account/keys/search', account.id, { body }, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    ...(filters.text === undefined ? {} : { gcTime: 0 }),
    select: ({ pages }) => pages.flatMap(({ keys }) => keys),
  });
}
