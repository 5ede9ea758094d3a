import type { DatabaseSync } from 'node:sqlite';
import type { Limits } from '../../core/limits.ts';
import { carrierStateOperations } from './carrier-states.ts';
import { prepareConfirm } from './confirm.ts';
import { prepareHeal } from './heal.ts';
import { idempotencyRecords } from './idempotency.ts';
import { inboxOperations } from './inbox.ts';
import { prepareIssue } from './issue.ts';
import { prepareOtherHashes } from './other-hashes.ts';
import {
  type PackedSettlement,
  type PackedVerification,
  unpackSettlement,
  unpackVerification,
} from './packed.ts';
import { preparePurge, type Retention } from './purge.ts';
import { queueOperations } from './queue.ts';
import { quotaOperations } from './quota.ts';
import { RecentCohorts } from './recent-cohorts.ts';
import { recordsOperations } from './records.ts';
import type { TallyBook } from './tally-book.ts';

export interface StoreRules {
  readonly limits: Limits;
  readonly retention: Retention;
}

/** Every operation that the worker runs, by name. Each is called inside a transaction. */
export function prepareOperations(db: DatabaseSync, { limits, retention }: StoreRules, book: TallyBook) {
  const cohorts = new RecentCohorts(db);
  const guessWindows = limits.failedGuessesPerDestination.map(({ windowMs }) => windowMs);
  const issue = prepareIssue(db, limits, book, cohorts);
  const queue = queueOperations(db, book, cohorts);
  const probe = db.prepare('INSERT INTO account (id, name, created_at) VALUES (?, ?, 0)');
  const removeProbe = db.prepare('DELETE FROM account WHERE id = ?');
  return {
    issue: (packed: PackedVerification) => issue(unpackVerification(packed)),
    findReplay: idempotencyRecords(db).find,
    confirm: prepareConfirm(db, limits, book),
    ...queue,
    settle: (packed: PackedSettlement) => queue.settle(unpackSettlement(packed)),
    ...inboxOperations(db, retention.simulatorMessages),
    ...quotaOperations(db),
    ...carrierStateOperations(db),
    ...recordsOperations(db),
    holdsOtherHashes: prepareOtherHashes(db),
    heal: prepareHeal(db),
    purge: preparePurge(db, retention, Math.max(0, ...guessWindows), book),
    /** Proves that a write commits, and leaves nothing. */
    check(): void {
      probe.run('probe', '\0probe');
      removeProbe.run('probe');
    },
  };
}

export type Operations = ReturnType<typeof prepareOperations>;
