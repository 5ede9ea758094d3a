/** What the rest of the service is told of a judged guess: the statistics, and the guard. */
import type { Keyring } from '../secrets/keyring.ts';
import { openField } from '../secrets/sealed-field.ts';
import type { DeliveryMetrics } from '../sending/delivery-metrics.ts';
import { type GuardPort, typedBy } from './guard-port.ts';
import type { Caller, ConfirmAnswer } from './request.ts';
import type { ConfirmOutcome } from './verification.ts';

export interface JudgementDeps {
  readonly keyring: Keyring;
  readonly deliveryMetrics: DeliveryMetrics;
  readonly guardPort: GuardPort;
}

export function tellJudgement(
  { keyring, deliveryMetrics, guardPort }: JudgementDeps,
  caller: Caller,
  { id, now }: { readonly id: string; readonly now: number },
  outcome: Extract<ConfirmOutcome, { readonly kind: 'confirmed' | 'mismatch' }>,
): ConfirmAnswer {
  const typed = typedBy(caller, outcome);
  if (outcome.kind === 'mismatch') {
    if (outcome.test !== true) guardPort.mismatched(typed);
    return { kind: 'mismatch', attemptsRemaining: outcome.attemptsRemaining };
  }
  const { channel, sentBy = channel, country, carrier, createdAt, destinationSealed } = outcome;
  // A code that the client brought counts as requested once it is confirmed here: it may be confirmed elsewhere.
  if (outcome.brought) deliveryMetrics.requested(channel, country);
  deliveryMetrics.confirmed(sentBy, country, carrier ?? 'unknown', now - createdAt);
  const destination = openField(keyring, destinationSealed, id, 'destination');
  if (outcome.test !== true) guardPort.confirmed(typed, destination);
  return { kind: 'confirmed', id, destination, channel, confirmedAt: now };
}
