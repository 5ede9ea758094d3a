/** How each node sees each carrier, for doctor and the portal, which may run elsewhere. */
import { OPERATORS_FAULT } from './carrier.ts';
import type { BreakerState } from './funnel.ts';

export interface CarrierError {
  /** Never contains text or numbers of a message. */
  readonly reason: string;
  /** Unix ms. */
  readonly at: number;
}

/** How long an error that the operator must fix counts after it last happened. */
const STANDS_MS = 600_000;

/** Whether an error is recent and only the operator can fix it. */
export function isOperatorsFault({ reason, at }: CarrierError, now: number): boolean {
  return reason.startsWith(OPERATORS_FAULT) && now - at < STANDS_MS;
}

export interface CarrierState {
  /** Each node chooses its name when it starts. */
  readonly node: string;
  readonly carrier: string;
  readonly breaker: BreakerState;
  /** The last error, or an earlier one that the operator must fix. */
  readonly lastError: CarrierError | null;
  /** When the node last reported, in Unix ms. A node that is silent for five minutes is forgotten. */
  readonly at: number;
}

export interface CarrierStateStore {
  noteCarrierStates(states: readonly CarrierState[]): Promise<void>;
  /** From nodes that reported in the five minutes before `now`. */
  carrierStates(now: number): Promise<CarrierState[]>;
}
