/** A rate, such as `5/10m`: at most `max` events in any `windowMs`. */
import { DAY_MS } from '../seams/spans.ts';
export interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS };
const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;

/** Reads `90s`, `10m` or `1d` into ms; undefined if it is not a duration above zero. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  const ms = Number(amount) * (UNITS[unit ?? ''] ?? Number.NaN);
  return ms > 0 ? ms : undefined;
}

const MOST = 1_000_000;
const LONGEST_DAYS = 3_650;

/** Exact counting remembers each event, so rates are bounded. */
export const LIMIT_BOUNDS = `a rate such as 5/10m, from 1 to ${MOST} in a window from 1ms to ${LONGEST_DAYS}d (all that counts is remembered for the window)`;

/** Reads `5/10m` into a limit; undefined if it is not one, or is out of bounds. */
export function parseLimit(text: string): Limit | undefined {
  const [count, window, ...rest] = text.split('/');
  const windowMs = parseDuration(window ?? '');
  if (windowMs === undefined || rest.length > 0 || !/^[1-9]\d*$/.test(count ?? '')) return undefined;
  const max = Number(count);
  return max <= MOST && windowMs <= LONGEST_DAYS * DAY_MS ? { max, windowMs } : undefined;
}

/** The shortest notation of a window, also in names of policies: `10m`, `1d`, `1500ms`. */
export function formatDuration(ms: number): string {
  const [unit, size] = Object.entries(UNITS).findLast(([, size]) => ms % size === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}

/** The one limit of a list that is shown. */
export function shownLimit([first]: readonly Limit[]): Limit {
  if (first === undefined) throw new Error('a list of limits has at least one');
  return first;
}

/** All limits are exact over every window, under concurrency, and over a restart. */
export interface Limits {
  readonly sendsPerDestination: readonly Limit[];
  readonly failedGuessesPerDestination: readonly Limit[];
  readonly requestsPerKey: readonly Limit[];
}

/**
 * The ms after which a limit has a place again, never more than its window: what is counted may bear a later time than the
 * call that asks, since nodes and calls at once do not agree to the ms.
 */
export function waitWithin({ windowMs }: Limit, ms: number): number {
  return Math.min(ms, windowMs);
}

/** Such as `5/10m`. */
export function formatLimit({ max, windowMs }: Limit): string {
  return `${max}/${formatDuration(windowMs)}`;
}
