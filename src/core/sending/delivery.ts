/** The durable queue of codes to send, and the result of each attempt. */
import type { AccountSettings } from '../accounts/account-settings.ts';
import type { InSuccession } from '../accounts/succession.ts';
import type { Reservation } from '../budgets/budget.ts';
import type { Funds } from '../budgets/funds.ts';
import type { Channel } from '../destination/channel.ts';
import type { OutgoingMessage } from './carrier.ts';
import type { ReceiptName } from './unusable-receipts.ts';

/** A message as a store keeps it. Times are Unix ms. */
export interface SealedMessage {
  /** Id of the verification. */
  readonly id: string;
  readonly accountId: string;
  readonly test: boolean;
  readonly channel: Channel;
  readonly country: string;
  readonly destinationSealed: string;
  readonly codeSealed: string;
  /** What the request asked of its wording; null if nothing. */
  readonly detailsSealed: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The channel to send it by: 0, or absent, is the one that was asked for; 1 is that of its route's `then`. */
  readonly leg?: number;
  /** The account's current settings; null if it sets nothing. */
  readonly settings: AccountSettings | null;
}

/** A delivery that this node has leased. */
export interface Delivery extends SealedMessage, InSuccession {
  /** Rises with every lease, so that a node that has lost its lease cannot change anything. */
  readonly fence: number;
  readonly leg: number;
  /** Failed rounds over the carriers so far; the backoff grows with them. */
  readonly rounds: number;
  /**
   * Carriers, as `carrierOn` names them, that permanently refused this message or reported it undelivered; they are not tried again
   * on that channel.
   */
  readonly spentCarriers: readonly string[];
  /** If it goes on by a later channel: what carriers took, and did not report undelivered. */
  readonly awaited: readonly AwaitedAttempt[];
  /** What it holds of budgets for the round of this lease: no carrier, if that is not enough for all that may be asked. */
  readonly reservation: Reservation | null;
}

/** One attempt at one carrier, kept for receipts and for the verification's timeline. */
export interface Attempt {
  readonly carrier: string;
  /** Null: the one that was asked for. */
  readonly channel: Channel | null;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: 'accepted' | 'delivered' | 'temporary' | 'permanent';
  readonly reference: string | null;
  /**
   * Keyed hash of the recipient, independent of the account, to compare with the recipient that a receipt names and with who
   * answers; null if the carrier did not accept it for sending.
   */
  readonly recipientTag: string | null;
  readonly reason: string | null;
  /** Why this carrier was chosen, for people: `1st of 3 in order`, `quality: 0.93 expected of 2310 sent`; null if there was no choice. */
  readonly choice: string | null;
  /**
   * In millionths of the configured currency; 0 if the carrier did not accept it or no price is known. A receipt may name
   * the price later.
   */
  readonly cost: number;
}

/** An attempt that a carrier accepted. */
export type AwaitedAttempt = Pick<Attempt, 'carrier' | 'channel' | 'reference'>;

