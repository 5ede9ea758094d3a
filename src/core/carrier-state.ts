/** How each node sees each carrier just now: for doctor and the portal, which may run elsewhere. */
import { OPERATORS_FAULT } from './carrier.ts';
import type { BreakerState } from './funnel.ts';

export interface CarrierError {
  /** Never holds text or a number of a message. */
  readonly reason: string;
  /** Unix ms. */
  readonly at: number;
}

/** How long what the operator must put right stands after it was last met. */
const STANDS_MS = 600_000;

/** Whether an error is the operator's to put right, and was met so lately that it stands. */
export function isOperatorsFault({ reason, at }: CarrierError, now: number): boolean {
  return reason.startsWith(OPERATORS_FAULT) && now - at < STANDS_MS;
}

export interface CarrierState {
  /** Chosen by the node when it starts. */
  readonly node: string;
  readonly carrier: string;
  readonly breaker: BreakerState;
  /** What the carrier last failed with, or before that with what the operator must put right. */
  readonly lastError: CarrierError | null;
  /** When the node last said so, Unix ms. A node that fell silent for five minutes is forgotten. */
  readonly at: number;
}

export interface CarrierStateStore {
  noteCarrierStates(states: readonly CarrierState[]): Promise<void>;
  /** Of the nodes heard of in the last five minutes before `now`. */
  carrierStates(now: number): Promise<CarrierState[]>;
}
