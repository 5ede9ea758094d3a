/** Days are the leading column of the indexes over hashes; a window of time is looked up as the days it touches. */
export const DAY_MS = 86_400_000;

/** SQL for the day of a time. The cast matters: node:sqlite binds every number as REAL, whose division has a fraction. */
export function dayOf(time: string): string {
  return `CAST(${time} AS INTEGER) / ${DAY_MS}`;
}

/** SQL listing the days that the last `windowMs` before `now` (an SQL expression) can touch. */
export function daysOf(windowMs: number, now = ':now'): string {
  const days = Math.ceil(windowMs / DAY_MS) + 1;
  return Array.from({ length: days }, (_, back) => `${dayOf(now)} - ${back}`).join(', ');
}
