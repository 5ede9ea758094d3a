/** Receipts, one by one: there is only one writer, so nothing else happens between a look and a write. */
import type { DatabaseSync } from 'node:sqlite';
import type { Random } from '../../../core/seams/random.ts';
import { DAY_MS } from '../../../core/seams/spans.ts';
import type { Attempt, ReceiptOutcome, ReceiptRecord } from '../../../core/sending/delivery.ts';
import type { Reservations } from '../budgets/reservations.ts';
import type { EventBook } from '../events/event-book.ts';
import { daysOf } from '../sql/day.ts';
import { hotStatements } from '../sql/hot-statement.ts';
import {
  COHORT_COLUMNS,
  cohortOf,
  over,
  type TallyBook,
  type TallyCohort,
} from '../statistics/tally-book.ts';
import type { AttemptName, Attempts } from './attempts.ts';

/** Later receipts find no attempt; carriers give up on a telephone within three days. */
const RECEIPT_WINDOW_MS = 3 * DAY_MS;

type AttemptOnChannel = AttemptName & Pick<Attempt, 'channel'>;

const IS_NAMED = 'verification_id = :id AND fence = :fence AND position = :position';

type ReceiptFacts = Omit<ReceiptRecord, 'references' | 'recipientTags'>;

export type Receipts = ReturnType<typeof createReceipts>;

export function createReceipts(
  db: DatabaseSync,
  attempts: Attempts,
  book: TallyBook,
  reservations: Reservations,
  events: EventBook,
  random: Pick<Random, 'uuid'>,
) {
  const prepare = hotStatements(db);
  // A recipient that the receipt names must be that of the message: hexadecimal and decimal spellings of different ids collide. Without
  // one, nothing comes back of a message, and the index leaves it out.
  const findAttempt = prepare(`
    SELECT verification_id, fence, position, channel FROM attempt
    WHERE ended_at / ${DAY_MS} IN (${daysOf(RECEIPT_WINDOW_MS)}) AND carrier = :carrier AND reference = :reference
      AND recipient_tag IS NOT NULL AND (:tags = '[]' OR recipient_tag IN (SELECT value FROM json_each(:tags)))
    ORDER BY ended_at DESC LIMIT 1`);
  const noteReceipt = prepare(`
    UPDATE attempt SET receipt = :status, receipt_reason = :reason, receipt_at = :at, price = :price, currency = :currency,
      network = :network
    WHERE ${IS_NAMED} AND receipt IS NULL`);
  const costOf = prepare(`SELECT cost FROM attempt WHERE ${IS_NAMED}`);
  const setCost = prepare(`UPDATE attempt SET cost = :price WHERE ${IS_NAMED}`);
  const keepEarly = db.prepare(`
    INSERT INTO early_receipt (receipt_id, carrier, reference, recipient_tags, status, reason, received_at, price, currency,
      network)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const findEarly = prepare(`
    SELECT receipt_id, recipient_tags, status, reason, received_at, price, currency, network FROM early_receipt
    WHERE carrier = :carrier AND reference = :reference
      AND (recipient_tags = '[]' OR :recipientTag IN (SELECT value FROM json_each(recipient_tags)))
    ORDER BY rowid`);
  const dropEarly = db.prepare('DELETE FROM early_receipt WHERE receipt_id = ?');
  const findCohort = db.prepare(`SELECT ${COHORT_COLUMNS} FROM verification WHERE id = ?`);
  const endDelivery = db.prepare('DELETE FROM delivery WHERE verification_id = ?');
  // Back into the queue if another carrier is left: the code then waits there until it expires. Not if it has gone on by another
  // channel meanwhile, and waits for a receipt from there.
  const requeue = prepare(`
    UPDATE delivery SET due_at = :at
    WHERE verification_id = :id AND due_at = expires_at AND expires_at > :at AND NOT EXISTS (
      SELECT 1 FROM attempt
      WHERE verification_id = :id AND (fence, position) > (:fence, :position) AND channel IS NOT :channel
        AND outcome = 'accepted' AND receipt IS NULL)`);

  function apply({ channel, ...name }: AttemptOnChannel, receipt: ReceiptFacts): ReceiptOutcome {
    const { id, fence, position } = name;
    const { status, reason, at, carrier, price, currency, network } = receipt;
    const noted = noteReceipt.run({ ...name, status, reason, at, price, currency, network });
    if (noted.changes === 0) return { kind: 'duplicate' };
    const requeued = status === 'undelivered' && requeue.run({ ...name, channel, at }).changes === 1;
    const row = findCohort.get(id);
    if (row === undefined) throw new Error('an attempt outlived its verification');
    if (status === 'delivered') {
      endDelivery.run(id);
      reservations.end(id);
    }
    const cohort = over(cohortOf(row), channel);
    if (price !== null && currency === null) charge(name, price, cohort, carrier);
    // A carrier that took a message twice, after a crash, reports it twice; it counts once.
    if (!cohort.brought && !attempts.others(name, { carrier, channel })[status]) {
      if (status === 'delivered') book.reach(cohort, carrier, ['delivered'], at);
      else book.count(cohort, carrier, 'undelivered');
    }
    const { country, createdAt, accountId } = cohort;
    events.note(`delivery.${status}`, {
      accountId,
      id,
      at,
      carrier,
      channel,
      reason,
      source: `receipt ${fence} ${position}`,
    });
    const facts = { status, carrier, requeued, channel: cohort.channel, country };
    return { kind: 'applied', ...facts, latencyMs: at - createdAt };
  }

  /** Takes the carrier's own price in place of the one that was counted. */
  function charge(name: AttemptName, price: number, cohort: TallyCohort, carrier: string): void {
    const counted = Number(costOf.get({ ...name })?.cost);
    if (counted === price) return;
    setCost.run({ ...name, price });
    book.count(cohort, carrier, 'cost', price - counted);
  }

  return {
    receive(receipt: ReceiptRecord): ReceiptOutcome {
      const { carrier, references, recipientTags, status, reason, at, price, currency, network } = receipt;
      const tags = JSON.stringify(recipientTags);
      for (const reference of references) {
        const attempt = findAttempt.get({ carrier, reference, tags, now: at });
        if (attempt === undefined) continue;
        const channel = attempt.channel as Attempt['channel'];
        const { verification_id: id, fence, position } = attempt;
        const name = { id: String(id), fence: Number(fence), position: Number(position) };
        return apply({ ...name, channel }, receipt);
      }
      const receiptId = random.uuid();
      for (const reference of references)
        keepEarly.run(receiptId, carrier, reference, tags, status, reason, at, price, currency, network);
      return { kind: 'early' };
    },

    /** Applies receipts that came before the attempt was written. */
    matchEarly(name: AttemptOnChannel, { carrier, reference, recipientTag }: Attempt): ReceiptOutcome[] {
      return findEarly.all({ carrier, reference, recipientTag }).map((early) => {
        dropEarly.run(early.receipt_id ?? null);
        return apply(name, {
          carrier,
          status: early.status as ReceiptRecord['status'],
          reason: early.reason as string | null,
          at: Number(early.received_at),
          price: early.price as number | null,
          currency: early.currency as string | null,
          network: early.network as string | null,
        });
      });
    },
  };
}
