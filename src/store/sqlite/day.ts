/** Days are the leading column of the indexes over hashes; a window of time is looked up as the days it touches. */
export const DAY_MS = 86_400_000;

/** SQL for the day of a time. The cast matters: node:sqlite binds every number as REAL, whose division has a fraction. */
export function dayOf(time: string): string {
  return `CAST(${time} AS INTEGER) / ${DAY_MS}`;
}

/** SQL listing the days that the last `windowMs` before `now` (an SQL expression) can touch. */
export function daysOf(windowMs: number, now = ':now'): string {
  return listOfDays(windowMs, now).join(', ');
}

/**
 * The same as a table `days`, `column1` the day, for each hash sought in `column2`. It is joined before the one that is
 * searched: IN would sort its list into a table of its own at every run, which takes as long as the search.
 */
export function daysTable(windowMs: number, hashes: readonly string[] = []): string {
  const days = listOfDays(windowMs, ':now');
  const rows = hashes.length === 0 ? days : hashes.flatMap((hash) => days.map((day) => `${day}, ${hash}`));
  return `(VALUES ${rows.map((row) => `(${row})`).join(', ')}) AS days`;
}

function listOfDays(windowMs: number, now: string): string[] {
  const days = Math.ceil(windowMs / DAY_MS) + 1;
  return Array.from({ length: days }, (_, back) => `${dayOf(now)} - ${back}`);
}
