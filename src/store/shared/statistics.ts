/** The columns and bins that both stores count in. */
import { LATENCY_BOUNDS, type LatencyTally } from '../../core/counting/tally.ts';

/** What is counted, with the column of each. */
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

const TABLE = Object.entries(MEASURES);

/** A value for each of them, made from its column and its place in the table. */
export function perMeasure<T>(make: (column: string, place: number) => T): Record<Measure, T> {
  const entries = TABLE.map(([measure, column], place) => [measure, make(column, place)]);
  return Object.fromEntries(entries) as Record<Measure, T>;
}

export type Stage = LatencyTally['stage'];

/** The columns of a histogram; a new bound needs a migration. */
export const BIN_COLUMNS = Array.from({ length: LATENCY_BOUNDS.length + 1 }, (_, bin) => `bin_${bin}`);

/** The bin of a latency; a bound belongs to the bin below it. */
export function binOf(ms: number): number {
  const bin = LATENCY_BOUNDS.findIndex((bound) => ms <= bound);
  return bin === -1 ? LATENCY_BOUNDS.length : bin;
}

/** After this silence, what a node said about its carriers no longer counts. */
export const FORGOTTEN_AFTER_MS = 300_000;
