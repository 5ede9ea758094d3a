import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './page/failure.tsx';

const WIDTHS = ['40%', '100%', '96%', '70%', '98%', '92%', '65%', '94%'];

interface AnswerProps<T> {
  readonly of: UseQueryResult<T>;
  /** Lines of the skeleton. */
  readonly lines?: number;
  /** As high as the window, so that what stands below is not pushed out of sight by the answer. */
  readonly tall?: boolean;
  readonly children: (answer: T) => ReactNode;
}

/** Shows a skeleton until the answer comes, then the answer, or what went wrong. */
export function Answer<T>({ of: query, lines = 6, tall = false, children }: AnswerProps<T>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.isError && <Failure error={query.error} retry={query.refetch} />}
        {children(query.data)}
      </>
    );
  }
  if (query.isError) return <Failure error={query.error} retry={query.refetch} />;
  return (
    <Stack gap="sm" role="status" aria-label="Loading" className="late" {...(tall && { mih: '100vh' })}>
      {WIDTHS.slice(0, lines).map((width) => (
        <Skeleton key={width} height={16} width={width} />
      ))}
    </Stack>
  );
}
