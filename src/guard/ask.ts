/** What the guard is asked and what it answers. */

export interface Ask {
  /** Unix ms. Times never go back by much: an earlier one counts as the latest seen. */
  readonly at: number;
  readonly account: string;
  readonly key: string;
  /** The keys that it came from by rotation, the first one first. Rules hold for it that name one of them. */
  readonly predecessors?: readonly string[] | undefined;
  /** The number as an opaque keyed hash; it is the only form in which a number is remembered. */
  readonly number: string;
  /** In E.164. Of it only ranges are remembered, without the last three digits at least. */
  readonly destination: string;
  readonly country: string;
  /** The network of the person's device, opaque like the number. */
  readonly network?: string | undefined;
  /** The person's device, opaque too, as its account knows it. */
  readonly device?: string | undefined;
}

interface Allowed {
  readonly allow: true;
  /** A single message that tries a closed place. */
  readonly probe: boolean;
  /** How much the code may teach what is usual, from 0 to 1. */
  readonly teaching: number;
  /** Kinds of the closed places that it tries, if it is a probe. */
  readonly closed: readonly number[];
}

export interface Refused {
  readonly allow: false;
  /** Kinds of the closed places that it waits before. */
  readonly closed: readonly number[];
  /** Such as `closed:range4`. For the portal and the log, never for the client. */
  readonly rule: string;
  /** In words and figures, without a full number or an address. */
  readonly detail: string;
  /** The operator decided so: it is refused in every mode. */
  readonly isDecided?: true;
}

export type GuardJudgement = Allowed | Refused;

/** A code that was counted as sent, and what that changed. */
export interface SentRequest {
  /** When, Unix ms. */
  readonly at: number;
  /** Slot and tag of its number. */
  readonly number: number;
  readonly tag: number;
  /** Whether it is one of the account that the number last confirmed at. */
  readonly isOwn: boolean;
  /** Of the intent that it opened; undefined if it repeats one. */
  readonly ticket: number | undefined;
  /** What it counts as a repeat, and how much of that taught what is usual. */
  readonly weight: number;
  readonly taught: number;
  readonly tried: readonly Tried[];
}

/** A closed place that a probe tries, as it was before. */
export interface Tried {
  readonly kind: number;
  readonly probedAt: number;
  readonly spacing: number;
  readonly waiting: number;
  /** When it was tried, Unix ms. */
  readonly at: number;
}
