/** When a message is tried: at once, and then after these pauses (Standard Webhooks). */

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

const PAUSES_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** At most so much is added at random, so that what failed together does not come back together. */
const JITTER = 0.1;

/** No pause is longer, whatever an endpoint asks for. */
export const LONGEST_RETRY_PAUSE_MS = 30 * HOUR;

/**
 * When the next try is due after `tries` that failed; undefined if there is none. `retryAfterMs` is what the endpoint asked for;
 * `random` from 0 to 1.
 */
export function nextTryAt(
  tries: number,
  now: number,
  random: number,
  retryAfterMs: number | undefined,
): number | undefined {
  const pause = PAUSES_MS[tries - 1];
  if (pause === undefined) return undefined;
  const wanted = Math.max(pause * (1 + JITTER * random), retryAfterMs ?? 0);
  return now + Math.round(Math.min(wanted, LONGEST_RETRY_PAUSE_MS));
}

/** How long an endpoint has had nothing but failures when it is disabled. */
export const DISABLED_AFTER_MS = 5 * 24 * HOUR;

/** After a code has expired, a confirmation that was under way may still be written; its end is told when none can be. */
export const EXPIRY_MARGIN_MS = 10 * SECOND;
