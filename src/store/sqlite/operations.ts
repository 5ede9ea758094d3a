import type { DatabaseSync } from 'node:sqlite';
import type { StoreRules } from '../port.ts';
import { createAttempts } from './attempts.ts';
import { createCarrierStateNotes } from './carrier-states.ts';
import { createConfirm } from './confirm.ts';
import { createHeal } from './heal.ts';
import { createIdempotency } from './idempotency.ts';
import { createInbox } from './inbox.ts';
import { createIssue } from './issue.ts';
import { createOtherHashes } from './other-hashes.ts';
import {
  type PackedSettlement,
  type PackedVerification,
  unpackSettlement,
  unpackVerification,
} from './packed.ts';
import { createPurge } from './purge.ts';
import { createQueue } from './queue.ts';
import { createQuotas } from './quota.ts';
import { createReceipts } from './receipts.ts';
import { RecentCohorts } from './recent-cohorts.ts';
import { createRecords } from './records.ts';
import { createSettle } from './settle.ts';
import type { TallyBook } from './tally-book.ts';

/** Every operation of the worker, by name. Each runs inside a transaction. */
export function createOperations(db: DatabaseSync, { limits, retention }: StoreRules, book: TallyBook) {
  const cohorts = new RecentCohorts(db);
  const guessWindows = limits.failedGuessesPerDestination.map(({ windowMs }) => windowMs);
  const issue = createIssue(db, limits, book, cohorts);
  const attempts = createAttempts(db);
  const receipts = createReceipts(db, attempts, book);
  const settle = createSettle(db, attempts, receipts, cohorts, book);
  const probe = db.prepare('INSERT INTO account (id, name, created_at) VALUES (?, ?, 0)');
  const removeProbe = db.prepare('DELETE FROM account WHERE id = ?');
  return {
    issue: (packed: PackedVerification) => issue(unpackVerification(packed)),
    findReplay: createIdempotency(db).find,
    confirm: createConfirm(db, limits, book),
    ...createQueue(db, book),
    settle: (packed: PackedSettlement) => settle(unpackSettlement(packed)),
    receive: receipts.receive,
    ...createInbox(db, retention.simulatorMessages),
    ...createQuotas(db),
    ...createCarrierStateNotes(db),
    ...createRecords(db),
    holdsOtherHashes: createOtherHashes(db),
    heal: createHeal(db),
    purge: createPurge(db, retention, Math.max(0, ...guessWindows), book),
    /** Proves that a write can commit, and leaves nothing behind. */
    check(): void {
      probe.run('probe', '\0probe');
      removeProbe.run('probe');
    },
  };
}

export type Operations = ReturnType<typeof createOperations>;
