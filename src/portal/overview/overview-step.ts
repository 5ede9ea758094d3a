import { type MergeTimes, startOf, widthAt } from '../../core/counting/tally-resolution.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Easily read steps, each at most about twice the one before, so that some 60 to 120 of one of them fill any span. */
const STEPS = [
  ...[10, 20, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 3, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 4, 7, 14, 28].map((days) => days * DAY),
];
const MOST = 120;

export interface Course {
  /** In ms. */
  readonly step: number;
  /** The span in whole buckets, in Unix ms. */
  readonly from: number;
  readonly to: number;
}

/** Divides a span into steps that are not finer than the buckets at its start. */
export function courseOf(from: number, to: number, times: MergeTimes): Course {
  const width = widthAt(from, times);
  const finest = Math.max(width, (to - from) / MOST);
  const last = widthAt(to - 1, times);
  return {
    step: STEPS.find((step) => step >= finest && step % width === 0) ?? 28 * DAY,
    from: startOf(from, width),
    to: startOf(to + last - 1, last),
  };
}

/** The starts of all steps. */
export function startsOf({ step, from, to }: Course): number[] {
  const first = startOf(from, step);
  return Array.from({ length: Math.ceil((to - first) / step) }, (_, index) => first + index * step);
}
