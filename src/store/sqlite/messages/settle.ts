/** Settles one by one, inside the batch's transaction. */
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../core/seams/clock.ts';
import type { Attempt, ReceiptOutcome, Settlement } from '../../../core/sending/delivery.ts';
import type { Stage } from '../../shared/statistics.ts';
import type { Reservations } from '../budgets/reservations.ts';
import type { EventBook } from '../events/event-book.ts';
import { hotStatements } from '../sql/hot-statement.ts';
import type { RecentCohorts } from '../statistics/recent-cohorts.ts';
import {
  COHORT_COLUMNS,
  cohortOf,
  over,
  type TallyBook,
  type TallyCohort,
} from '../statistics/tally-book.ts';
import type { Attempts } from './attempts.ts';
import { FAIL, IS_HELD, isFailed } from './queue.ts';
import type { Receipts } from './receipts.ts';

export function createSettle(
  db: DatabaseSync,
  attempts: Attempts,
  { matchEarly }: Receipts,
  cohorts: RecentCohorts,
  book: TallyBook,
  reservations: Reservations,
  events: EventBook,
  clock: Pick<Clock, 'wall'>,
) {
  const prepare = hotStatements(db);
  const fail = prepare(`
    UPDATE verification SET ${FAIL} WHERE id = :id AND ${IS_HELD} RETURNING state, ${COHORT_COLUMNS}`);
  const postpone = prepare(`
    UPDATE verification SET due_at = min(:dueAt, expires_at), rounds = rounds + 1, leg = coalesce(:leg, leg)
    WHERE id = :id AND ${IS_HELD}`);
  // Always notes that a carrier took the message; only the holder of the lease changes the queue.
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
  // Also what was given up, or one carrier reported undelivered. Who lost the lease settles late, and is not named beside a holder that
  // settled. While a message is leased or waits for a round, which is before it expires, nobody has it: of two that settle late the later
  // one is taken for the newer. It may be the older one only where a holder had settled before the message went on by another channel.
  const outranked = `state NOT IN ('submitted', 'delivered') OR state = 'submitted' AND (${IS_HELD} OR due_at < expires_at)`;
  const awaitReceipt = take('submitted', outranked, { due_at: 'expires_at', fallback_at: ':fallbackAt' });
  const submitted = take('submitted', outranked, { due_at: 'NULL', code_sealed: 'NULL' });
  const delivered = take('delivered', 'true', { due_at: 'NULL', code_sealed: 'NULL' });
  const deliveredIntoInbox = take('delivered', 'true', { due_at: 'NULL', inbox_at: ':at' });

  /** Whether it changed the row: false of one that is gone, and may be false of one whose lease was lost. */
  function settleQueue({ id, fence, attempts, next }: Settlement): boolean {
    const { carrier = null, channel = null, endedAt = null, reason = null } = attempts.at(-1) ?? {};
    switch (next.kind) {
      case 'submitted':
        if (!next.failover) return submitted.run({ id, fence, carrier }).changes === 1;
        return awaitReceipt.run({ id, fence, carrier, fallbackAt: next.fallbackAt ?? null }).changes === 1;
      case 'delivered':
        if (next.inbox) return deliveredIntoInbox.run({ id, fence, carrier, at: endedAt }).changes === 1;
        return delivered.run({ id, fence, carrier }).changes === 1;
      case 'failed': {
        const failed = fail.get({ id, fence });
        if (isFailed(failed)) {
          const cohort = cohortOf(failed);
          book.count(cohort, '', 'failed');
          const at = endedAt ?? clock.wall();
          events.note('delivery.failed', { accountId: cohort.accountId, id, at, carrier, channel, reason });
        }
        return failed !== undefined;
      }
      case 'retry':
        return postpone.run({ id, fence, dueAt: next.dueAt, leg: next.leg ?? null }).changes === 1;
    }
  }

  /** Counts what is new in an attempt that was taken. A carrier that took a message twice, after a crash, counts once. */
  function countTaken(
    id: string,
    number: number,
    { carrier, channel, outcome, endedAt, cost }: Attempt,
    cohort: TallyCohort,
  ) {
    // Most attempts are the first, with none before them to look up.
    const before = number === 1 ? undefined : attempts.others(id, number, carrier, channel);
    if (cost > 0) book.count(cohort, carrier, 'cost', cost);
    if (cohort.brought) return;
    const stages: Stage[] = before?.taken ? [] : ['submitted'];
    if (outcome === 'delivered' && !before?.delivered) stages.push('delivered');
    book.reach(cohort, carrier, stages, endedAt);
  }

  return (settlement: Settlement): ReceiptOutcome[] => {
    const { id } = settlement;
    // What this thread remembers of one that it issued does not say that it is still there: another process may have erased it.
    const cohort = settleQueue(settlement) ? cohorts.take(id) : cohorts.find(id);
    reservations.settle(id, settlement.fence, settlement.charged);
    // Purged or erased meanwhile: its receipts would find attempts without a verification.
    if (cohort === undefined) return [];
    return settlement.attempts.flatMap((attempt) => {
      const { carrier, channel, endedAt: at, reason } = attempt;
      const counted = over(cohort, channel);
      const number = attempts.add(id, attempt);
      if (isTaken(attempt)) {
        countTaken(id, number, attempt, counted);
        const { accountId } = cohort;
        events.note(`delivery.${attempt.outcome}`, {
          ...{ accountId, id, at, carrier, channel, reason, source: `attempt ${number}` },
        });
      } else book.count(counted, carrier, 'failedAttempts');
      return attempt.reference === null || attempt.recipientTag === null
        ? []
        : matchEarly({ id, number, channel, startedAt: attempt.startedAt }, attempt);
    });
  };
}

function isTaken(attempt: Attempt): attempt is Attempt & { readonly outcome: 'accepted' | 'delivered' } {
  return attempt.outcome === 'accepted' || attempt.outcome === 'delivered';
}
