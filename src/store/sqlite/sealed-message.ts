import type { SQLOutputValue } from 'node:sqlite';
import type { SealedMessage } from '../../core/delivery.ts';
import type { Channel } from '../../core/destination.ts';

/** Columns of `verification` that a sealed message is made of; its code stands elsewhere. */
export const SEALED_COLUMNS =
  'id, verification.account_id, test, channel, country, destination_sealed, created_at, verification.expires_at';

export function sealedMessage(
  row: Record<string, SQLOutputValue>,
  codeSealed: SQLOutputValue | undefined,
): SealedMessage {
  return {
    id: String(row.id),
    accountId: String(row.account_id),
    test: row.test === 1,
    channel: row.channel as Channel,
    country: String(row.country),
    destinationSealed: String(row.destination_sealed),
    codeSealed: String(codeSealed),
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
  };
}
