/** What happens to verifications, as told to the metrics. Labels are few and bounded: channel, country, carrier. */
import type { Outcome } from './carrier.ts';
import type { Channel } from './destination/channel.ts';

export type BreakerState = 'closed' | 'half-open' | 'open';

/** Latencies in ms: `submitted`, `delivered` and `confirmed` count from the request, `attempted` is the carrier's answer. */
export interface Funnel {
  requested(channel: Channel, country: string): void;
  attempted(carrier: string, outcome: Outcome['kind'], ms: number): void;
  submitted(channel: Channel, country: string, carrier: string, ms: number): void;
  delivered(channel: Channel, country: string, carrier: string, ms: number): void;
  undelivered(channel: Channel, country: string, carrier: string): void;
  confirmed(channel: Channel, country: string, carrier: string, ms: number): void;
  failed(channel: Channel, country: string): void;
  breaker(carrier: string, state: BreakerState): void;
  /** An attempt that a carrier did not take, or a link to it that is down, and why; at Unix ms. `reason` is short and holds no number or text of a message. */
  erred(carrier: string, reason: string, at: number): void;
  queueDepth(deliveries: number): void;
}
