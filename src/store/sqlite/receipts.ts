import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { ReceiptOutcome, ReceiptRecord } from '../../core/delivery.ts';
import type { Channel } from '../../core/destination.ts';
import { DAY_MS, daysOf } from './day.ts';

/** Receipts later than this find no attempt any more; carriers give up on a telephone within three days. */
const RECEIPT_WINDOW_MS = 3 * DAY_MS;

export function prepareReceive(db: DatabaseSync) {
  // A recipient that both sides name must be the same: hexadecimal and decimal spellings of different ids collide.
  const findAttempt = db.prepare(`
    SELECT verification_id, number FROM attempt
    WHERE ended_at / ${DAY_MS} IN (${daysOf(RECEIPT_WINDOW_MS)}) AND carrier = :carrier AND reference = :reference
      AND (recipient_tag IS NULL OR :tags = '[]' OR recipient_tag IN (SELECT value FROM json_each(:tags)))
    ORDER BY ended_at DESC LIMIT 1`);
  const noteReceipt = db.prepare(`
    UPDATE attempt SET receipt = :status, receipt_reason = :reason, receipt_at = :at
    WHERE verification_id = :id AND number = :number AND receipt IS NULL`);
  const keepEarly = db.prepare(`
    INSERT INTO early_receipt (carrier, reference, recipient_tags, status, reason, received_at) VALUES (?, ?, ?, ?, ?, ?)`);
  const takeEarly = db.prepare('DELETE FROM early_receipt WHERE carrier = ? AND reference = ? RETURNING *');
  const requeue = db.prepare(`
    UPDATE delivery SET due_at = :at WHERE verification_id = :id AND due_at = expires_at AND expires_at > :at`);
  const drop = db.prepare('DELETE FROM delivery WHERE verification_id = ?');
  const noteDelivered = db.prepare(
    "UPDATE verification SET state = 'delivered', carrier = ?2 WHERE id = ?1 RETURNING channel, country, created_at",
  );
  const noteUndelivered = db.prepare(`
    UPDATE verification SET state = CASE WHEN state = 'delivered' THEN state ELSE ?2 END
    WHERE id = ?1 RETURNING channel, country, created_at`);

  function apply(attempt: Record<string, SQLOutputValue>, receipt: ReceiptRecord): ReceiptOutcome {
    const id = String(attempt.verification_id);
    const { status, reason, at, carrier } = receipt;
    const noted = noteReceipt.run({ id, number: attempt.number ?? null, status, reason, at });
    if (noted.changes === 0) return { kind: 'duplicate' };
    let requeued = false;
    if (status === 'delivered') drop.run(id);
    else requeued = requeue.run({ id, at }).changes === 1;
    const verification =
      status === 'delivered'
        ? noteDelivered.get(id, carrier)
        : noteUndelivered.get(id, requeued ? 'queued' : 'undelivered');
    return {
      kind: 'applied',
      status,
      carrier,
      requeued,
      channel: verification?.channel as Channel,
      country: String(verification?.country),
      latencyMs: at - Number(verification?.created_at),
    };
  }

  function find({ carrier, recipientTags, at }: ReceiptRecord, reference: string) {
    return findAttempt.get({ carrier, reference, tags: JSON.stringify(recipientTags), now: at });
  }

  return {
    receive(receipt: ReceiptRecord): ReceiptOutcome {
      for (const reference of receipt.references) {
        const attempt = find(receipt, reference);
        if (attempt !== undefined) return apply(attempt, receipt);
      }
      const { carrier, recipientTags, status, reason, at } = receipt;
      for (const reference of receipt.references) {
        keepEarly.run(carrier, reference, JSON.stringify(recipientTags), status, reason, at);
      }
      return { kind: 'early' };
    },

    /** Applies the receipts that overtook this reference's own arrival. */
    matchEarly(carrier: string, reference: string): ReceiptOutcome[] {
      return takeEarly.all(carrier, reference).flatMap((row) => {
        const receipt: ReceiptRecord = {
          carrier,
          references: [reference],
          recipientTags: JSON.parse(String(row.recipient_tags)),
          status: row.status as ReceiptRecord['status'],
          reason: row.reason as string | null,
          at: Number(row.received_at),
        };
        const attempt = find(receipt, reference);
        return attempt === undefined ? [] : [apply(attempt, receipt)];
      });
    },
  };
}
