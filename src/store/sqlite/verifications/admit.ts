/** Whether a verification would be issued, and what asking about its number costs. PostgreSQL's twin is a function (admit.sql). */
import type { DatabaseSync } from 'node:sqlite';
import type { IssueOutcome, NewVerification } from '../../../core/verification/verification.ts';
import type { Reservations } from '../budgets/reservations.ts';
import type { TallyBook } from '../statistics/tally-book.ts';

export function createAdmit(
  db: DatabaseSync,
  issue: (verification: NewVerification) => IssueOutcome,
  { spend }: Reservations,
  book: TallyBook,
) {
  return (v: NewVerification, price: number): IssueOutcome => {
    // Issued, and undone: no check can differ from those of then. What a refusal writes stays.
    db.exec('SAVEPOINT admission');
    const outcome = issue(v);
    if (outcome.kind === 'issued') db.exec('ROLLBACK TO admission');
    db.exec('RELEASE admission');
    if (outcome.kind !== 'issued') return outcome;
    if (!v.brought) book.count(v, '', 'requested', -1);
    if (price > 0) book.count(v, '', 'cost', price);
    return v.reservation === undefined ? { kind: 'issued' } : spend(v.reservation.charges, price);
  };
}
