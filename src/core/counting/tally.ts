/** Counts of what happens to verifications, by the time of their request, so that rates never exceed 100 %. */
import type { Channel } from '../destination/channel.ts';

/** Upper bounds in ms of the latency bins; the last bin has none. */
export const LATENCY_BOUNDS = [
  50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000,
] as const;

export type TallyDimension = 'time' | 'channel' | 'country' | 'carrier' | 'key';

/** Which verifications to add up, and by what. Times are Unix ms of the request; `to` is exclusive. */
export interface TallyQuery {
  readonly from: number;
  readonly to: number;
  readonly by: readonly TallyDimension[];
  /** With `by` time: the width of a step in ms. A step's time is its start. */
  readonly step?: number;
  /** All accounts if absent. */
  readonly accountId?: string;
  /** Traffic of test keys or of live keys; both if absent. */
  readonly test?: boolean;
  readonly channel?: Channel;
  readonly country?: string;
  readonly carrier?: string;
  readonly keyId?: string;
}

/** The dimensions of `by`; the others are null. `carrier` is also null before any carrier accepted the message. */
interface TallyGroup {
  readonly time: number | null;
  readonly channel: Channel | null;
  readonly country: string | null;
  readonly carrier: string | null;
  readonly keyId: string | null;
}

/**
 * `failedAttempts`, `submitted`, `delivered`, `undelivered`, `confirmed` and `cost` are counted by carrier; the rest have
 * none.
 */
export interface Tally extends TallyGroup {
  readonly requested: number;
  /** Attempts that the carrier did not accept; the others are `submitted`. */
  readonly failedAttempts: number;
  readonly submitted: number;
  readonly delivered: number;
  readonly undelivered: number;
  readonly failed: number;
  readonly confirmed: number;
  /** Requests refused by a limit of the key or of the destination. */
  readonly limitedByKey: number;
  readonly limitedByDestination: number;
  /** Wrong codes. */
  readonly mismatched: number;
  /** The cost of accepted messages, in millionths of the currency: as their receipts say, otherwise at the configured prices. */
  readonly cost: number;
}

/** How often a stage was reached within each bin of LATENCY_BOUNDS after the request. */
export interface LatencyTally extends TallyGroup {
  readonly stage: 'submitted' | 'delivered' | 'confirmed';
  readonly bins: readonly number[];
}

export interface LatencyQuery extends TallyQuery {
  /** All if absent. */
  readonly stage?: LatencyTally['stage'];
}

export interface TallyStore {
  tally(query: TallyQuery): Promise<Tally[]>;
  /** Latencies are not kept by key, so queries by or for a key are refused. */
  latencies(query: LatencyQuery): Promise<LatencyTally[]>;
}
