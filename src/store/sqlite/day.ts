/** Days are the leading column of the indexes over hashes; a window of time is looked up as the days it touches. */
export const DAY_MS = 86_400_000;

/** SQL for the day of a time. The cast matters: node:sqlite binds every number as REAL, whose division has a fraction. */
export function dayOf(time: string): string {
  return `CAST(${time} AS INTEGER) / ${DAY_MS}`;
}

/** SQL listing the days that the last `windowMs` before `now` (an SQL expression) can touch, for IN or VALUES. */
export function daysOf(windowMs: number, now = ':now'): string {
  const days = Math.ceil(windowMs / DAY_MS) + 1;
  return Array.from({ length: days }, (_, back) => `(${dayOf(now)} - ${back})`).join(', ');
}

/**
 * The same as a table `days` with a column `column1`, to be joined before the one that is searched: IN would sort its list
 * into a table of its own at every run, which takes as long as the search.
 */
export function daysTable(windowMs: number): string {
  return `(VALUES ${daysOf(windowMs)}) AS days`;
}
