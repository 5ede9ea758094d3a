/** A rate: at most `max` events in any `windowMs`. Written `5/10m` in the configuration. */
export interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;

/** Reads `90s`, `10m`, `1d` ... into ms; undefined when it is no duration above zero. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  const ms = Number(amount) * (UNITS[unit ?? ''] ?? Number.NaN);
  return ms > 0 ? ms : undefined;
}

/** Reads `5/10m` into a limit; undefined when it is none. */
export function parseLimit(text: string): Limit | undefined {
  const [count, window, ...rest] = text.split('/');
  const windowMs = parseDuration(window ?? '');
  if (windowMs === undefined || rest.length > 0 || !/^[1-9]\d{0,8}$/.test(count ?? '')) return undefined;
  return { max: Number(count), windowMs };
}

/** The shortest spelling of a window, as used in names of policies: `10m`, `1d`, `1500ms`. */
export function formatDuration(ms: number): string {
  const [unit, size] = Object.entries(UNITS).findLast(([, size]) => ms % size === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}

/** The limits in force. All are exact over every window, under concurrency, and over a restart. */
export interface Limits {
  readonly sendsPerDestination: readonly Limit[];
  readonly failedGuessesPerDestination: readonly Limit[];
  readonly requestsPerKey: readonly Limit[];
}
