/** Who wrote to a number last. Partitions are in the order of time, so the newest is asked first; SQLite goes by the day. */
import type { SenderFinder } from '../../../core/blocking/sender.ts';
import { isKept, pastUntil } from '../../shared/kept.ts';
import type { Database } from '../connection/database.ts';
import { lowestUuid, timeOf } from '../verifications/verification-id.ts';

/** An attempt ends at most so long after its verification was made: what was accepted last is no older than that beside the newest. */
const LONGEST_MS = 3_600_000;

const TAKEN = `carrier = $1 AND outcome IN ('accepted', 'delivered')
  AND verification_id >= coalesce((SELECT senders_from FROM installation), '${lowestUuid(0)}')`;

export function createSenders(db: Database, retentionMs: number): SenderFinder {
  const newest = {
    name: 'newest_sent',
    text: `
      SELECT verification_id AS id FROM unnest($2::text[]) AS own (tag)
      CROSS JOIN LATERAL (
        SELECT verification_id FROM attempt WHERE ${TAKEN} AND recipient_tag = own.tag
        ORDER BY verification_id DESC LIMIT 1) AS sent
      ORDER BY verification_id DESC LIMIT 1`,
  };
  // By when it was accepted: a message may have waited, or gone to another carrier first.
  const last = {
    name: 'find_sender',
    text: `
      SELECT account_id FROM attempt
      JOIN verification ON verification.id = attempt.verification_id AND ${isKept('$3')}
      WHERE ${TAKEN} AND recipient_tag = ANY ($2) AND verification_id >= $4
      ORDER BY attempt.ended_at DESC, verification_id DESC LIMIT 1`,
  };
  return {
    async findSender({ carrier, recipientTags, now }) {
      const [sent] = await db.read<{ id: string }>(newest, [carrier, recipientTags]);
      if (sent === undefined) return undefined;
      // An id of a clock that was ahead would hide all of now.
      const since = lowestUuid(Math.min(now, timeOf(sent.id.replaceAll('-', ''))) - LONGEST_MS);
      const values = [carrier, recipientTags, pastUntil(now, retentionMs), since];
      const [row] = await db.read<{ account_id: string }>(last, values);
      return row?.account_id;
    },
  };
}
