import { useInfiniteQuery } from '@tanstack/react-query';
import type { MemberFilters } from '#contract/members.ts';
import { call } from '../../api/call.ts';
import { useAccount } from '../../frame/account.ts';

export function usePeople(filters: MemberFilters) {
  const account = useAccount();
  return useInfiniteQuery({
    queryKey: ['people', account.id, filters],
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === '' ? filters : { ...filters, before: pageParam };
      return call('GET accounts/:account/members', account.id, { query }, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => ({
      members: pages.flatMap(({ members }) => members),
      invitations: pages.flatMap(({ invitations }) => invitations),
    }),
  });
}
