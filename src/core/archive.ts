/** Verifications as people look at them afterwards, and what became of each. */
import type { Attempt } from './delivery.ts';
import type { Channel } from './destination/channel.ts';

/**
 * The first that holds. `confirmed`; `locked`: its guesses are used up; `failed`: nothing is left to send, and whatever a
 * carrier took was reported undelivered; `expired`; `pending`.
 */
export type VerificationStatus = 'confirmed' | 'locked' | 'failed' | 'expired' | 'pending';

/** Times are Unix ms. */
export interface ArchivedVerification {
  readonly id: string;
  readonly keyId: string;
  readonly test: boolean;
  readonly channel: Channel;
  readonly country: string;
  readonly destinationSealed: string;
  readonly status: VerificationStatus;
  /** That delivered it, or else took it last; null when none did. */
  readonly carrier: string | null;
  readonly guessesLeft: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly confirmedAt: number | null;
}

export interface ArchivedAttempt
  extends Pick<Attempt, 'carrier' | 'choice' | 'startedAt' | 'endedAt' | 'outcome' | 'reason' | 'cost'> {
  readonly receipt: {
    readonly status: 'delivered' | 'undelivered';
    readonly reason: string | null;
    readonly at: number;
  } | null;
}

/** Which verifications of one account; what is absent does not matter. */
export interface ArchiveFilter {
  readonly status?: VerificationStatus;
  readonly channel?: Channel;
  readonly country?: string;
  readonly carrier?: string;
  readonly keyId?: string;
  readonly test?: boolean;
  /** When it was requested, Unix ms; `to` is exclusive. */
  readonly from?: number;
  readonly to?: number;
  /** Those of one destination, under any of these keyed hashes. */
  readonly destinationHashes?: readonly string[];
}

export interface ArchiveQuery {
  readonly accountId: string;
  readonly filter: ArchiveFilter;
  /** Where an earlier page ended; null begins with the newest. */
  readonly before: string | null;
  readonly limit: number;
  /** By which clock a code has expired, Unix ms. */
  readonly now: number;
}

export interface ArchivePage {
  /** Newest first. */
  readonly verifications: readonly ArchivedVerification[];
  /** Where the next page begins: it may hold more even when this one is empty. Null at the end. */
  readonly next: string | null;
  /** The time of request back to which nothing was left out, Unix ms; null at the end. */
  readonly searchedTo: number | null;
}

export interface Archive {
  /**
   * A page of an account's verifications. Looks at a bounded number of rows, those of other accounts among them, and says
   * where it stopped. What is added meanwhile makes pages neither repeat nor leave out anything.
   */
  searchArchive(query: ArchiveQuery): Promise<ArchivePage>;
  /** One verification of the account with its attempts in their order; undefined when the account has none of that id. */
  findArchived(
    accountId: string,
    id: string,
    now: number,
  ): Promise<
    { readonly verification: ArchivedVerification; readonly attempts: readonly ArchivedAttempt[] } | undefined
  >;
}
