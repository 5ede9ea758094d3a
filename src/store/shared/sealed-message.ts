/** A message as both stores read it: the verification, and the sealed code, which is in the delivery or the inbox. */
import type { Channel } from '../../core/destination/channel.ts';
import type { AwaitedAttempt, SealedMessage } from '../../core/sending/delivery.ts';

/** What the key of a verification came from. */
export const PREDECESSORS =
  '(SELECT predecessors FROM api_key WHERE api_key.id = verification.key_id) AS predecessors';

/** Columns of `verification` that a sealed message is made of. */
export const MESSAGE_COLUMNS = `id, verification.account_id, test, channel, country, destination_sealed, details_sealed, created_at,
  expires_at,
  (SELECT settings FROM account_setting WHERE account_setting.account_id = verification.account_id) AS settings`;

/** Those of a message in the inbox. `delivered_by` is the channel that the simulator delivered it by; null: as it was asked for. */
export const INBOX_COLUMNS = `${MESSAGE_COLUMNS}, code_sealed, received_at, key_id, (
  SELECT attempt.channel FROM attempt
  WHERE verification_id = verification.id AND outcome = 'delivered' ORDER BY ended_at DESC LIMIT 1) AS delivered_by`;

/** Of all messages of an account in the inbox, whichever kind is wanted. */
export const MOST_LOOKED_AT = 1_000;

/** `id` is the public one, which PostgreSQL does not keep. */
export function sealedMessage(id: string, row: Readonly<Record<string, unknown>>): SealedMessage {
  return {
    id,
    accountId: String(row.account_id),
    test: Boolean(row.test),
    channel: row.channel as Channel,
    country: String(row.country),
    destinationSealed: String(row.destination_sealed),
    codeSealed: String(row.code_sealed),
    detailsSealed: row.details_sealed === null ? null : String(row.details_sealed),
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    settings: row.settings === null ? null : JSON.parse(String(row.settings)),
  };
}

/** Of an attempt, which names its own channel only if that is not the one that was asked for. */
export const awaitedAttempt = ({
  carrier,
  channel,
  reference,
}: Readonly<Record<string, unknown>>): AwaitedAttempt => ({
  carrier: String(carrier),
  channel: channel as Channel | null,
  reference: reference as string | null,
});

/** A message in the inbox, to be worded for the channel that it came by. */
export const inboxMessage = (id: string, row: Readonly<Record<string, unknown>>) => ({
  ...sealedMessage(id, { ...row, channel: row.delivered_by ?? row.channel }),
  keyId: String(row.key_id),
});
