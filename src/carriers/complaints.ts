/** What a carrier finds that the operator must put right. */
import { type CarrierLog, OPERATORS_FAULT } from '../core/carrier.ts';

/** The same words every time: they are said once a minute. */
export interface Complaint {
  readonly level: 'warn' | 'error';
  readonly message: string;
}

/** The message is not at fault, but our account or settings there: the reason of the attempt, and what the log says. */
export function operatorsFault(reason: string): { readonly reason: string; readonly complaint: Complaint } {
  const fault = `${OPERATORS_FAULT}${reason}`;
  return { reason: fault, complaint: { level: 'error', message: `the carrier refuses our ${fault}` } };
}

const QUIET_MS = 60_000;
/** Messages remembered; what is past it may be told again early. */
const MOST = 1_000;

/** Lets the same message through once a minute: a carrier that turns everything away must not fill the log. */
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
