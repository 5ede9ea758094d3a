/**
 * Messages that were given up: told of, except those that a carrier took and has not reported undelivered. Counted as failed are
 * those that none took: the others were counted as undelivered.
 */
import type { DatabaseSync } from 'node:sqlite';
import { HOPES, WAS_TAKEN } from '../../shared/archive-page.ts';
import type { EventBook } from '../events/event-book.ts';
import { COHORT_COLUMNS, cohortOf, type TallyBook } from '../statistics/tally-book.ts';

export type Failures = ReturnType<typeof createFailures>;

export function createFailures(db: DatabaseSync, book: TallyBook, events: EventBook) {
  const hopeless = db.prepare(
    `SELECT ${COHORT_COLUMNS}, ${WAS_TAKEN} AS taken FROM verification WHERE id = ? AND NOT EXISTS (${HOPES})`,
  );
  const last = db.prepare(`
    SELECT carrier, channel, reason FROM attempt WHERE verification_id = ? ORDER BY fence DESC, position DESC LIMIT 1`);

  return {
    /** Once for each message, as it leaves the queue. Without a reason it is for that of the last attempt, which is named. */
    note(id: string, at: number, because?: string): void {
      const row = hopeless.get(id);
      if (row === undefined) return;
      const cohort = cohortOf(row);
      if (!row.taken) book.count(cohort, '', 'failed');
      const attempt = because === undefined ? last.get(id) : undefined;
      const { carrier = null, channel = null, reason = null } = attempt ?? {};
      events.note('delivery.failed', {
        ...{ accountId: cohort.accountId, id, at },
        carrier: carrier as string | null,
        channel: channel as string | null,
        reason: because ?? (reason as string | null),
      });
    },
  };
}
