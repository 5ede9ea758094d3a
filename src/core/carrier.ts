/** The port between delivery and whatever takes a message to a telephone. Every carrier implements it. */
import type { Channel } from './destination/channel.ts';
import type { Destination } from './destination/destination.ts';

/** The carrier that is always there, and its type: it sends nothing, and test keys reach no other. */
export const SIMULATOR = 'simulator';

/** One code on its way to one telephone. */
export interface OutgoingMessage {
  /** Id of the verification; stable over retries, so a carrier may use it to recognise a repetition. */
  readonly id: string;
  readonly accountId: string;
  readonly test: boolean;
  readonly channel: Channel;
  readonly destination: Destination;
  readonly code: string;
  /** What the SMS says, or what the call speaks. */
  readonly text: string;
  /** BCP 47 tag of the language of `text`. */
  readonly locale: string;
  /** What the call speaks in English, where `text` is in another language: not every carrier has a voice for each. */
  readonly english?: string | undefined;
  /** Unix time in ms after which the code is of no use and must not be sent. */
  readonly expiresAt: number;
}

/**
 * How one attempt ended. A carrier never throws for what a carrier or a network does; a throw is a bug of ours
 * and counts as `temporary`.
 *
 * - `accepted`: the carrier took the message. `reference` is the carrier's id of it; `receiptFollows` says that the carrier
 *   will report under that id how it fared.
 * - `delivered`: the carrier knows already that it arrived; no receipt follows. `inbox` says that it arrived in this
 *   service's own inbox, where its account can read it: the simulator alone answers so.
 * - `temporary`: not taken, may be later. `throttled` says the carrier asked us to slow down; it is not counted
 *   against its health, nor is what is `uncounted`, such as a busy telephone, nor the carrier's `link`: it was `down`, so
 *   that nothing has reached the carrier and nothing was tried, or was `lost` with the message under way, which is one
 *   incident however many messages it ends. `retryAfterMs` is the carrier's own wish. `unclear` says that no answer came to
 *   a message that was sent off: like one whose link was lost it may have been taken, and counts as taken within the
 *   carrier's daily cap.
 * - `permanent`: this carrier will never take this message.
 */
export type Outcome =
  | { readonly kind: 'accepted'; readonly reference?: string; readonly receiptFollows?: true }
  | { readonly kind: 'delivered'; readonly inbox?: true }
  | {
      readonly kind: 'temporary';
      readonly reason: string;
      readonly throttled?: boolean;
      readonly uncounted?: boolean;
      readonly link?: 'down' | 'lost';
      readonly retryAfterMs?: number;
      readonly unclear?: boolean;
    }
  | { readonly kind: 'permanent'; readonly reason: string };

/** How the reason of a `temporary` outcome begins that the operator must put right: sender, account, credit, credentials. */
export const OPERATORS_FAULT = 'account or settings: ';

/** What a carrier says later of a message that it accepted. */
export interface Receipt {
  /** The carrier's configured name. */
  readonly carrier: string;
  /** The message's id as the receipt spells it, then other spellings (hex, decimal), the likeliest first. */
  readonly references: readonly [string, ...string[]];
  /**
   * The telephone the receipt is about, as E.164 with `+`, or the numbers of which it is one; guards against a mix-up.
   * Absent where the carrier does not say.
   */
  readonly recipients?: readonly string[];
  readonly status: 'delivered' | 'undelivered';
  /** The carrier's own word or number for what went wrong; never holds text or a number of the message. */
  readonly reason?: string;
}

/** A request that a carrier makes to report how messages fared. Its sender is unknown until the carrier has judged it. */
export interface Callback {
  readonly method: string;
  /** The public address that was called, with its query: some carriers sign it. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it came: signatures cover bytes. */
  readonly body: Buffer;
}

/**
 * What a callback holds.
 * - `receipts`: it is the carrier's own; the list is empty when it reports nothing final.
 * - `forged`: its signature is missing, wrong or too old.
 * - `malformed`: it is the carrier's own and cannot be understood. `detail` never repeats any of it.
 * - `unavailable`: it cannot be judged now; the carrier should try again.
 */
export type CallbackAnswer =
  | { readonly kind: 'receipts'; readonly receipts: readonly Receipt[] }
  | { readonly kind: 'forged' }
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'unavailable' };

/** Where carriers report receipts. Resolves when the receipt is durable; only then may the carrier be answered. */
type ReceiptSink = (receipt: Receipt) => Promise<void>;

/** Structured events of a carrier, for the log. Never carries codes, texts, numbers or credentials. An `error` is what the operator must put right. */
export type CarrierLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Record<string, unknown>,
) => void;

/** What every carrier is given besides its own options. */
export interface CarrierPorts {
  readonly receive: ReceiptSink;
  readonly log: CarrierLog;
  /** Where this carrier's callbacks reach the service; undefined when nothing outside can reach it. */
  readonly callbackUrl?: string | undefined;
}

/**
 * In what a call is made: in the language of its text, in English for want of a voice, or not at all. Undefined where
 * nobody can tell before the call.
 */
export type Spoken = 'as-written' | 'in-english' | 'not-at-all' | undefined;

/** Until when an attempt may take. `signal` aborts at its end; it is made when first asked for. */
export interface Deadline {
  readonly signal: AbortSignal;
}

/** The link of a carrier that keeps one to its peer, and opens it again by itself. */
export interface CarrierLink {
  /** Why nothing can be sent just now; undefined while something can. */
  readonly trouble: string | undefined;
  /** Calls the listener, the only one, with all news: the link came up, went down, or did not come up. */
  watch(listener: () => void): void;
}

export interface Carrier {
  readonly name: string;
  /** Absent where each message finds its own way to the peer. While it is down, no message is submitted. */
  readonly link?: CarrierLink;
  /** The most submits worth having under way at once: links times window, or connections. */
  readonly concurrency: number;
  /** Begins connecting where the carrier keeps links; must not wait for them nor throw when the peer is away. */
  start(): void;
  /** Sends one message. Answers at once what it knows at once; at the deadline the promise must settle. */
  submit(message: OutgoingMessage, deadline: Deadline): Outcome | Promise<Outcome>;
  /** Whether the peer can be reached and accepts our credentials, within a few seconds; for `doctor` and `/readyz`. */
  check(): Promise<
    { readonly ok: true; readonly detail: string } | { readonly ok: false; readonly detail: string }
  >;
  /** How it would speak a text in the language of a BCP 47 tag. Absent where any will do, or where it makes no calls. */
  speaks?(locale: string): Spoken;
  /** Judges a callback and reads it. Absent where the carrier makes none, or could not prove that it is its own. */
  readCallback?(callback: Callback): CallbackAnswer | Promise<CallbackAnswer>;
  /** Ends links politely (unbind) and frees sockets and timers. No submit is under way or will follow. */
  stop(): Promise<void>;
}
