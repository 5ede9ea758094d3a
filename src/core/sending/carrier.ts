/** The port between delivery and carriers. Every carrier implements it. */

import type { Channel } from '../destination/channel.ts';
import type { Destination } from '../destination/destination.ts';
import type { Registration } from '../message/registered.ts';
import type { Clock } from '../seams/clock.ts';
import type { Random } from '../seams/random.ts';
import type { NoteUnusable } from './unusable-receipts.ts';

/** The name and type of the carrier that always exists. It sends nothing, and is the only one for test keys. */
export const SIMULATOR = 'simulator';

/** One code on its way to one telephone. */
export interface OutgoingMessage {
  /** Id of the verification. It stays the same over retries, so that a carrier can recognise a repetition. */
  readonly id: string;
  readonly accountId: string;
  readonly test: boolean;
  readonly channel: Channel;
  readonly destination: Destination;
  readonly code: string;
  /** What the SMS or the call says. */
  readonly text: string;
  /** BCP 47 tag of the language of `text`. */
  readonly locale: string;
  /** The call in English, if `text` is in another language: a carrier may have no voice for it. */
  readonly english?: string | undefined;
  /** Under what `text` is registered in the country of the destination, if it has to be named. */
  readonly registration?: Registration | undefined;
  /**
   * It goes by a channel after the first, because those before did not reach: `leg` is the place of its channel in the route that
   * takes it on `from`, the channel that was asked for. Absent on the first.
   */
  readonly fallback?: { readonly leg: number; readonly from: Channel } | undefined;
  /** In Unix ms; after this the code is useless and must not be sent. */
  readonly expiresAt: number;
  /**
   * When it goes on by the next channel, in Unix ms: what has not arrived by then should not any more. Absent if it does not, and on
   * channels that are not timed.
   */
  readonly replacedAt?: number | undefined;
  /** A budget has room for sending it once. A carrier that cannot tell whether it did says so, and does not try again by itself. */
  readonly reserved?: boolean | undefined;
  /** A test of this carrier: it is asked once, and no other. */
  readonly only?: string | undefined;
}

/**
 * How one attempt ended. Faults of a carrier or a network are never thrown; a throw is our own bug and counts as
 * `temporary`.
 *
 * - `accepted`: `reference` is the carrier's id for the message; with `receiptFollows` the carrier will report under that
 *   id what happened to it.
 * - `delivered`: the message has arrived, and no receipt follows. `inbox`: it arrived in this service's own inbox, where its
 *   account can read it; only the simulator answers this.
 * - `temporary`: not accepted now, perhaps later. `retryAfterMs` is the carrier's own wish. Some do not count against the
 *   carrier's health: `throttled` (it asked us to slow down), `uncounted` (such as a busy telephone), and `link`: `down`
 *   (nothing was tried), or `lost` while sending (one incident, however many messages). `unclear`: no answer came. Like a
 *   message on a lost link it may have been accepted, and counts against the carrier's daily cap.
 * - `permanent`: this carrier will never accept this message. `unclear`: it may have taken a part of it.
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
  | { readonly kind: 'permanent'; readonly reason: string; readonly unclear?: boolean };

/**
 * The reason starts with this if the operator must fix it: sender, account, credit, credentials. The outcome is `temporary`, unless the
 * options of an `http` carrier say otherwise.
 */
export const OPERATORS_FAULT = 'account or settings: ';

/** The reason of an attempt of a test starts with this if the carrier was not asked. */
export const NOT_ASKED = 'not asked: ';
/** The reason of an attempt of a test ends with this if nobody knows whether the carrier took it. */
export const UNCLEAR = ', and it may have taken the message';

/** A message that the carrier took, under `reference` if it gave one. */
export interface TakenMessage extends Pick<OutgoingMessage, 'id' | 'channel' | 'destination'> {
  readonly reference: string | null;
}