/** Every field of an attempt, with the name that SQL gives to a list of them. */
export const ATTEMPT_FIELDS = {
  carrier: 'attempt_carriers',
  channel: 'attempt_channels',
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
 * - `submitted`: a carrier accepted it. With `failover` another carrier could still send it, so the code is kept, sealed. With
 *   `fallbackAt` it goes by the next channel then, unless it was reported delivered or confirmed.
 * - `delivered`, `failed`: done; the code is erased, unless it was delivered to the inbox.
 * - `retry`: back into the queue until `dueAt`, for the channel of `leg` if it goes on by another one.
 */
export type NextStep =
  | { readonly kind: 'submitted'; readonly failover: boolean; readonly fallbackAt?: number | undefined }
  | { readonly kind: 'delivered'; readonly inbox: boolean }
  | { readonly kind: 'failed' }
  | { readonly kind: 'retry'; readonly dueAt: number; readonly leg?: number | undefined };

export interface Settlement {
  readonly id: string;
  readonly fence: number;
  readonly attempts: readonly Attempt[];
  readonly next: NextStep;
  /** Carriers, as `carrierOn` names them, that took the message, or may have: what is unclear counts as paid. */
  readonly charged: readonly string[];
}

/** What a message has to hold in addition before it is sent. */
export interface MoreReserved {
  readonly id: string;
  readonly fence: number;
  /**
   * The budgets that apply to it now, by the limits given here: one that is new to it counts everything that it holds, and one that it
   * counted in before and that is not among them limits it no more. And what carriers cost that cost less so far, or were not known.
   */
  readonly more: Reservation;
}

/** `full`: of the charges that were asked, the one without room that frees up last. */
export type MoreOutcome = 'reserved' | 'not wanted' | { readonly full: number };

/** A carrier's receipt. */
export interface ReceiptRecord {
  readonly carrier: string;
  readonly references: readonly string[];
  /** Keyed hashes of the numbers that the receipt names, which include the recipient; empty if it names none. */
  readonly recipientTags: readonly string[];
  readonly status: 'delivered' | 'undelivered';
  readonly reason: string | null;
  readonly at: number;
  /** What the carrier charges, in millionths; null if it does not say. */
  readonly price: number | null;
  /** Of the price; null for the configured one, in which the price becomes the cost of the attempt. */
  readonly currency: string | null;
  /** MCC and MNC; null if the carrier does not say. */
  readonly network: string | null;
}

/** The result of a receipt. `latencyMs` counts from the request to the receipt. */
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
  /** Kept until the reference is written, for at most a day. */
  | { readonly kind: 'early' }
  | { readonly kind: 'duplicate' };

export interface DeliveryQueue {
  /**
   * Leases up to `limit` due deliveries until `leaseUntil`, oldest first. One whose `fallbackAt` has come goes on by the next channel
   * with the lease. Drops expired ones and their codes. Whether budgets have room for another round is asked by `reserveMore`, since
   * only who sends knows the budgets of now.
   */
  claim(now: number, leaseUntil: number, limit: number): Promise<Delivery[]>;
  /** Extends leases. Returns the ids still held: the others were confirmed, have expired or were taken over. */
  renew(
    held: readonly { readonly id: string; readonly fence: number }[],
    leaseUntil: number,
  ): Promise<Set<string>>;
  /** Reserves all of it, in addition to what the message holds, or nothing. `not wanted`: its lease is not this one any more. */
  reserveMore(asked: MoreReserved): Promise<MoreOutcome>;
  /** Writes a round's attempts and the next step. Resolves with the receipts that came early for them. */
  settle(settlement: Settlement): Promise<ReceiptOutcome[]>;
  receive(receipt: ReceiptRecord): Promise<ReceiptOutcome>;
  /** Waiting and leased deliveries, for the queue gauge and backpressure. */
  depth(): Promise<number>;
}

export interface EarlyReceipts {
  /** Of these receipts, those that still wait for their message. One that was kept twice is named twice. */
  stillEarly(names: readonly ReceiptName[]): Promise<ReceiptName[]>;
}

/** How late the queue is. */
export interface QueueAge {
  /** When the oldest verification was made whose message waits to be sent, Unix ms; undefined if none waits. */
  oldestWaiting(): Promise<number | undefined>;
}

/** The rates of carriers, for nodes that share them. */
export interface RateBudget {
  /**
   * Takes the next `count` places in a carrier's schedule, `spacingMs` apart, and returns the ms until the first one. Rejects
   * with a StoreFailure.
   */
  reserve(carrier: string, spacingMs: number, count: number): Promise<number>;
}

/**
 * Takes a new verification under this node's lease, which started at `leasedSince` in steady time. Never waits or throws.
 */
export type HandOver = (
  message: OutgoingMessage,
  createdAt: number,
  leasedSince: number,
  funds: Funds,
) => void;
