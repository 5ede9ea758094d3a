/** What an account is told of, by webhooks. */
import type { Channel } from '../destination/channel.ts';

/** Types may be added; none changes its meaning. */
export const EVENT_TYPES = [
  'verification.requested',
  'verification.confirmed',
  'verification.expired',
  'verification.exhausted',
  'delivery.accepted',
  'delivery.delivered',
  'delivery.undelivered',
  'delivery.failed',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** To try an endpoint out. Every endpoint takes it, whatever types it wants. */
export const TEST_TYPE = 'webhook.test';

export type MessageType = EventType | typeof TEST_TYPE;

/** One event for one endpoint. It names its verification and has nothing of it. Times are Unix ms. */
export interface EventMessage {
  /** `webhook-id`: the same at every try. */
  readonly id: string;
  readonly type: MessageType;
  readonly verificationId: string | null;
  /** Null: that of the verification. */
  readonly channel: Channel | null;
  readonly carrier: string | null;
  readonly reason: string | null;
  readonly at: number;
}

/** As a store has it when it is due. */
export interface DueMessage extends EventMessage {
  /** Rises in the order in which events were written. */
  readonly seq: number;
  /** How often it was tried. */
  readonly tries: number;
  /** What it is about is gone. */
  readonly isErased: boolean;
}

/** The verification that an event is about. Read right before it is told, and kept no longer: it may be erased at any time. */
export interface EventSubject {
  readonly channel: Channel;
  readonly country: string;
  readonly test: boolean;
  readonly destinationSealed: string;
  /** With the request's metadata; null if there is none. */
  readonly detailsSealed: string | null;
}

/** What came back at a try that failed, for people. */
export interface WebhookFailure {
  /** Unix ms. */
  readonly at: number;
  readonly answer: string;
}

/** How a store keeps them, one after the other. */
export const failureLine = ({ at, answer }: WebhookFailure): string => `${JSON.stringify({ at, answer })}\n`;

export const readFailures = (lines: string): WebhookFailure[] =>
  lines.split('\n').flatMap((line): WebhookFailure[] => (line === '' ? [] : [JSON.parse(line)]));

/** What is to become of a message that was tried or looked at. */
export type MessageFate =
  | { readonly kind: 'sent' }
  | { readonly kind: 'later'; readonly dueAt: number; readonly answer: string }
  /** `answer` says why, for people: `HTTP 500`, `no answer within 15 s`. */
  | { readonly kind: 'given-up'; readonly answer: string }
  /** It was never tried: what it was about is gone. */
  | { readonly kind: 'dropped'; readonly answer: string };
