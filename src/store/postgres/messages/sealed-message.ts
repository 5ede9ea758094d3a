/** A message as functions and queries answer it: its code is in the delivery or the inbox, not in the verification. */
import type { Channel } from '../../../core/destination/channel.ts';
import type { SealedMessage } from '../../../core/sending/delivery.ts';
import { idOf } from '../verifications/verification-id.ts';

export interface SealedRow {
  readonly id: string;
  readonly account_id: string;
  readonly test: boolean;
  readonly channel: Channel;
  readonly country: string;
  readonly destination_sealed: string;
  readonly code_sealed: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly settings: string | null;
}

export function sealedMessage(row: SealedRow): SealedMessage {
  return {
    id: idOf(row.id),
    accountId: row.account_id,
    test: row.test,
    channel: row.channel,
    country: row.country,
    destinationSealed: row.destination_sealed,
    codeSealed: row.code_sealed,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    settings: row.settings === null ? null : JSON.parse(row.settings),
  };
}