/**
 * What came of taking a message back.
 * - `revoked`: it will not arrive.
 * - `unless-arriving`: it will not, if it is not arriving just now. Then a receipt says so within moments.
 * - `arrived`: it was too late.
 * - `unknown`: the carrier did not say. It may still arrive.
 */
export type Revocation = 'revoked' | 'unless-arriving' | 'arrived' | 'unknown';

/** Nothing was sent, because `wanted` of the deadline was false. It says nothing about the carrier. */
export const NOT_WANTED = {
  kind: 'temporary',
  reason: 'no longer wanted',
  uncounted: true,
} as const satisfies Outcome;

/** What a carrier says that it charges for a message, in all: for all parts of an SMS, or for the whole call. */
export interface StatedPrice {
  /** In millionths. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** What a carrier says later about a message that it accepted. */
export interface Receipt {
  /** The carrier's configured name. */
  readonly carrier: string;
  /** The message's id as in the receipt, then in other notations (hex, decimal), the likeliest first. */
  readonly references: readonly [string, ...string[]];
  /**
   * The telephone, as E.164 with `+`, or several numbers that include it. Guards against a mix-up. Absent if the carrier does
   * not say.
   */
  readonly recipients?: readonly string[];
  readonly status: 'delivered' | 'undelivered';
  /** The carrier's own word or number for what went wrong; never contains text or numbers of the message. */
  readonly reason?: string;
  readonly price?: StatedPrice | undefined;
  /** The mobile network of the telephone: its MCC and MNC, in one. */
  readonly network?: string | undefined;
  /** What a messenger calls the person by, whether or not it tells their number. */
  readonly user?: string | undefined;
}

/** A message that a person sent back through a carrier. */
export interface InboundMessage {
  /** The carrier's configured name. */
  readonly carrier: string;
  /** The telephone that it comes from, as E.164 with `+`; undefined if the carrier does not tell. */
  readonly from: string | undefined;
  /** The number of the same telephone that messages may have been sent to instead, where the carrier spells it in its own way. */
  readonly orFrom?: string | undefined;
  /** As receipts call the person. */
  readonly user?: string | undefined;
  readonly text: string;
}

/** A request from a carrier that reports what happened to messages. Nobody knows who sent it until it has been checked. */
export interface Callback {
  readonly method: string;
  /** The public address that was called, with its query: some carriers sign it. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Unchanged, because signatures cover bytes. */
  readonly body: Buffer;
}

/**
 * What a callback contains.
 * - `receipts`: it is genuine; the list is empty if it reports nothing final. Some carriers put what people sent back beside them.
 * - `messages`: it is genuine, and people sent something back.
 * - `challenge`: the carrier wants to know whether the address is ours, and is sent this back.
 * - `forged`: its signature is missing, wrong or too old.
 * - `malformed`: it is genuine but cannot be read. `detail` never repeats any of it.
 * - `unavailable`: it cannot be checked now; the carrier should try again.
 */
export type CallbackAnswer =
  | {
      readonly kind: 'receipts';
      readonly receipts: readonly Receipt[];
      readonly messages?: readonly InboundMessage[];
      /** How many more reports are in it that cannot be read. */
      readonly unreadable?: number;
    }
  | { readonly kind: 'challenge'; readonly echo: string }
  | { readonly kind: 'messages'; readonly messages: readonly InboundMessage[] }
  | { readonly kind: 'forged' }
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'unavailable' };

/** Where carriers report receipts. Resolves when the receipt is durable; only then may the carrier get its answer. */
type ReceiptSink = (receipt: Receipt) => Promise<void>;

/** Where carriers report what people send back. Resolves when what it asks for is durable; only then may the carrier get its answer. */
export type Hear = (message: InboundMessage) => Promise<void>;

