/** What the sender of webhooks needs of a store, in addition to its records. */
import type { DueMessage, EventSubject } from './event.ts';

export interface DueQuery {
  readonly webhookId: string;
  readonly now: number;
  /** The `seq` of messages that are on their way already. */
  readonly held: readonly number[];
  readonly limit: number;
}

export interface EventQueue {
  /**
   * The next messages of an endpoint: those that were never tried, in the order in which they were written, and some of those
   * whose next try is due, so that neither waits for all of the other.
   */
  dueMessages(query: DueQuery): Promise<DueMessage[]>;
  /** The verification of that id; null if it is gone, or past its retention. */
  eventSubject(verificationId: string, now: number): Promise<EventSubject | null>;
  /**
   * Tells of up to `limit` verifications whose code expired at `before` or earlier, unconfirmed and with guesses left. How many it
   * looked at.
   */
  tellExpired(before: number, limit: number): Promise<number>;
}

/** Of the messages that are due, the part that tries again may take. */
export const retriesWithin = (limit: number): number => Math.ceil(limit / 4);
