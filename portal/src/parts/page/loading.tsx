import { Skeleton, Stack } from '@mantine/core';

/** The outline of a page, in place of a page that is on its way. */
export function Loading() {
  return (
    <Stack gap="sm" role="status" aria-label="Loading" className="late">
      <Skeleton height={28} width="12rem" />
      <Skeleton height={16} width="min(32rem, 80%)" mb="lg" />
      <Skeleton height={180} />
    </Stack>
  );
}
