/** Requests that were sent, in order of time, with what became of them: what a guard would have seen. */
import type { ArchivedVerification } from './archive.ts';

/** Of a live key. Times are Unix ms. */
export interface PastVerification
  extends Pick<
    ArchivedVerification,
    | 'id'
    | 'accountId'
    | 'keyId'
    | 'channel'
    | 'country'
    | 'destinationSealed'
    | 'guessesLeft'
    | 'createdAt'
    | 'confirmedAt'
  > {
  readonly clientNetwork: string | null;
  /** Of all its attempts, in millionths of the configured currency. */
  readonly cost: number;
}

export interface HistoryQuery {
  /** Null for all accounts. */
  readonly accountId: string | null;
  /** The time of the request in Unix ms; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Decides what is past its retention. */
  readonly now: number;
  /** Where an earlier page ended; null starts with the oldest. */
  readonly after: string | null;
  /** How many rows are looked at, those of other accounts and of test keys included. */
  readonly limit: number;
}

export interface HistoryPage {
  /** Oldest first, in the order of their ids, which is that of time but for moments. */
  readonly verifications: readonly PastVerification[];
  /** Where the next page starts; it may have more even if this one is empty. Null at the end. */
  readonly next: string | null;
}

export interface History {
  readHistory(query: HistoryQuery): Promise<HistoryPage>;
}
