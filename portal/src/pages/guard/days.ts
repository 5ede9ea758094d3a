import type { GuardView } from '#contract/guard.ts';

type Day = GuardView['days'][number];

const DAY_MS = 86_400_000;
const SHOWN = 30;

/** The last 30 days (UTC), today included, each with its figures if it has some. */
export function lastDays(
  days: readonly Day[],
  now: number,
): { readonly at: number; readonly day: Day | undefined }[] {
  const today = now - (now % DAY_MS);
  const known = new Map(days.map((day) => [Date.parse(day.day), day]));
  return Array.from({ length: SHOWN }, (_, index) => {
    const at = today - (SHOWN - 1 - index) * DAY_MS;
    return { at, day: known.get(at) };
  });
}
