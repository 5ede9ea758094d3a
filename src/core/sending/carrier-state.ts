/** How each node sees each carrier, for doctor and the portal, which may run elsewhere. */
import { MAX_AHEAD_MS } from '../seams/clock.ts';
import { OPERATORS_FAULT } from './carrier.ts';
import type { BreakerState } from './delivery-metrics.ts';
import type { UnusableCounts } from './unusable-receipts.ts';

export interface CarrierError {
  /** Never contains text or numbers of a message. */
  readonly reason: string;
  /** Unix ms. */
  readonly at: number;
}

/** How long an error that the operator must fix counts after it last happened. */
export const STANDS_MS = 600_000;

/** Whether it happened less than `span` ms ago. What a clock dated ahead that was corrected since is old. */
export const isRecent = ({ at }: CarrierError, now: number, span: number): boolean =>
  now - at < span && at - now <= MAX_AHEAD_MS;

/** Whether an error is recent and only the operator can fix it. */
export const isOperatorsFault = (error: CarrierError, now: number): boolean =>
  error.reason.startsWith(OPERATORS_FAULT) && isRecent(error, now, STANDS_MS);

export interface CarrierState {
  /** Each node chooses its name when it starts. */
  readonly node: string;
  readonly carrier: string;
  readonly breaker: BreakerState;
  /** The last error, or an earlier one that the operator must fix. */
  readonly lastError: CarrierError | null;
  /** Receipts of the last hour that were of no use; absent if there were none. */
  readonly unusable?: UnusableCounts;
  /** When the node last reported, in Unix ms. A node that is silent for five minutes is forgotten. */
  readonly at: number;
}

/** What reasons begin with that say that there is no link. */
export const LINK_DOWN = 'no link: ';

/** A link that does not come back says so again at each try. */
const LINK_MS = 3 * 60_000;

/** Why a carrier takes no messages; what says most comes first. */
export const TROUBLES = ['refuses-settings', 'no-link', 'set-aside'] as const;
export type CarrierTrouble = (typeof TROUBLES)[number];

type Seen = Pick<CarrierState, 'breaker' | 'lastError'>;

/** Of one node; undefined if it can send with the carrier. For alerts and for pages, so that they say the same. */
export function troubleOf({ breaker, lastError }: Seen, now: number): CarrierTrouble | undefined {
  if (lastError !== null && isOperatorsFault(lastError, now)) return 'refuses-settings';
  const isCut = lastError?.reason.startsWith(LINK_DOWN) === true && isRecent(lastError, now, LINK_MS);
  if (isCut) return 'no-link';
  return breaker === 'open' ? 'set-aside' : undefined;
}

/** That which says most; null if there is none. */
export const worstTrouble = (
  troubles: readonly (CarrierTrouble | null | undefined)[],
): CarrierTrouble | null => TROUBLES.find((each) => troubles.includes(each)) ?? null;

export interface CarrierStateStore {
  noteCarrierStates(states: readonly CarrierState[]): Promise<void>;
  /** From nodes that reported in the five minutes before `now`. */
  carrierStates(now: number): Promise<CarrierState[]>;
}
