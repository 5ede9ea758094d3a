/** Everything a store offers. Its consumers declare the parts; a new store implements them and passes the contract tests. */

import type { SenderFinder } from '../core/blocking/sender.ts';
import type { BudgetStore } from '../core/budgets/budget.ts';
import type { TallyStore } from '../core/counting/tally.ts';
import type { EventQueue } from '../core/events/queue.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { CarrierStateStore } from '../core/sending/carrier-state.ts';
import type { DeliveryQueue, EarlyReceipts, QueueAge, RateBudget } from '../core/sending/delivery.ts';
import type { QuotaStore } from '../core/sending/quota.ts';
import type { DatabaseWatch } from '../core/sql/database.ts';
import type { RecordOperations, Records } from '../core/sql/records.ts';
import type { NumberStore } from '../core/verification/by-number/number-store.ts';
import type { Limits } from '../core/verification/limits.ts';
import type { Archive } from '../core/verification/reading/archive.ts';
import type { History } from '../core/verification/reading/history.ts';
import type { Inbox } from '../core/verification/reading/inbox.ts';
import type { RequestCount } from '../core/verification/reading/inquiry.ts';
import type { VerificationStore } from '../core/verification/verification.ts';

/** The part of the configuration that every store needs. */
export interface StoreRules {
  readonly limits: Limits;
  readonly retention: Retention;
}

/** How long rows are kept, in ms. */
export interface Retention {
  readonly verifications: number;
  readonly simulatorMessages: number;
  /** Of messages of webhooks. */
  readonly events: number;
  /** Of what is kept of people's devices. */
  readonly signals: number;
  readonly statistics: number;
}

/** The operations of a store. Each can be called without its object. */
export interface StoreOperations
  extends VerificationStore,
    NumberStore,
    DeliveryQueue,
    QueueAge,
    EarlyReceipts,
    Inbox,
    Archive,
    History,
    RequestCount,
    TallyStore,
    QuotaStore,
    BudgetStore,
    CarrierStateStore,
    SenderFinder,
    EventQueue,
    RecordOperations {
  /**
   * Moves times that are later than `now` back to it, after a clock that was ahead has been corrected: sends, guesses and
   * requests count as made now, codes and sessions expire on time, and nothing and nobody waits for the wrong time. `lease` is the
   * longest lease, in ms. Answers how many rows it changed.
   */
  clampFutureTimes(now: number, lease: number): Promise<number>;
  /** Writes and reads a probe; rejects with a StoreFailure when the store cannot commit. */
  check(): Promise<void>;
  /** The time of the newest verification or entry of the audit log that is not later than `at`; null if there is none. */
  newestBefore(at: number): Promise<number | null>;
  /**
   * Deletes what is past its retention and merges old statistics, in one small batch; true while there is more. `aged` is the time by
   * which rows are old, `now` if nothing else is said.
   */
  purge(now: number, aged?: number): Promise<boolean>;
}

export interface Store extends StoreOperations, Records {
  /** Whether several nodes may work on it at once. */
  readonly isShared: boolean;
  /** The clock of everyone who shares this store. */
  readonly clock: Clock;
  /** How many ms this machine's clock is ahead of the store's; 0 if the store uses this machine's. */
  readonly clockOffset: number;
  /** The rates of carriers, where the nodes that share this store share them. */
  readonly budget: RateBudget | undefined;
  /** About the servers of a database; undefined for the embedded store. */
  readonly database: DatabaseWatch | undefined;
  /** Operations accepted and not yet answered, for overload protection. */
  readonly pending: number;
  /** Waits for the operations under way, then closes. */
  close(): Promise<void>;
}
