/** What a gateway's answer means: the outcome of the attempt, and what to tell the operator. */
import type { Outcome } from '../../core/sending/carrier.ts';
import { readRetryAfter } from '../../outgoing/retry-after.ts';
import type { Complaint } from '../complaints.ts';
import type { GatewayAnswer } from './transport.ts';

export interface Verdict {
  readonly outcome: Outcome;
  readonly complaint?: Complaint;
}

/** `reference` is our own id for the message, if its receipt comes under that. */
export type Judge = (answer: GatewayAnswer, now: number, reference?: string) => Verdict;

/** Longer than any gateway's id; the store keeps references. */
const MAX_REFERENCE = 255;

export function isSuccess({ status }: GatewayAnswer): boolean {
  return status >= 200 && status < 300;
}

/**
 * A message that the gateway accepted. Without a reference it still counts as accepted: sending it again would only
 * bother the person.
 */
export function accept(reference: string | undefined, receiptFollows: boolean, missing: string): Verdict {
  if (!reference || reference.length > MAX_REFERENCE) {
    return { outcome: { kind: 'accepted' }, complaint: { level: 'warn', message: missing } };
  }
  return { outcome: { kind: 'accepted', reference, ...(receiptFollows && { receiptFollows }) } };
}

/** A message that was not accepted now. The gateway may say when to try again. */
export function postpone(
  { status, headers }: GatewayAnswer,
  now: number,
  reason: string,
  throttled = status === 429,
): Extract<Outcome, { kind: 'temporary' }> {
  const retryAfterMs = readRetryAfter(headers['retry-after'], now);
  return {
    kind: 'temporary',
    reason,
    ...(throttled && { throttled }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** No message was sent yet, so none can have been taken. */
export function withoutDoubt(outcome: Outcome): Outcome {
  if (outcome.kind !== 'temporary') return outcome;
  const { unclear: _, ...sure } = outcome;
  return sure;
}

/** For a refusal that may be because of the message, or of a setting. */
export function unclear(reason: string): Complaint {
  return {
    level: 'warn',
    message: `the carrier refused a message, because of the message or a setting: ${reason}`,
  };
}
