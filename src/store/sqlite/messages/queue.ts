/** The queue. Only one process claims from it. */
import type { DatabaseSync } from 'node:sqlite';
import { withPredecessors } from '../../../core/accounts/succession.ts';
import type { Delivery, MoreOutcome, MoreReserved } from '../../../core/sending/delivery.ts';
import { awaitedAttempt, MESSAGE_COLUMNS, PREDECESSORS, sealedMessage } from '../../shared/sealed-message.ts';
import type { Reservations } from '../budgets/reservations.ts';
import { hotStatements } from '../sql/hot-statement.ts';
import type { Failures } from './failures.ts';

/** Why a message failed that no carrier took in time. */
const EXPIRED = 'the code expired';

/** Expired rows dropped per claim: enough to keep up, and few enough not to hold up a batch. */
const EXPIRED_AT_ONCE = 500;

export function createQueue(db: DatabaseSync, failures: Failures, reservations: Reservations) {
  const prepare = hotStatements(db);

  // What changes rows costs ten times as much as this look, also where it finds none. A quiet service asks four times a second.
  const isAnyDue = prepare(`
    SELECT 1 FROM delivery WHERE due_at <= :now UNION ALL SELECT 1 FROM delivery WHERE fallback_at <= :now LIMIT 1`);
  const dropExpired = db.prepare(`
    DELETE FROM delivery WHERE verification_id IN (
      SELECT verification_id FROM delivery WHERE due_at <= :now AND expires_at <= :now LIMIT ${EXPIRED_AT_ONCE})
    RETURNING verification_id AS id`);
  // What waits for a receipt is due at its expiry. If it is leased before that, its channel has had its time.
  const hadItsTime = 'due_at = expires_at';
  // A lease ends a millisecond before its code at the latest. Whoever holds it may still be sending then, and nobody else takes it over.
  const lease = db.prepare(`
    UPDATE delivery SET fence = fence + 1, due_at = min(:leaseUntil, expires_at - 1), fallback_at = NULL,
      leg = leg + (${hadItsTime}), rounds = rounds + (${hadItsTime})
    WHERE verification_id IN (
      SELECT id FROM (
        SELECT verification_id AS id, due_at AS at FROM delivery WHERE due_at <= :now AND expires_at > :now + 1
        UNION ALL
        SELECT verification_id, fallback_at FROM delivery
        WHERE fallback_at <= :now AND ${hadItsTime} AND expires_at > :now
        ORDER BY at LIMIT :limit))
    RETURNING verification_id AS id, code_sealed, fence, rounds, leg`);
  const message = db.prepare(
    `SELECT ${MESSAGE_COLUMNS}, key_id, ${PREDECESSORS} FROM verification WHERE id = ?`,
  );
  const spentCarriers = db.prepare(`
    SELECT DISTINCT carrier || coalesce(' ' || channel, '') AS carrier FROM attempt
    WHERE verification_id = ? AND (outcome = 'permanent' OR receipt = 'undelivered')`);
  const awaited = db.prepare(`
    SELECT carrier, channel, reference FROM attempt
    WHERE verification_id = ? AND outcome = 'accepted' AND receipt IS NOT 'undelivered' ORDER BY fence, position`);
  // Not of what was settled meanwhile and waits for a receipt: it would be sent again.
  const renewLease = prepare(`
    UPDATE delivery SET due_at = min(:leaseUntil, expires_at - 1)
    WHERE verification_id = :id AND fence = :fence AND due_at < expires_at`);

  const heldUntil = db.prepare(
    'SELECT expires_at FROM delivery WHERE verification_id = :id AND fence = :fence AND due_at < expires_at',
  );

  const releaseAll = db.prepare('UPDATE delivery SET due_at = 0 WHERE due_at < expires_at');
  const waiting = db.prepare('SELECT count(*) AS deliveries FROM delivery WHERE due_at < expires_at');

  // Ids are in order of time.
  const oldest = db.prepare(`
    SELECT created_at FROM verification WHERE id = (
      SELECT verification_id FROM delivery WHERE due_at < expires_at ORDER BY verification_id LIMIT 1)`);

  return {
    claim(now: number, leaseUntil: number, limit: number): Delivery[] {
      if (isAnyDue.get({ now }) === undefined) return [];
      for (const { id } of dropExpired.all({ now })) {
        failures.note(String(id), now, EXPIRED);
        reservations.end(String(id));
      }
      const leased = lease.all({ now, leaseUntil, limit }).map((row) => {
        const verification = message.get(row.id ?? null);
        if (verification === undefined) throw new Error('a delivery outlived its verification');
        const delivery = {
          ...sealedMessage(String(row.id), { ...verification, ...row }),
          keyId: String(verification.key_id),
          ...withPredecessors(verification.predecessors),
          fence: Number(row.fence),
          rounds: Number(row.rounds),
          leg: Number(row.leg),
          awaited: Number(row.leg) > 0 ? awaited.all(row.id ?? null).map(awaitedAttempt) : [],
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

    reserveMore({ id, fence, more }: MoreReserved): MoreOutcome {
      const { expires_at: expiresAt } = heldUntil.get({ id, fence }) ?? {};
      if (expiresAt === undefined) return 'not wanted';
      return reservations.add({ id, fence, expiresAt: Number(expiresAt) }, more);
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
