/** Who wrote to a number last. Partitions are in the order of time, so the newest is asked first; SQLite goes by the day. */
import type { SenderFinder } from '../../../core/blocking/sender.ts';
import { isKept, pastUntil } from '../../shared/kept.ts';
import type { Database } from '../connection/database.ts';
import { lowestUuid } from '../verifications/verification-id.ts';

export function createSenders(db: Database, retentionMs: number): SenderFinder {
  const last = {
    name: 'find_sender',
    text: `
      SELECT account_id FROM unnest($2::text[]) AS own (tag)
      CROSS JOIN LATERAL (
        SELECT verification_id FROM attempt
        WHERE carrier = $1 AND recipient_tag = own.tag AND outcome IN ('accepted', 'delivered')
          AND verification_id >= coalesce((SELECT senders_from FROM installation), '${lowestUuid(0)}')
        ORDER BY verification_id DESC LIMIT 1) AS sent
      JOIN verification ON verification.id = sent.verification_id AND ${isKept('$3')}
      ORDER BY verification.id DESC LIMIT 1`,
  };
  return {
    async findSender({ carrier, recipientTags, now }) {
      const values = [carrier, recipientTags, pastUntil(now, retentionMs)];
      const [row] = await db.read<{ account_id: string }>(last, values);
      return row?.account_id;
    },
  };
}
