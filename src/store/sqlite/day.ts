/** Days are the leading column of the indexes over hashes; a window of time is looked up as the days it touches. */
export const DAY_MS = 86_400_000;

/** SQL listing the days that the last `windowMs` before `now` (an SQL expression) can touch. */
export function daysOf(windowMs: number, now = ':now'): string {
  const days = Math.ceil(windowMs / DAY_MS) + 1;
  return Array.from({ length: days }, (_, back) => `${now} / ${DAY_MS} - ${back}`).join(', ');
}
