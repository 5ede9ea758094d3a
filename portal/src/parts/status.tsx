import { Badge } from '@mantine/core';
import type { Status, Verification } from '#contract/verifications.ts';
import { isCarrierTest } from '../format/carrier-test.ts';

interface Standing {
  readonly label: string;
  readonly color: string;
  readonly means: string;
}

export const STATUSES: Readonly<Record<Status, Standing>> = {
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

const CARRIER_TEST: Standing = {
  label: 'Carrier test',
  color: 'gray',
  means: 'A carrier was tested with this message. Nobody is to confirm its code.',
};

/** A test of a carrier is never confirmed, so it neither waits for that nor expires. It can fail, though. */
export const standingOf = (verification: Pick<Verification, 'status' | 'key'>): Standing =>
  isCarrierTest(verification) && verification.status !== 'failed'
    ? CARRIER_TEST
    : STATUSES[verification.status];

export function StatusBadge({ of }: { readonly of: Pick<Verification, 'status' | 'key'> }) {
  const { label, color } = standingOf(of);
  return (
    <Badge variant="light" color={color}>
      {label}
    </Badge>
  );
}
