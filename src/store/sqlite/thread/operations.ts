import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../core/seams/clock.ts';
import type { Random } from '../../../core/seams/random.ts';
import type { StoreRules } from '../../port.ts';
import { longestWindow } from '../../shared/longest-window.ts';
import { createBudgetUse } from '../budgets/budget-use.ts';
import { createReservations } from '../budgets/reservations.ts';
import { createEventQueue } from '../events/due.ts';
import { EventBook } from '../events/event-book.ts';
import { createAttempts } from '../messages/attempts.ts';
import { createCarrierStateNotes } from '../messages/carrier-states.ts';
import { createFailures } from '../messages/failures.ts';
import { createInbox } from '../messages/inbox.ts';
import { createQueue } from '../messages/queue.ts';
import { createQuotas } from '../messages/quota.ts';
import { createReceipts } from '../messages/receipts.ts';
import { createSettle } from '../messages/settle.ts';
import { createRecords } from '../records.ts';
import { RecentCohorts } from '../statistics/recent-cohorts.ts';
import type { TallyBook } from '../statistics/tally-book.ts';
import { createClampFutureTimes } from '../upkeep/clamp-future-times.ts';
import { createNewestBefore } from '../upkeep/newest-before.ts';
import { createPurge } from '../upkeep/purge.ts';
import { createAdmit } from '../verifications/admit.ts';
import { createByNumber } from '../verifications/by-number.ts';
import { createConfirm } from '../verifications/confirm.ts';
import { createEndCodes } from '../verifications/end-codes.ts';
import { createErase } from '../verifications/erase.ts';
import { createIdempotency } from '../verifications/idempotency.ts';
import { createIssue } from '../verifications/issue.ts';
import { createRequestRings } from '../verifications/request-rings.ts';
import {
  type PackedSettlement,
  type PackedVerification,
  unpackSettlement,
  unpackVerification,
} from './packed.ts';

/** What the machine gives, where an operation needs it. */
export interface Machine {
  readonly clock: Pick<Clock, 'wall'>;
  readonly random: Pick<Random, 'uuid'>;
}

/** Every operation of the worker, by name. Each runs inside a transaction. */
export function createOperations(
  db: DatabaseSync,
  { limits, retention }: StoreRules,
  book: TallyBook,
  { clock, random }: Machine,
) {
  const cohorts = new RecentCohorts(db);
  const rings = createRequestRings(db, limits.requestsPerKey);
  const reservations = createReservations(db);
  const events = new EventBook(db);
  const attempts = createAttempts(db);
  const receipts = createReceipts(db, attempts, book, reservations, events, random);
  const failures = createFailures(db, book, events);
  const settle = createSettle(db, attempts, receipts, cohorts, book, failures, reservations, events, clock);
  const endCodes = createEndCodes(db, retention.verifications, reservations);
  const issue = createIssue(
    db,
    limits,
    retention.verifications,
    rings,
    book,
    cohorts,
    reservations,
    events,
    endCodes,
  );
  const confirm = createConfirm(db, limits, retention.verifications, book, reservations, events, endCodes);
  const admit = createAdmit(db, issue, reservations, book);
  const probe = db.prepare('INSERT INTO account (id, name, created_at) VALUES (?, ?, 0)');
  const removeProbe = db.prepare('DELETE FROM account WHERE id = ?');
  return {
    issue: (packed: PackedVerification) => issue(unpackVerification(packed)),
    admit: (packed: PackedVerification, price: number) => admit(unpackVerification(packed), price),
    findReplay: createIdempotency(db, retention.verifications).find,
    confirm,
    ...createByNumber(db, retention.verifications, confirm, endCodes),
    takeRequest: rings.take,
    ...createQueue(db, failures, reservations),
    settle: (packed: PackedSettlement) => settle(unpackSettlement(packed)),
    receive: receipts.receive,
    ...createInbox(db, retention),
    ...createQuotas(db),
    ...createBudgetUse(db),
    ...createCarrierStateNotes(db),
    ...createRecords(db, createErase(db, longestWindow(limits.sendsPerDestination), reservations), events),
    ...createEventQueue(db, retention.verifications, events),
    /** After a rollback: what was remembered may be of what is undone. */
    forgetEndpoints: () => events.forget(),
    clampFutureTimes: createClampFutureTimes(db),
    newestBefore: createNewestBefore(db),
    purge: createPurge(db, retention, limits, book),
    /** Proves that a write can commit, and leaves nothing behind. */
    check(): void {
      probe.run('probe', '\0probe');
      removeProbe.run('probe');
    },
  };
}

export type Operations = ReturnType<typeof createOperations>;
