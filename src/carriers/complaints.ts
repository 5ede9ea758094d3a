/** What a carrier finds that the operator has to fix. */
import { OPERATORS_FAULT } from '../core/sending/carrier.ts';

/** Always the same words, because each message is logged once a minute. */
export interface Complaint {
  readonly level: 'warn' | 'error';
  readonly message: string;
}

/**
 * For errors of our account or settings at the carrier, not of the message: the reason of the attempt, and what the log
 * says.
 */
export function operatorsFault(reason: string): { readonly reason: string; readonly complaint: Complaint } {
  const fault = `${OPERATORS_FAULT}${reason}`;
  return { reason: fault, complaint: { level: 'error', message: `the carrier refuses our ${fault}` } };
}
