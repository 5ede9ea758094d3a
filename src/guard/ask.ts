/** What the guard is asked and what it answers. */

export interface Ask {
  /** Unix ms. Times never go back by much: an earlier one counts as the latest seen. */
  readonly at: number;
  readonly account: string;
  readonly key: string;
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
}

export interface Refused {
  readonly allow: false;
  /** Such as `closed:range4`. For the portal and the log, never for the client. */
  readonly rule: string;
  /** In words and figures, without a full number or an address. */
  readonly detail: string;
}

export type Judgement = Allowed | Refused;

/** A code that was counted as sent. */
export interface Sent {
  /** Of the wish that it opened; undefined if it repeats one. */
  readonly ticket: number | undefined;
  /** What it counts as a repeat. */
  readonly weight: number;
}
