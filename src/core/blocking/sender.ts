/** Who sent the message that somebody answers. */

export interface SenderQuery {
  /** The carrier that the answer came through. */
  readonly carrier: string;
  /** Keyed hashes of the number that answers, now and under earlier secrets. */
  readonly recipientTags: readonly string[];
  /** Decides what is past its retention. */
  readonly now: number;
}

export interface SenderFinder {
  /** The account whose message to that number this carrier accepted last; undefined if the store knows of none. */
  findSender(query: SenderQuery): Promise<string | undefined>;
}
