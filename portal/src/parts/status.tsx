import { Badge } from '@mantine/core';
import type { Status } from '#contract/verifications.ts';

export const STATUSES: Readonly<
  Record<Status, { readonly label: string; readonly color: string; readonly means: string }>
> = {
  pending: { label: 'Pending', color: 'indigo', means: 'Sent or being sent; the code is still good.' },
  confirmed: { label: 'Confirmed', color: 'green', means: 'The right code came back.' },
  expired: { label: 'Expired', color: 'gray', means: 'Neither confirmed nor failed in time.' },
  failed: { label: 'Failed', color: 'red', means: 'No carrier took it, or it was reported undelivered.' },
  locked: { label: 'Locked', color: 'yellow', means: 'Its guesses are used up.' },
};

export function StatusBadge({ status }: { readonly status: Status }) {
  return (
    <Badge variant="light" color={STATUSES[status].color}>
      {STATUSES[status].label}
    </Badge>
  );
}
