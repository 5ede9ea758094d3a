/** What a carrier finds that the operator has to fix. */
import { type CarrierLog, OPERATORS_FAULT } from '../core/sending/carrier.ts';

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

const QUIET_MS = 60_000;
/** Messages remembered. Past this number one may be logged again early. */
const MOST = 1_000;

/** Lets the same message through once a minute, so that a carrier that refuses everything does not fill the log. */
export function quieten(log: CarrierLog, now: () => number = () => performance.now()): CarrierLog {
  const quietUntil = new Map<string, number>();
  return (level, message, fields) => {
    const at = now();
    if (at < (quietUntil.get(message) ?? 0)) return;
    if (quietUntil.size >= MOST) quietUntil.clear();
    quietUntil.set(message, at + QUIET_MS);
    log(level, message, fields);
  };
}
