/** How far a verification has come, as its own app is told. The archive has the view of the people who run the service. */
import type { ArchivedAttempt, FoundVerification } from './archive.ts';

/** In the order in which they usually come. */
export const PROGRESS = [
  'queued',
  'submitted',
  'delivered',
  'undelivered',
  'failed',
  'confirmed',
  'expired',
] as const;

export type VerificationProgress = (typeof PROGRESS)[number];

export const ATTEMPT_STATES = ['submitted', 'delivered', 'undelivered', 'failed'] as const;

export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** A receipt says more than the answer before it. */
export function stateOfAttempt({ outcome, receipt }: ArchivedAttempt): AttemptState {
  if (receipt !== null) return receipt.status;
  switch (outcome) {
    case 'accepted':
      return 'submitted';
    case 'delivered':
      return 'delivered';
    case 'temporary':
    case 'permanent':
      return 'failed';
  }
}

/**
 * The first that applies: `confirmed`; `undelivered` or `failed`: no message can arrive any more, with and without a carrier
 * that took one; `expired`; then what the best attempt came to, or `queued`.
 */
export function progressOf(
  { verification, attempts, inQueue }: FoundVerification,
  now: number,
): VerificationProgress {
  if (verification.confirmedAt !== null) return 'confirmed';
  const states = new Set(attempts.map(stateOfAttempt));
  const isOver = verification.endedAt !== null || verification.expiresAt <= now;
  if (states.has('delivered')) return isOver ? 'expired' : 'delivered';
  if (states.has('submitted')) return isOver ? 'expired' : 'submitted';
  if (inQueue && !isOver) return 'queued';
  return states.has('undelivered') ? 'undelivered' : 'failed';
}
