/** Reports to the metrics what happens to verifications. Labels are few and bounded: channel, country, carrier. */
import type { Channel } from '../destination/channel.ts';
import type { Outcome } from './carrier.ts';
import type { Unusable } from './unusable-receipts.ts';

export type BreakerState = 'closed' | 'half-open' | 'open';

/** `ms` counts from the request for `submitted`, `delivered` and `confirmed`; for `attempted` it is the carrier's time. */
export interface DeliveryMetrics {
  requested(channel: Channel, country: string): void;
  attempted(carrier: string, outcome: Outcome['kind'], ms: number): void;
  submitted(channel: Channel, country: string, carrier: string, ms: number): void;
  delivered(channel: Channel, country: string, carrier: string, ms: number): void;
  undelivered(channel: Channel, country: string, carrier: string): void;
  confirmed(channel: Channel, country: string, carrier: string, ms: number): void;
  failed(channel: Channel, country: string): void;
  /** `why` says what failed last, if it opens after it was closed. */
  breaker(carrier: string, state: BreakerState, why?: string): void;
  /** A failed attempt, or a link that is down; `at` is Unix ms. `reason` is short, without numbers or text of a message. */
  erred(carrier: string, reason: string, at: number): void;
  /** The configuration does not name the carrier any more. */
  dismissed(carrier: string): void;
  /** Receipts that say nothing about a message. */
  unusable(carrier: string, why: Unusable, count: number): void;
  queueDepth(deliveries: number): void;
}
