/** Days lead the indexes of hashes; a window of time is looked up by the days it touches. */
import { DAY_MS } from '../../../core/seams/spans.ts';

/**
 * SQL for the day of a time. The cast matters: node:sqlite binds numbers as REAL, and dividing those leaves a fraction. A day that is
 * bound as such must not be cast: SQLite does not look for the result of a cast in these indexes, but reads them from end to end.
 */
export function dayOf(time: string): string {
  return `CAST(${time} AS INTEGER) / ${DAY_MS}`;
}

/** SQL that lists the days in the last `windowMs` before `now`, an SQL expression. */
export function daysOf(windowMs: number, now = ':now'): string {
  return listOfDays(windowMs, now).join(', ');
}

/**
 * The same as a table `days`, with those of the next `aheadMs`: the day in `column1`, and each hash in `column2`. Joining it is
 * twice as fast as IN, which sorts its list into a temporary table at every run.
 */
export function daysTable(windowMs: number, hashes: readonly string[] = [], aheadMs = 0): string {
  const days = listOfDays(windowMs + aheadMs, aheadMs === 0 ? ':now' : `:now + ${aheadMs}`);
  const rows = hashes.length === 0 ? days : hashes.flatMap((hash) => days.map((day) => `${day}, ${hash}`));
  return `(VALUES ${rows.map((row) => `(${row})`).join(', ')}) AS days`;
}

function listOfDays(windowMs: number, now: string): string[] {
  const days = Math.ceil(windowMs / DAY_MS) + 1;
  return Array.from({ length: days }, (_, back) => `${dayOf(now)} - ${back}`);
}
