import { Badge } from '@mantine/core';
import type { Status } from '#contract/verifications.ts';

export const STATUSES: Readonly<
  Record<Status, { readonly label: string; readonly color: string; readonly means: string }>
> = {
  pending: {
    label: 'Pending',
    color: 'accent',
    means: 'The code was sent or is being sent, and is still valid.',
  },
  confirmed: { label: 'Confirmed', color: 'green', means: 'The right code was entered.' },
  expired: { label: 'Expired', color: 'gray', means: 'Nobody confirmed the code in time.' },
  failed: {
    label: 'Failed',
    color: 'red',
    means: 'No carrier accepted the message, or it was reported undelivered.',
  },
  locked: { label: 'Locked', color: 'yellow', means: 'All guesses are used up.' },
};

export function StatusBadge({ status }: { readonly status: Status }) {
  return (
    <Badge variant="light" color={STATUSES[status].color}>
      {STATUSES[status].label}
    </Badge>
  );
}
