/** Messages of the simulator, kept so that they can be read back like on a telephone. */
export interface InboxEntry {
  readonly id: string;
  readonly accountId: string;
  readonly destinationHash: string;
  /** Sealed JSON of the message: the store never sees text, code or number. */
  readonly sealed: string;
  readonly at: number;
}

export interface Inbox {
  /** Keeps a message; durable when it resolves. */
  record(entry: InboxEntry): Promise<void>;
  /** The account's newest messages first, for one destination (its hashes) or for all when null. */
  list(
    accountId: string,
    destinationHashes: readonly string[] | null,
    limit: number,
  ): Promise<{ readonly sealed: string }[]>;
}