/** Log events of a carrier, without codes, texts, numbers or credentials. An `error` is something the operator must fix. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Record<string, unknown>,
) => void;

/** What every carrier gets, besides its own options. */
export interface CarrierPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly receive: ReceiptSink;
  /** Absent if nobody listens. Carriers that make callbacks answer with what they heard instead. */
  readonly hear?: Hear | undefined;
  /** Hears of receipts that cannot be read. Absent if nobody counts them. Callbacks say so by their answer. */
  readonly unusable?: NoteUnusable | undefined;
  readonly log: Log;
  /** How many messages may be under way at once, if the operator has decided. */
  readonly concurrency?: number | undefined;
  /** The URL for this carrier's callbacks; undefined if nothing outside can reach the service. */
  readonly callbackUrl?: string | undefined;
}

/**
 * The language of a call: that of its text, English if there is no voice for it, or none at all. Undefined if that is
 * unknown before the call.
 */
export type Spoken = 'as-written' | 'in-english' | 'not-at-all' | undefined;

/** When an attempt must end. */
export interface Deadline {
  /** Aborts then; it is created on first use. */
  readonly signal: AbortSignal;
  /**
   * Whether the message may still be sent from here; absent if nothing takes that away. A process can stand still for longer than its
   * lease lasts, and no timer runs meanwhile. So whoever sends a message in parts, or after a wait of its own, looks once more right
   * before each: if it is false, another node may send the message, and what was not sent stays so.
   */
  readonly wanted?: boolean;
  /**
   * Set by a carrier until its request leaves: an attempt that ends before, such as while there is no token or no connection, has sent
   * nothing. Whoever sets it sends nothing after the signal.
   */
  unsent?: boolean;
}

/** A carrier's permanent link to its peer, which reconnects by itself. */
export interface CarrierLink {
  /** Why nothing can be sent now; undefined while it can. */
  readonly trouble: string | undefined;
  /** Calls the one listener when the link comes up, goes down, or fails to come up. */
  watch(listener: () => void): void;
}

export interface Carrier {
  readonly name: string;
  /** Absent if each message makes its own connection. While the link is down, no message is submitted. */
  readonly link?: CarrierLink;
  /** The most concurrent submits that make sense: links times window, or connections. */
  readonly concurrency: number;
  /** Starts connecting, if the carrier has links. Must not wait for them, or throw if the peer is down. */
  start(): void;
  /** Sends one message. May answer without a promise; a promise must settle by the deadline. */
  submit(message: OutgoingMessage, deadline: Deadline): Outcome | Promise<Outcome>;
  /**
   * Takes back a message that it has not delivered yet. Undefined if it cannot on that channel; absent if it cannot at all. A promise must
   * settle soon after the signal.
   */
  revoke?(taken: TakenMessage, signal: AbortSignal): Promise<Revocation> | undefined;
  /** Whether the peer can be reached and accepts our credentials, within a few seconds, for `doctor` and `/readyz`. */
  check(): Promise<
    { readonly ok: true; readonly detail: string } | { readonly ok: false; readonly detail: string }
  >;
  /** How it would speak a text in the language of a BCP 47 tag. Absent if it speaks all languages or makes no calls. */
  speaks?(locale: string): Spoken;
  /**
   * Why a code of these characters cannot be said in the language of a tag so that each is told from the others; undefined if it can,
   * or nobody knows. May take long. Absent as `speaks` is.
   */
  checkVoice?(locale: string, symbols: string): Promise<string | undefined>;
  /** Checks and reads a callback. Absent if the carrier makes none, or cannot prove that they are genuine. */
  readCallback?(callback: Callback): CallbackAnswer | Promise<CallbackAnswer>;
  /** Nothing comes back from it: no receipts, and nothing that people answer. Absent if something may. */
  readonly silent?: true;
  /** The most bytes that a callback may have, for a carrier that puts more into one than the 256 KiB that all may. */
  readonly largestCallback?: number;
  /** The status that a callback is answered with once it is stored, if the carrier takes any other for a failure. */
  readonly acknowledge?: 200;
  /** Ends links politely (unbind) and frees sockets and timers. No submit is running or will follow. */
  stop(): Promise<void>;
}
