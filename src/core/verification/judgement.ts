/** What the rest of the service is told of a judged guess: the statistics, and the guard. */
import type { Keyring } from '../secrets/keyring.ts';
import { openField } from '../secrets/sealed-field.ts';
import type { Funnel } from '../sending/funnel.ts';
import type { Caller, ConfirmAnswer } from './request.ts';
import { type Sentry, typedBy } from './sentry.ts';
import type { ConfirmOutcome } from './verification.ts';

export interface JudgementDeps {
  readonly keyring: Keyring;
  readonly funnel: Funnel;
  readonly sentry: Sentry;
}

export function tellJudgement(
  { keyring, funnel, sentry }: JudgementDeps,
  caller: Caller,
  { id, now }: { readonly id: string; readonly now: number },
  outcome: Extract<ConfirmOutcome, { readonly kind: 'confirmed' | 'mismatch' }>,
): ConfirmAnswer {
  const typed = typedBy(caller, outcome);
  if (outcome.kind === 'mismatch') {
    if (outcome.test !== true) sentry.mismatched(typed);
    return { kind: 'mismatch', attemptsRemaining: outcome.attemptsRemaining };
  }
  const { channel, sentBy = channel, country, carrier, createdAt, destinationSealed } = outcome;
  // A code that the client brought counts as requested once it is confirmed here: it may be confirmed elsewhere.
  if (outcome.brought) funnel.requested(channel, country);
  funnel.confirmed(sentBy, country, carrier ?? 'unknown', now - createdAt);
  const destination = openField(keyring, destinationSealed, id, 'destination');
  if (outcome.test !== true) sentry.confirmed(typed, destination);
  return { kind: 'confirmed', id, destination, channel, confirmedAt: now };
}
