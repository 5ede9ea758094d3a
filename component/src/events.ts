/** What the events of the element say. */
import type { Reason } from './ask.ts';
import type { Channel } from './channel.ts';

/** Of `countersign-sent`. */
export interface SentDetail {
  readonly destination: string;
  readonly channel: Channel;
}

/** Of `countersign-confirmed`. What your server was told counts, not this. */
export interface ConfirmedDetail {
  readonly destination: string;
}

/** Of `countersign-error`. */
export interface ErrorDetail {
  readonly step: 'number' | 'code';
  readonly reason: Reason;
  /** Why nothing can be sent to the number. */
  readonly code?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly attemptsRemaining?: number | undefined;
}
