/** The queue, which is columns of the verification. Only one process claims from it. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Delivery, MoreReserved } from '../../../core/sending/delivery.ts';
import { SEALED_COLUMNS, sealedMessage } from '../../shared/sealed-message.ts';
import type { Reservations } from '../budgets/reservations.ts';
import type { EventBook } from '../events/event-book.ts';
import { hotStatements } from '../sql/hot-statement.ts';
import { COHORT_COLUMNS, cohortOf, type TallyBook } from '../statistics/tally-book.ts';

/** Why a message failed that no carrier took in time. */
const EXPIRED = 'the code expired';

/** Expired rows dropped per claim: enough to keep up, and few enough not to hold up a batch. */
const EXPIRED_AT_ONCE = 500;

// The end of a delivery does not change its fence, so each guard also checks due_at.
export const IS_HELD = 'fence = :fence AND due_at IS NOT NULL';
export const FAIL =
  "due_at = NULL, code_sealed = NULL, state = CASE state WHEN 'queued' THEN 'failed' ELSE state END";

export function createQueue(
  db: DatabaseSync,
  book: TallyBook,
  reservations: Reservations,
  events: EventBook,
) {
  const prepare = hotStatements(db);

  // What changes rows costs ten times as much as this look, also where it finds none. A quiet service asks four times a second.
  const isAnyDue = prepare(`
    SELECT 1 FROM verification WHERE due_at <= :now
    UNION ALL SELECT 1 FROM verification WHERE fallback_at <= :now AND due_at IS NOT NULL LIMIT 1`);
  const dropExpired = db.prepare(`
    UPDATE verification SET ${FAIL} WHERE rowid IN (
      SELECT rowid FROM verification WHERE due_at <= :now AND expires_at <= :now LIMIT ${EXPIRED_AT_ONCE})
    RETURNING id, state, ${COHORT_COLUMNS}`);
  // What waits for a receipt is due at its expiry. If it is leased before that, its channel has had its time.
  const hadItsTime = 'due_at = expires_at';
  // A lease ends a millisecond before its code at the latest. Whoever holds it may still be sending then, and nobody else takes it over.
  const lease = db.prepare(`
    UPDATE verification SET fence = fence + 1, due_at = min(:leaseUntil, expires_at - 1), fallback_at = NULL,
      leg = leg + (${hadItsTime}), rounds = rounds + (${hadItsTime})
    WHERE rowid IN (
      SELECT id FROM (
        SELECT rowid AS id, due_at AS at FROM verification WHERE due_at <= :now AND expires_at > :now + 1
        UNION ALL
        SELECT rowid, fallback_at FROM verification
        WHERE fallback_at <= :now AND ${hadItsTime} AND due_at IS NOT NULL AND expires_at > :now
        ORDER BY at LIMIT :limit))
    RETURNING ${SEALED_COLUMNS}, key_id, fence, rounds, leg`);
  const spentCarriers = db.prepare(`
    SELECT DISTINCT carrier || coalesce(' ' || channel, '') AS carrier FROM attempt
    WHERE verification_id = ? AND (outcome = 'permanent' OR receipt = 'undelivered')`);
  // Not of what was settled meanwhile and waits for a receipt: it would be sent again.
  const renewLease = prepare(`
    UPDATE verification SET due_at = min(:leaseUntil, expires_at - 1)
    WHERE id = :id AND ${IS_HELD} AND due_at < expires_at`);

  const heldUntil = db.prepare(
    `SELECT expires_at FROM verification WHERE due_at < expires_at AND id = :id AND ${IS_HELD}`,
  );

  const releaseAll = db.prepare('UPDATE verification SET due_at = 0 WHERE due_at < expires_at');
  const waiting = db.prepare('SELECT count(*) AS deliveries FROM verification WHERE due_at < expires_at');

  // The index has only what waits, and rowids are in order of time. By itself SQLite would look for the lowest rowid from the first row
  // of all on.
  const oldest = db.prepare(`
    SELECT created_at FROM verification WHERE rowid = (
      SELECT min(rowid) FROM verification INDEXED BY verification_due WHERE due_at < expires_at)`);

  return {
    claim(now: number, leaseUntil: number, limit: number): Delivery[] {
      if (isAnyDue.get({ now }) === undefined) return [];
      for (const row of dropExpired.all({ now })) {
        const id = String(row.id);
        if (isFailed(row)) {
          const cohort = cohortOf(row);
          book.count(cohort, '', 'failed');
          events.note('delivery.failed', { accountId: cohort.accountId, id, at: now, reason: EXPIRED });
        }
        reservations.end(id);
      }
      const leased = lease.all({ now, leaseUntil, limit }).map((row) => {
        const delivery = {
          ...sealedMessage(String(row.id), row),
          keyId: String(row.key_id),
          fence: Number(row.fence),
          rounds: Number(row.rounds),
          leg: Number(row.leg),
          spentCarriers: spentCarriers.all(row.id ?? null).map(({ carrier }) => String(carrier)),
        };
        return { ...delivery, reservation: reservations.renew(delivery) };
      });
      // Oldest first: ids rise with time, and RETURNING has no order.
      return leased.sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    /** The ids that are still held. */
    renew(held: readonly { readonly id: string; readonly fence: number }[], leaseUntil: number): string[] {
      return held
        .filter(({ id, fence }) => renewLease.run({ id, fence, leaseUntil }).changes === 1)
        .map(({ id }) => id);
    },

    reserveMore({ id, fence, more }: MoreReserved): 'reserved' | 'no-room' | 'not wanted' {
      const { expires_at: expiresAt } = heldUntil.get({ id, fence }) ?? {};
      if (expiresAt === undefined) return 'not wanted';
      return reservations.add({ id, fence, expiresAt: Number(expiresAt) }, more) ? 'reserved' : 'no-room';
    },

    depth: (): number => Number(waiting.get()?.deliveries),

    oldestWaiting(): number | undefined {
      const row = oldest.get();
      return row && Number(row.created_at);
    },

    /** For the only owner of the store: earlier holders of leases are gone. */
    releaseAllLeases(): void {
      releaseAll.run();
    },
  };
}

type Row = Record<string, SQLOutputValue>;

/** A failed delivery has left the queue, so it counts once. */
export const isFailed = (row: Row | undefined): row is Row => row?.state === 'failed';
