/** Everything a store offers. Each part is declared by its consumer; a new store implements this and passes the contract suite. */
import type { Archive } from '../core/archive.ts';
import type { CarrierStateStore } from '../core/carrier-state.ts';
import type { Clock } from '../core/clock.ts';
import type { DeliveryQueue, RateBudget } from '../core/delivery.ts';
import type { Inbox } from '../core/inbox.ts';
import type { Limits } from '../core/limits.ts';
import type { QuotaStore } from '../core/quota.ts';
import type { Records } from '../core/records.ts';
import type { TallyStore } from '../core/tally.ts';
import type { VerificationStore } from '../core/verification.ts';

/** What a store is opened with, by the configuration. */
export interface StoreRules {
  readonly limits: Limits;
  readonly retention: Retention;
}

/** How long rows are kept, in ms. */
export interface Retention {
  readonly verifications: number;
  readonly simulatorMessages: number;
  readonly statistics: number;
}

/** What a store does. Each operation can be called by itself, apart from its object. */
export interface Operations
  extends VerificationStore,
    DeliveryQueue,
    Inbox,
    Archive,
    TallyStore,
    QuotaStore,
    CarrierStateStore,
    Records {
  /**
   * Brings back to `now` what is dated after it, as a clock leaves it that was ahead and has been put right: sends, guesses
   * and requests then count as made now, codes end when they should, and nothing waits for the wrong time to come again. No
   * lease is asked for longer than `lease`, in ms. Answers how many rows it changed.
   */
  heal(now: number, lease: number): Promise<number>;
  /**
   * Whether a verification is kept that was made since `since` and has a destination hash that does not begin with `mark`: the
   * version before made it. Asked once a start, so that nothing is counted under hashes that nobody has any more.
   */
  holdsOtherHashes(mark: string, since: number): Promise<boolean>;
  /** Writes and reads a probe; rejects with a StoreFailure when the store cannot commit. */
  check(): Promise<void>;
  /** Deletes what is older than its retention and merges old statistics, one small batch; true while there is more. */
  purge(now: number): Promise<boolean>;
}

export interface Store extends Operations {
  /** The clock that all who share this store go by. */
  readonly clock: Clock;
  /** By how many ms the clock of this machine is ahead of the store's; 0 where the store goes by this machine's. */
  readonly clockOffset: number;
  /** The rates of carriers, where several nodes share this store. */
  readonly budget: RateBudget | undefined;
  /** Operations accepted and not yet answered: what overload protection looks at. */
  readonly pending: number;
  /** Waits for what is under way and closes. */
  close(): Promise<void>;
}
