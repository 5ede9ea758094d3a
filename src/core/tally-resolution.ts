/** How finely times are kept in what is counted: recent buckets are narrow, older ones are merged into wider ones. */

/** How wide buckets of time are, in ms. */
export const FRESH_WIDTH = 10_000;
export const HOUR_WIDTH = 3_600_000;
export const DAY_WIDTH = 24 * HOUR_WIDTH;
export const WIDTHS = [FRESH_WIDTH, HOUR_WIDTH, DAY_WIDTH] as const;

/** Buckets that begin before these are merged: whole hours that ended two hours ago, whole days that ended 60 days ago. */
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

/** Which buckets there are to merge at these times. */
export function outdatedAt({ intoHours, intoDays }: MergeTimes) {
  return [
    { width: FRESH_WIDTH, before: intoHours },
    { width: HOUR_WIDTH, before: intoDays },
  ];
}

/** How wide a bucket becomes that is merged. */
export function mergedWidth(at: number, { intoDays }: MergeTimes): number {
  return at < intoDays ? DAY_WIDTH : HOUR_WIDTH;
}

/** How wide the buckets of a time are, once what is due is merged. */
export function widthAt(at: number, times: MergeTimes): number {
  return at < times.intoHours ? mergedWidth(at, times) : FRESH_WIDTH;
}

/** The start of the bucket that a time is in. */
export function startOf(at: number, width: number): number {
  return at - (at % width);
}
