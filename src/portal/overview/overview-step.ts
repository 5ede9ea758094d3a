import { type MergeTimes, startOf, widthAt } from '../../core/counting/tally-resolution.ts';
import { SECOND_MS } from '../../core/seams/spans.ts';

const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Easily read steps, each at most about twice the one before, so that some 60 to 120 of one of them fill any span. */
const STEPS = [
  ...[10, 20, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 3, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 4, 7, 14, 28].map((days) => days * DAY_MS),
];
const MOST = 120;
/** Up to a year and some days, days stay days: people know what a day was. */
const MOST_DAYS = 370;

/** A span of whole steps. */
export interface Course {
  /** In ms. */
  readonly step: number;
  /** In Unix ms, multiples of the step. */
  readonly from: number;
  readonly to: number;
}

/** Widens a span to whole steps, which are not finer than the buckets at its start. */
export function courseOf(from: number, to: number, times: MergeTimes): Course {
  const width = widthAt(from, times);
  const days = (to - from) / DAY_MS;
  const finest = Math.max(width, days > MOST && days <= MOST_DAYS ? DAY_MS : (to - from) / MOST);
  const step = STEPS.find((each) => each >= finest && each % width === 0) ?? 28 * DAY_MS;
  return { step, from: startOf(from, step), to: startOf(to + step - 1, step) };
}

/** The starts of all steps. */
export function startsOf({ step, from, to }: Course): number[] {
  return Array.from({ length: (to - from) / step }, (_, index) => from + index * step);
}

/** How many steps are over. */
export const finishedOf = ({ step, from, to }: Course, now: number): number =>
  Math.max(0, (Math.min(to, startOf(now, step)) - from) / step);

/**
 * As many steps before the span as are over in it. Undefined if none is, or if counts from then are kept in buckets wider
 * than a step, so that they cannot be compared.
 */
export function earlierOf(course: Course, now: number, times: MergeTimes): Course | undefined {
  const { step, from: to } = course;
  const from = to - finishedOf(course, now) * step;
  if (from === to || from < 0 || step % widthAt(from, times) !== 0) return undefined;
  return { step, from, to };
}
