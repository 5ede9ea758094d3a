import { Badge } from '@mantine/core';
import type { Status, Verification } from '#contract/verifications.ts';
import { isCarrierTest } from '../format/carrier-test.ts';
import { nameIn } from '../format/name-in.ts';

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
    means: 'No carrier took the message, and nothing more is tried.',
  },
  undelivered: {
    label: 'Undelivered',
    color: 'red',
    means: 'A carrier took the message and reported that it did not arrive. Nothing more is tried.',
  },
  locked: { label: 'Locked', color: 'yellow', means: 'All guesses are used up.' },
};

const CARRIER_TEST: Standing = {
  label: 'Carrier test',
  color: 'gray',
  means: 'A carrier was tested with this message. Nobody is to confirm its code.',
};

/** A test of a carrier is never confirmed, so it neither waits for that nor expires. It can fail, though, or not arrive. */
export function standingOf({ status, ...of }: Pick<Verification, 'status' | 'key'>): Standing {
  if (isCarrierTest(of) && status !== 'failed' && status !== 'undelivered') return CARRIER_TEST;
  // A page that is open while the service is upgraded may see one that it does not know.
  return nameIn(STATUSES, status) ?? { label: status, color: 'gray', means: '' };
}

export function StatusBadge({ of }: { readonly of: Pick<Verification, 'status' | 'key'> }) {
  const { label, color } = standingOf(of);
  return (
    <Badge variant="light" color={color}>
      {label}
    </Badge>
  );
}
