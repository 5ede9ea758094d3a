import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Attempt, Delivery, ReceiptOutcome, Settlement } from '../../core/delivery.ts';
import type { Stage } from '../statistics.ts';
import { prepareAttempts } from './attempts.ts';
import { hotStatements } from './hot-statement.ts';
import { prepareReceive } from './receipts.ts';
import type { RecentCohorts } from './recent-cohorts.ts';
import { SEALED_COLUMNS, sealedMessage } from './sealed-message.ts';
import { COHORT_COLUMNS, cohortOf, type TallyBook, type TallyCohort } from './tally-book.ts';

/** Expired rows dropped with one claim: enough to keep up, few enough not to hold up a batch. */
const EXPIRED_AT_ONCE = 500;

// The end of a delivery leaves its fence as it is, so due_at is the other half of each guard.
const IS_HELD = 'fence = :fence AND due_at IS NOT NULL';
const FAIL =
  "due_at = NULL, code_sealed = NULL, state = CASE state WHEN 'queued' THEN 'failed' ELSE state END";

export function queueOperations(db: DatabaseSync, book: TallyBook, cohorts: RecentCohorts) {
  const attempts = prepareAttempts(db);
  const { receive, matchEarly } = prepareReceive(db, attempts, book);
  const prepare = hotStatements(db);

  const dropExpired = db.prepare(`
    UPDATE verification SET ${FAIL} WHERE rowid IN (
      SELECT rowid FROM verification WHERE due_at <= :now AND expires_at <= :now LIMIT ${EXPIRED_AT_ONCE})
    RETURNING state, ${COHORT_COLUMNS}`);
  const lease = db.prepare(`
    UPDATE verification SET fence = fence + 1, due_at = min(:leaseUntil, expires_at - 1) WHERE rowid IN (
      SELECT rowid FROM verification WHERE due_at <= :now AND expires_at > :now ORDER BY due_at LIMIT :limit)
    RETURNING ${SEALED_COLUMNS}, fence, rounds`);
  const spentCarriers = db.prepare(`
    SELECT DISTINCT carrier FROM attempt
    WHERE verification_id = ? AND (outcome = 'permanent' OR receipt = 'undelivered')`);
  const renewLease = prepare(`
    UPDATE verification SET due_at = min(:leaseUntil, expires_at - 1) WHERE id = :id AND ${IS_HELD}`);

  const fail = prepare(`
    UPDATE verification SET ${FAIL} WHERE id = :id AND ${IS_HELD} RETURNING state, ${COHORT_COLUMNS}`);
  const postpone = prepare(`
    UPDATE verification SET due_at = min(:dueAt, expires_at), rounds = rounds + 1 WHERE id = :id AND ${IS_HELD}`);
  // That a carrier took the message is noted, whoever holds the lease by now; the queue obeys its holder alone.
  const take = (state: 'submitted' | 'delivered', outranked: string, held: Record<string, string>) => {
    const queue = Object.entries(held).map(
      ([column, value]) => `${column} = CASE WHEN ${IS_HELD} THEN ${value} ELSE ${column} END`,
    );
    return prepare(`
      UPDATE verification SET ${queue.join(', ')},
        carrier = CASE WHEN ${outranked} THEN :carrier ELSE carrier END,
        state = CASE WHEN ${outranked} THEN '${state}' ELSE state END
      WHERE id = :id`);
  };
  const beforeReceipt = "state IN ('queued', 'submitted', 'failed')";
  const awaitReceipt = take('submitted', beforeReceipt, { due_at: 'expires_at' });
  const submitted = take('submitted', beforeReceipt, { due_at: 'NULL', code_sealed: 'NULL' });
  const delivered = take('delivered', 'true', { due_at: 'NULL', code_sealed: 'NULL' });
  const deliveredIntoInbox = take('delivered', 'true', { due_at: 'NULL', inbox_at: ':at' });
  const releaseAll = db.prepare('UPDATE verification SET due_at = 0 WHERE due_at < expires_at');
  const waiting = db.prepare('SELECT count(*) AS deliveries FROM verification WHERE due_at < expires_at');

  function settleQueue({ id, fence, attempts, next }: Settlement): void {
    const { carrier = null, endedAt = null } = attempts.at(-1) ?? {};
    switch (next.kind) {
      case 'submitted':
        if (next.failover) awaitReceipt.run({ id, fence, carrier });
        else submitted.run({ id, fence, carrier });
        return;
      case 'delivered':
        if (next.inbox) deliveredIntoInbox.run({ id, fence, carrier, at: endedAt });
        else delivered.run({ id, fence, carrier });
        return;
      case 'failed':
        countFailed(fail.get({ id, fence }));
        return;
      case 'retry':
        postpone.run({ id, fence, dueAt: next.dueAt });
    }
  }

  /** What has failed has left the queue, so none is counted twice. */
  function countFailed(row: Record<string, SQLOutputValue> | undefined): void {
    if (row?.state === 'failed') book.count(cohortOf(row), '', 'failed');
  }

  /** Counts what is new in an attempt that was taken: a carrier that took a message twice, after a crash, counts once. */
  function countTaken(
    id: string,
    number: number,
    { carrier, outcome, endedAt, cost }: Attempt,
    cohort: TallyCohort,
  ) {
    // The first of all has none before it, which spares most settlements a look.
    const before = number === 1 ? undefined : attempts.others(id, number, carrier);
    if (cost > 0) book.count(cohort, carrier, 'cost', cost);
    const stages: Stage[] = before?.taken ? [] : ['submitted'];
    if (outcome === 'delivered' && !before?.delivered) stages.push('delivered');
    book.reach(cohort, carrier, stages, endedAt);
  }

  return {
    claim(now: number, leaseUntil: number, limit: number): Delivery[] {
      for (const row of dropExpired.all({ now })) countFailed(row);
      const leased = lease.all({ now, leaseUntil, limit }).map((row) => ({
        ...sealedMessage(row),
        fence: Number(row.fence),
        rounds: Number(row.rounds),
        spentCarriers: spentCarriers.all(row.id ?? null).map(({ carrier }) => String(carrier)),
      }));
      // Ids rise with time; RETURNING promises no order.
      return leased.sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    /** The ids of those that are still held. */
    renew(held: readonly { readonly id: string; readonly fence: number }[], leaseUntil: number): string[] {
      return held
        .filter(({ id, fence }) => renewLease.run({ id, fence, leaseUntil }).changes === 1)
        .map(({ id }) => id);
    },

    settle(settlement: Settlement): ReceiptOutcome[] {
      const { id } = settlement;
      settleQueue(settlement);
      const cohort = cohorts.take(id);
      // Purged meanwhile: attempts of nothing would be found by their receipts.
      if (cohort === undefined) return [];
      return settlement.attempts.flatMap((attempt) => {
        const number = attempts.add(id, attempt);
        if (isTaken(attempt)) countTaken(id, number, attempt, cohort);
        else book.count(cohort, attempt.carrier, 'failedAttempts');
        return attempt.reference === null ? [] : matchEarly({ id, number }, attempt);
      });
    },

    receive,

    depth: (): number => Number(waiting.get()?.deliveries),

    /** For a process that owns the store alone: whoever held a lease before is gone. */
    releaseAllLeases(): void {
      releaseAll.run();
    },
  };
}

function isTaken({ outcome }: Attempt): boolean {
  return outcome === 'accepted' || outcome === 'delivered';
}
