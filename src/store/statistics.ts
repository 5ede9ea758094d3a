/** What both stores have in common in counting: the columns and the bins. */
import { LATENCY_BOUNDS, type LatencyTally } from '../core/tally.ts';

/** What is counted, and the column of each. */
export const MEASURES = {
  requested: 'requested',
  failedAttempts: 'failed_attempts',
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

/** A node that fell silent for so long says nothing of its carriers any more. */
export const FORGOTTEN_AFTER_MS = 300_000;
