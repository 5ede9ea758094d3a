/** How each node sees each carrier just now: for doctor and the portal, which may run elsewhere. */
import type { BreakerState } from './funnel.ts';

export interface CarrierState {
  /** Chosen by the node when it starts. */
  readonly node: string;
  readonly carrier: string;
  readonly breaker: BreakerState;
  /** What the carrier last failed with; never holds text or a number of a message. */
  readonly lastError: { readonly reason: string; readonly at: number } | null;
  /** When the node last said so, Unix ms. A node that fell silent for five minutes is forgotten. */
  readonly at: number;
}

export interface CarrierStateStore {
  noteCarrierStates(states: readonly CarrierState[]): Promise<void>;
  /** Of the nodes heard of in the last five minutes before `now`. */
  carrierStates(now: number): Promise<CarrierState[]>;
}
