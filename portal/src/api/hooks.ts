import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAccountId } from '../frame/account.ts';
import { call } from './call.ts';
import type { Action, Input, Question } from './endpoints.ts';
import { useWhenProven } from './proof.ts';

interface AskOptions {
  /** Asks again after so many ms while the page is visible. */
  readonly every?: number | false;
  readonly enabled?: boolean;
}

/** Reads from the API. */
export function useAsk<N extends Question>(
  name: N,
  input: Input<N>,
  { every = false, enabled = true }: AskOptions = {},
) {
  const account = useAccountId();
  return useQuery({
    queryKey: [name, account, input],
    queryFn: ({ signal }) => call(name, account, input, signal),
    refetchInterval: every,
    enabled,
  });
}

/** Changes something through the API; everything on display is read again afterwards. */
export function useAct<N extends Action>(name: N) {
  const account = useAccountId();
  const client = useQueryClient();
  const whenProven = useWhenProven();
  return useMutation({
    mutationFn: (input: Input<N>) => whenProven(() => call(name, account, input)),
    onSuccess: () => client.invalidateQueries(),
  });
}
