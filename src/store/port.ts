/** Everything a store offers. Each part is declared by its consumer; a new store implements this and passes the contract suite. */
import type { Archive } from '../core/archive.ts';
import type { CarrierStateStore } from '../core/carrier-state.ts';
import type { DeliveryQueue, RateBudget } from '../core/delivery.ts';
import type { Inbox } from '../core/inbox.ts';
import type { QuotaStore } from '../core/quota.ts';
import type { Records } from '../core/records.ts';
import type { TallyStore } from '../core/tally.ts';
import type { VerificationStore } from '../core/verification.ts';

export interface Store
  extends VerificationStore,
    DeliveryQueue,
    Inbox,
    Archive,
    TallyStore,
    QuotaStore,
    CarrierStateStore,
    Records {
  /** The rates of carriers, where several nodes share this store. */
  readonly budget: RateBudget | undefined;
  /** Operations accepted and not yet answered: what overload protection looks at. */
  readonly pending: number;
  /** Writes and reads a probe; rejects with StoreUnavailable when the store cannot commit. */
  check(): Promise<void>;
  /** Deletes what is older than its retention and merges old statistics, one small batch; true while there is more. */
  purge(now: number): Promise<boolean>;
  /** Waits for what is under way and closes. */
  close(): Promise<void>;
}
