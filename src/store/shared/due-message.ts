/** A message of a webhook as both stores read it, with what it is about. */
import type { Channel } from '../../core/destination/channel.ts';
import type { DueMessage, MessageType } from '../../core/events/event.ts';

/** Columns of `message`, and of `verification` where there is one. */
export const DUE_COLUMNS = `message.seq, message.id, message.type, message.verification_id, message.carrier, message.reason,
  message.at, message.tries, CASE WHEN verification.id IS NOT NULL THEN coalesce(message.channel, verification.channel) END AS channel,
  verification.country, verification.test, destination_sealed, details_sealed`;

export function dueMessage(row: Readonly<Record<string, unknown>>): DueMessage {
  return {
    seq: Number(row.seq),
    id: String(row.id),
    type: row.type as MessageType,
    verificationId: textOrNull(row.verification_id),
    carrier: textOrNull(row.carrier),
    reason: textOrNull(row.reason),
    at: Number(row.at),
    tries: Number(row.tries),
    about:
      row.channel === null
        ? null
        : {
            channel: row.channel as Channel,
            country: String(row.country),
            test: Boolean(row.test),
            destinationSealed: String(row.destination_sealed),
            detailsSealed: textOrNull(row.details_sealed),
          },
  };
}

const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));
