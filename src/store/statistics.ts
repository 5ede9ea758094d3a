/** What both stores have in common in counting: the columns, the bins, and how finely times are kept. */
import { LATENCY_BOUNDS, type LatencyTally } from '../core/tally.ts';

/** What is counted, and the column of each. */
export const MEASURES = {
  requested: 'requested',
  submitted: 'submitted',
  delivered: 'delivered',
  undelivered: 'undelivered',
  failed: 'failed',
  confirmed: 'confirmed',
  limitedByKey: 'limited_by_key',
  limitedByDestination: 'limited_by_destination',
  mismatched: 'mismatched',
  cost: 'cost',
} as const;
export type Measure = keyof typeof MEASURES;

export type Stage = LatencyTally['stage'];

/** The columns of a histogram; another bound needs a migration. */
export const BIN_COLUMNS = Array.from({ length: LATENCY_BOUNDS.length + 1 }, (_, bin) => `bin_${bin}`);

/** The bin of a latency; bounds belong to the bin below. */
export function binOf(ms: number): number {
  const bin = LATENCY_BOUNDS.findIndex((bound) => ms <= bound);
  return bin === -1 ? LATENCY_BOUNDS.length : bin;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How wide buckets of time are, in ms. */
export const FRESH_WIDTH = 10_000;
export const WIDTHS = [FRESH_WIDTH, HOUR_MS, DAY_MS] as const;

/** Buckets that begin before these are merged: whole hours that ended two hours ago, whole days that ended 60 days ago. */
export interface MergeTimes {
  readonly intoHours: number;
  readonly intoDays: number;
}

export function mergeTimesAt(now: number): MergeTimes {
  return { intoHours: startOf(now - 2 * HOUR_MS, HOUR_MS), intoDays: startOf(now - 60 * DAY_MS, DAY_MS) };
}

/** Which buckets there are to merge at these times. */
export function outdatedAt({ intoHours, intoDays }: MergeTimes) {
  return [
    { width: FRESH_WIDTH, before: intoHours },
    { width: HOUR_MS, before: intoDays },
  ];
}

/** How wide a bucket becomes that is merged. */
export function mergedWidth(at: number, { intoDays }: MergeTimes): number {
  return at < intoDays ? DAY_MS : HOUR_MS;
}

/** The start of the bucket that a time is in. */
export function startOf(at: number, width: number): number {
  return at - (at % width);
}

/** A node that fell silent for so long says nothing of its carriers any more. */
export const FORGOTTEN_AFTER_MS = 300_000;
