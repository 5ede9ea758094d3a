/** A message of a webhook, and what it is about, as both stores read them. */
import type { Channel } from '../../core/destination/channel.ts';
import type { DueMessage, EventSubject, MessageType } from '../../core/events/event.ts';

/** Columns of `message`, and of `verification` where there is one. Nothing that an erasure erases: messages wait in memory. */
export const DUE_COLUMNS = `message.seq, message.id, message.type, message.verification_id, coalesce(message.channel, verification.channel) AS channel,
  message.carrier, message.reason, message.at, message.tries, verification_id IS NOT NULL AND verification.id IS NULL AS is_erased`;

export function dueMessage(row: Readonly<Record<string, unknown>>): DueMessage {
  return {
    seq: Number(row.seq),
    id: String(row.id),
    type: row.type as MessageType,
    verificationId: textOrNull(row.verification_id),
    channel: row.channel as Channel | null,
    carrier: textOrNull(row.carrier),
    reason: textOrNull(row.reason),
    at: Number(row.at),
    tries: Number(row.tries),
    isErased: Boolean(row.is_erased),
  };
}

/** Columns of `verification`. */
export const SUBJECT_COLUMNS = 'id, channel, country, test, destination_sealed, details_sealed';

export function eventSubject(row: Readonly<Record<string, unknown>>): EventSubject {
  return {
    channel: row.channel as Channel,
    country: String(row.country),
    test: Boolean(row.test),
    destinationSealed: String(row.destination_sealed),
    detailsSealed: textOrNull(row.details_sealed),
  };
}

const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));
