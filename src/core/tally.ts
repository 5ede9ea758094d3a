/** What became of verifications, counted as it happens, by the time of their request: rates of a cohort never pass 100 %. */
import type { Channel } from './destination/channel.ts';

/** Upper bounds in ms of the bins that latencies are counted in; the last bin has none. */
export const LATENCY_BOUNDS = [
  50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000,
] as const;

export type TallyDimension = 'time' | 'channel' | 'country' | 'carrier' | 'key';

/** Which verifications, by what, are added up. Times are Unix ms of the request, `to` exclusive. */
export interface TallyQuery {
  readonly from: number;
  readonly to: number;
  readonly by: readonly TallyDimension[];
  /** With `by` time: the width of a step in ms; a step is named by its start. */
  readonly step?: number;
  /** All accounts when absent. */
  readonly accountId?: string;
  /** Test keys' traffic or the rest; both when absent. */
  readonly test?: boolean;
  readonly channel?: Channel;
  readonly country?: string;
  readonly carrier?: string;
  readonly keyId?: string;
}

/** The dimensions asked for; null where one was not, `carrier` also for what no carrier had yet. */
interface TallyGroup {
  readonly time: number | null;
  readonly channel: Channel | null;
  readonly country: string | null;
  readonly carrier: string | null;
  readonly keyId: string | null;
}

/**
 * What a carrier did belongs to it: `failedAttempts`, `submitted`, `delivered`, `undelivered`, `confirmed` and `cost`. What a
 * request came to belongs to none.
 */
export interface Tally extends TallyGroup {
  readonly requested: number;
  /** Attempts that the carrier did not take; those it took are `submitted`. */
  readonly failedAttempts: number;
  readonly submitted: number;
  readonly delivered: number;
  readonly undelivered: number;
  readonly failed: number;
  readonly confirmed: number;
  /** Requests refused by a limit of the key, and by one of the destination. */
  readonly limitedByKey: number;
  readonly limitedByDestination: number;
  /** Wrong codes. */
  readonly mismatched: number;
  /** What carriers took, at the configured prices, in millionths of the currency. */
  readonly cost: number;
}

/** How often a stage was reached within each bin of LATENCY_BOUNDS, counted from the request. */
export interface LatencyTally extends TallyGroup {
  readonly stage: 'submitted' | 'delivered' | 'confirmed';
  readonly bins: readonly number[];
}

export interface TallyStore {
  tally(query: TallyQuery): Promise<Tally[]>;
  /** Latencies are not kept by key: a query by or for a key is refused. */
  latencies(query: TallyQuery): Promise<LatencyTally[]>;
}
