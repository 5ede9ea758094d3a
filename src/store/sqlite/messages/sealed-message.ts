/** The message and its code are one row. In PostgreSQL the code is in the delivery or the inbox. */
import type { SQLOutputValue } from 'node:sqlite';
import type { Channel } from '../../../core/destination/channel.ts';
import type { SealedMessage } from '../../../core/sending/delivery.ts';

/** Columns of `verification` that a sealed message is made of. */
export const SEALED_COLUMNS = `id, account_id, test, channel, country, destination_sealed, code_sealed, created_at, expires_at,
  (SELECT settings FROM account_setting WHERE account_setting.account_id = verification.account_id) AS settings`;

export function sealedMessage(row: Record<string, SQLOutputValue>): SealedMessage {
  return {
    id: String(row.id),
    accountId: String(row.account_id),
    test: row.test === 1,
    channel: row.channel as Channel,
    country: String(row.country),
    destinationSealed: String(row.destination_sealed),
    codeSealed: String(row.code_sealed),
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    settings: row.settings === null ? null : JSON.parse(String(row.settings)),
  };
}
