import type { DatabaseSync } from 'node:sqlite';
import type { Delivery, ReceiptOutcome, Settlement } from '../../core/delivery.ts';
import { prepareKeep } from './inbox.ts';
import { prepareReceive } from './receipts.ts';
import { SEALED_COLUMNS, sealedMessage } from './sealed-message.ts';

/** Expired rows dropped with one claim: enough to keep up, few enough not to hold up a batch. */
const EXPIRED_AT_ONCE = 500;

export function queueOperations(db: DatabaseSync) {
  const { receive, matchEarly } = prepareReceive(db);

  const keepInInbox = prepareKeep(db);
  const dropExpired = db.prepare(`
    DELETE FROM delivery WHERE verification_id IN (
      SELECT verification_id FROM delivery WHERE due_at <= :now AND expires_at <= :now LIMIT ${EXPIRED_AT_ONCE})
    RETURNING verification_id`);
  const failQueued = db.prepare("UPDATE verification SET state = 'failed' WHERE id = ? AND state = 'queued'");
  const lease = db.prepare(`
    UPDATE delivery SET fence = fence + 1, due_at = min(:leaseUntil, expires_at - 1)
    WHERE verification_id IN (
      SELECT verification_id FROM delivery WHERE due_at <= :now AND expires_at > :now ORDER BY due_at LIMIT :limit)
    RETURNING verification_id, code_sealed, fence, rounds`);
  const find = db.prepare(`SELECT ${SEALED_COLUMNS} FROM verification WHERE id = ?`);
  const spentCarriers = db.prepare(`
    SELECT DISTINCT carrier FROM attempt
    WHERE verification_id = ? AND (outcome = 'permanent' OR receipt = 'undelivered')`);
  const renewLease = db.prepare(
    'UPDATE delivery SET due_at = min(?, expires_at - 1) WHERE verification_id = ? AND fence = ? RETURNING verification_id',
  );

  const insertAttempt = db.prepare(`
    INSERT INTO attempt (verification_id, number, carrier, started_at, ended_at, outcome, reference, recipient_tag, reason)
    VALUES (:id, (SELECT count(*) + 1 FROM attempt WHERE verification_id = :id),
      :carrier, :startedAt, :endedAt, :outcome, :reference, :recipientTag, :reason)
    RETURNING verification_id, number`);
  const awaitReceipt = db.prepare(
    'UPDATE delivery SET due_at = expires_at WHERE verification_id = ? AND fence = ?',
  );
  const postpone = db.prepare(`
    UPDATE delivery SET due_at = min(:dueAt, expires_at), rounds = rounds + 1
    WHERE verification_id = :id AND fence = :fence`);
  const drop = db.prepare('DELETE FROM delivery WHERE verification_id = ? AND fence = ?');
  const noteTaken = db.prepare(`
    UPDATE verification SET state = :state, carrier = :carrier
    WHERE id = :id AND (state IN ('queued', 'submitted', 'failed') OR :state = 'delivered')`);
  const releaseAll = db.prepare('UPDATE delivery SET due_at = 0 WHERE due_at < expires_at');
  const waiting = db.prepare('SELECT count(*) AS deliveries FROM delivery WHERE due_at < expires_at');

  function settleQueue({ id, fence, next }: Settlement, at: number): void {
    switch (next.kind) {
      case 'submitted':
        if (next.failover) awaitReceipt.run(id, fence);
        else drop.run(id, fence);
        return;
      case 'delivered':
        if (next.inbox) keepInInbox(id, fence, at);
        drop.run(id, fence);
        return;
      case 'failed':
        if (drop.run(id, fence).changes === 1) failQueued.run(id);
        return;
      case 'retry':
        postpone.run({ id, fence, dueAt: next.dueAt });
    }
  }

  return {
    claim(now: number, leaseUntil: number, limit: number): Delivery[] {
      for (const row of dropExpired.all({ now })) failQueued.run(row.verification_id ?? null);
      const leased = lease.all({ now, leaseUntil, limit }).map((row) => {
        const id = String(row.verification_id);
        const verification = find.get(id);
        if (verification === undefined) throw new Error('a delivery outlived its verification');
        return {
          ...sealedMessage(verification, row.code_sealed),
          fence: Number(row.fence),
          rounds: Number(row.rounds),
          spentCarriers: spentCarriers.all(id).map((attempt) => String(attempt.carrier)),
        };
      });
      // Ids rise with time; RETURNING promises no order.
      return leased.sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    renew(held: readonly { readonly id: string; readonly fence: number }[], leaseUntil: number): Set<string> {
      return new Set(
        held.filter(({ id, fence }) => renewLease.get(leaseUntil, id, fence)).map(({ id }) => id),
      );
    },

    settle(settlement: Settlement): ReceiptOutcome[] {
      const { id, attempts } = settlement;
      const written = attempts.map((attempt) => {
        const { carrier, startedAt, endedAt, outcome, reference, recipientTag, reason } = attempt;
        return insertAttempt.get({
          id,
          carrier,
          startedAt,
          endedAt,
          outcome,
          reference,
          recipientTag,
          reason,
        });
      });
      settleQueue(settlement, attempts.at(-1)?.endedAt ?? Date.now());
      const last = attempts.findLastIndex(({ outcome }) => outcome === 'accepted' || outcome === 'delivered');
      const [taken, row] = [attempts[last], written[last]];
      if (taken === undefined || row === undefined) return [];
      const state = taken.outcome === 'delivered' ? 'delivered' : 'submitted';
      noteTaken.run({ id, carrier: taken.carrier, state });
      return matchEarly(row, taken);
    },

    receive,

    depth: (): number => Number(waiting.get()?.deliveries),

    /** For a process that owns the store alone: whoever held a lease before is gone. */
    releaseAllLeases(): void {
      releaseAll.run();
    },
  };
}
