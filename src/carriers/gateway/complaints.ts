import type { CarrierLog } from '../../core/carrier.ts';

const QUIET_MS = 60_000;

/** Lets the same message through once a minute: a gateway that turns everything away must not fill the log. */
export function quieten(log: CarrierLog, now: () => number = Date.now): CarrierLog {
  const quietUntil = new Map<string, number>();
  return (level, message, fields) => {
    const at = now();
    if (at < (quietUntil.get(message) ?? 0)) return;
    quietUntil.set(message, at + QUIET_MS);
    log(level, message, fields);
  };
}
