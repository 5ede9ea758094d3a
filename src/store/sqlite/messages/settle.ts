/** Settles one by one, inside the batch's transaction. */
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../core/seams/clock.ts';
import type { Attempt, ReceiptOutcome, Settlement } from '../../../core/sending/delivery.ts';
import type { Stage } from '../../shared/statistics.ts';
import type { Reservations } from '../budgets/reservations.ts';
import type { EventBook } from '../events/event-book.ts';
import { hotStatements } from '../sql/hot-statement.ts';
import type { RecentCohorts } from '../statistics/recent-cohorts.ts';
import { over, type TallyBook, type TallyCohort } from '../statistics/tally-book.ts';
import type { Attempts } from './attempts.ts';
import type { Failures } from './failures.ts';
import type { Receipts } from './receipts.ts';

export function createSettle(
  db: DatabaseSync,
  attempts: Attempts,
  { matchEarly }: Receipts,
  cohorts: RecentCohorts,
  book: TallyBook,
  failures: Failures,
  reservations: Reservations,
  events: EventBook,
  clock: Pick<Clock, 'wall'>,
) {
  const prepare = hotStatements(db);
  // Only the holder of the lease changes the queue. Its end erases the sealed code.
  const isHeld = 'verification_id = :id AND fence = :fence';
  const end = prepare(`DELETE FROM delivery WHERE ${isHeld}`);
  const awaitReceipt = prepare(`
    UPDATE delivery SET due_at = expires_at, fallback_at = :fallbackAt WHERE ${isHeld}`);
  const postpone = prepare(`
    UPDATE delivery SET due_at = min(:dueAt, expires_at), rounds = rounds + 1, leg = coalesce(:leg, leg) WHERE ${isHeld}`);
  const keepInInbox = prepare(`
    INSERT INTO inbox_message (account_id, verification_id, code_sealed, received_at)
    SELECT account_id, id, code_sealed, :at FROM delivery JOIN verification ON id = verification_id WHERE ${isHeld}`);

  /** Whether the lease was held. */
  function settleQueue({ id, fence, next }: Settlement, at: number): boolean {
    switch (next.kind) {
      case 'submitted':
        if (!next.failover) return end.run({ id, fence }).changes === 1;
        return awaitReceipt.run({ id, fence, fallbackAt: next.fallbackAt ?? null }).changes === 1;
      case 'delivered':
        if (next.inbox) keepInInbox.run({ id, fence, at });
        return end.run({ id, fence }).changes === 1;
      case 'failed':
        return end.run({ id, fence }).changes === 1;
      case 'retry':
        return postpone.run({ id, fence, dueAt: next.dueAt, leg: next.leg ?? null }).changes === 1;
    }
  }

  /** Counts what is new in an attempt that was taken. A carrier that took a message twice, after a crash, counts once. */
  function countTaken(
    { carrier, outcome, endedAt, cost }: Taken,
    before: ReturnType<Attempts['others']> | undefined,
    cohort: TallyCohort,
  ) {
    if (cost > 0) book.count(cohort, carrier, 'cost', cost);
    if (cohort.brought) return;
    const stages: Stage[] = before?.taken ? [] : ['submitted'];
    if (outcome === 'delivered' && !before?.delivered) stages.push('delivered');
    book.reach(cohort, carrier, stages, endedAt);
  }

  return (settlement: Settlement): ReceiptOutcome[] => {
    const { id, fence } = settlement;
    const settledAt = settlement.attempts.at(-1)?.endedAt ?? clock.wall();
    const held = settleQueue(settlement, settledAt);
    // What this thread remembers of one that it issued does not say that it is still there: another process may have erased it.
    const cohort = held ? cohorts.take(id) : cohorts.find(id);
    reservations.settle(id, fence, settlement.charged);
    // Purged or erased meanwhile: its receipts would find attempts without a verification.
    if (cohort === undefined) return [];
    const outcomes = settlement.attempts.flatMap((attempt, position) => {
      const { carrier, channel, endedAt: at, reason } = attempt;
      const counted = over(cohort, channel);
      const name = { id, fence, position };
      if (!attempts.add(name, attempt)) return [];
      if (isTaken(attempt)) {
        // A message under its first lease has no attempts before to look up.
        const before = held && fence === 0 ? undefined : attempts.others(name, attempt);
        countTaken(attempt, before, counted);
        const { accountId } = cohort;
        const source = `attempt ${fence} ${position}`;
        events.note(`delivery.${attempt.outcome}`, { accountId, id, at, carrier, channel, reason, source });
      } else book.count(counted, carrier, 'failedAttempts');
      return attempt.reference === null || attempt.recipientTag === null
        ? []
        : matchEarly({ ...name, channel }, attempt);
    });
    if (held && settlement.next.kind === 'failed') failures.note(id, settledAt);
    return outcomes;
  };
}

type Taken = Attempt & { readonly outcome: 'accepted' | 'delivered' };

function isTaken(attempt: Attempt): attempt is Taken {
  return attempt.outcome === 'accepted' || attempt.outcome === 'delivered';
}
