/** The time resolution of counts: recent buckets are narrow, older ones are merged into wider ones. */

/** Widths of time buckets, in ms. */
export const FRESH_WIDTH = 10_000;
export const HOUR_WIDTH = 3_600_000;
export const DAY_WIDTH = 24 * HOUR_WIDTH;
export const WIDTHS = [FRESH_WIDTH, HOUR_WIDTH, DAY_WIDTH] as const;

/** Buckets that start before these are merged: into hours that ended two hours ago, into days that ended 60 days ago. */
export interface MergeTimes {
  readonly intoHours: number;
  readonly intoDays: number;
}

export function mergeTimesAt(now: number): MergeTimes {
  return {
    intoHours: startOf(now - 2 * HOUR_WIDTH, HOUR_WIDTH),
    intoDays: startOf(now - 60 * DAY_WIDTH, DAY_WIDTH),
  };
}

/** The buckets to merge at these times. */
export function outdatedAt({ intoHours, intoDays }: MergeTimes) {
  return [
    { width: FRESH_WIDTH, before: intoHours },
    { width: HOUR_WIDTH, before: intoDays },
  ];
}

/** The width of a merged bucket. */
export function mergedWidth(at: number, { intoDays }: MergeTimes): number {
  return at < intoDays ? DAY_WIDTH : HOUR_WIDTH;
}

/** The width of the bucket at a time, after due merges. */
export function widthAt(at: number, times: MergeTimes): number {
  return at < times.intoHours ? mergedWidth(at, times) : FRESH_WIDTH;
}

/** The start of the bucket that contains a time. */
export function startOf(at: number, width: number): number {
  return at - (at % width);
}
