/** What is deleted when a person's number is erased. A store does it as one step of a transaction (core/sql/records.ts). */
export interface Erasure {
  /** Verifications: a few at a time, so that requests do not wait. Their attempts, messages and Idempotency-Keys go with them. */
  readonly ids: readonly string[];
  /** Only verifications of these destinations, by their keyed hashes. */
  readonly destinationHashes: readonly string[];
  /** Receipts that wait for their message. */
  readonly receiptIds: readonly string[];
  /** Decides which sends still count against limits, in Unix ms: of these a store keeps the hash and the time, and nothing else. */
  readonly now: number;
}
