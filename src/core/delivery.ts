/** The durable queue of codes still to be sent, and what became of each attempt. */
import type { AccountSettings } from './account-settings.ts';
import type { OutgoingMessage } from './carrier.ts';
import type { Channel } from './destination/channel.ts';

/** A message as a store holds it. Times are Unix ms. */
export interface SealedMessage {
  /** Id of the verification. */
  readonly id: string;
  readonly accountId: string;
  readonly test: boolean;
  readonly channel: Channel;
  readonly country: string;
  readonly destinationSealed: string;
  readonly codeSealed: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Of the account now; null when it sets nothing. */
  readonly settings: AccountSettings | null;
}

/** A delivery that this node holds the lease of. */
export interface Delivery extends SealedMessage {
  /** Rises with every lease: what an earlier holder says of the queue after losing its lease changes nothing. */
  readonly fence: number;
  /** Rounds over the carriers that have failed so far; the backoff grows with it. */
  readonly rounds: number;
  /** Carriers that refused this message for good or reported it undelivered; they are not tried again. */
  readonly spentCarriers: readonly string[];
}

/** One attempt at one carrier, as kept for receipts and for the verification's timeline. */
export interface Attempt {
  readonly carrier: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: 'accepted' | 'delivered' | 'temporary' | 'permanent';
  readonly reference: string | null;
  /** Keyed hash of the recipient, independent of the account; compared when a receipt names its recipient. */
  readonly recipientTag: string | null;
  readonly reason: string | null;
  /** Why this carrier was asked, in a few words for people: `1st of 3 in order`, `quality: 0.93 expected of 2310 sent`; null when there was no choice. */
  readonly choice: string | null;
  /** What it cost, in millionths of the configured currency; 0 unless the carrier took it, or when no price is known. */
  readonly cost: number;
}

/** Every field of an attempt, with the name that SQL gives to a list of them. */
export const ATTEMPT_FIELDS = {
  carrier: 'attempt_carriers',
  startedAt: 'started',
  endedAt: 'ended',
  outcome: 'outcomes',
  reference: 'reference_texts',
  recipientTag: 'recipient_tags',
  reason: 'reasons',
  choice: 'choices',
  cost: 'costs',
} as const satisfies Record<keyof Attempt, string>;

/**
 * Where a delivery goes after a round of attempts.
 * - `submitted`: a carrier took it. The code is kept sealed only if `failover` says another carrier could still send it.
 * - `delivered`, `failed`: over; the code is erased, unless it was delivered into the inbox.
 * - `retry`: back into the queue until `dueAt`.
 */
export type NextStep =
  | { readonly kind: 'submitted'; readonly failover: boolean }
  | { readonly kind: 'delivered'; readonly inbox: boolean }
  | { readonly kind: 'failed' }
  | { readonly kind: 'retry'; readonly dueAt: number };

export interface Settlement {
  readonly id: string;
  readonly fence: number;
  readonly attempts: readonly Attempt[];
  readonly next: NextStep;
}

/** A receipt as the queue sees it. */
export interface ReceiptRecord {
  readonly carrier: string;
  readonly references: readonly string[];
  /** Keyed hashes of the numbers that the receipt names, one of them its recipient; empty when it names none. */
  readonly recipientTags: readonly string[];
  readonly status: 'delivered' | 'undelivered';
  readonly reason: string | null;
  readonly at: number;
}

/** What became of a receipt. `latencyMs` counts from the request to the receipt. */
export type ReceiptOutcome =
  | {
      readonly kind: 'applied';
      readonly status: 'delivered' | 'undelivered';
      readonly channel: Channel;
      readonly country: string;
      readonly carrier: string;
      readonly latencyMs: number;
      /** The message is back in the queue for another carrier. */
      readonly requeued: boolean;
    }
  /** Kept until our own write of the reference arrives, or a day. */
  | { readonly kind: 'early' }
  | { readonly kind: 'duplicate' };

export interface DeliveryQueue {
  /** Leases up to `limit` due deliveries until `leaseUntil`, oldest first; drops the expired ones and their codes. */
  claim(now: number, leaseUntil: number, limit: number): Promise<Delivery[]>;
  /** Prolongs leases still held. Answers the ids that are: the others were confirmed, expired or taken over. */
  renew(
    held: readonly { readonly id: string; readonly fence: number }[],
    leaseUntil: number,
  ): Promise<Set<string>>;
  /** Writes a round's attempts and the next step. Resolves with receipts that had come early for one of them. */
  settle(settlement: Settlement): Promise<ReceiptOutcome[]>;
  receive(receipt: ReceiptRecord): Promise<ReceiptOutcome>;
  /** Deliveries waiting or leased, for the queue gauge and backpressure. */
  depth(): Promise<number>;
}

/** The rates of carriers, where several nodes share them. */
export interface RateBudget {
  /**
   * Takes the next `count` places in a carrier's schedule, `spacingMs` apart. Answers in how many ms the first one is.
   * Rejects with a StoreFailure.
   */
  reserve(carrier: string, spacingMs: number, count: number): Promise<number>;
}

/**
 * Takes up a verification that was just written under this node's lease, which runs from `leasedSince` on, in steady time.
 * Never waits, never throws.
 */
export type HandOver = (message: OutgoingMessage, createdAt: number, leasedSince: number) => void;
