/** Verifications as people look at them afterwards, with what happened to each. */
import type { Channel } from '../../destination/channel.ts';
import type { GivenVerdict } from '../../guarding/verdict.ts';
import type { Attempt, ReceiptRecord } from '../../sending/delivery.ts';
import type { BothKinds, Scope } from '../scope.ts';

/**
 * The first that applies: `confirmed`; `locked`: its guesses are used up; `undelivered` or `failed`: nothing is left to send, and no
 * message can arrive any more, with and without a carrier that took one; `expired`; `pending`.
 */
type VerificationStatus = 'confirmed' | 'locked' | 'undelivered' | 'failed' | 'expired' | 'pending';

/** Times are Unix ms. */
export interface ArchivedVerification {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly test: boolean;
  /** Whether the client brought the code, and may confirm it elsewhere. */
  readonly brought: boolean;
  readonly channel: Channel;
  readonly country: string;
  readonly destinationSealed: string;
  readonly status: VerificationStatus;
  /** The one that delivered it, or else the last that accepted it; null if none did. */
  readonly carrier: string | null;
  /** Every carrier that was asked, in the order in which each was asked first. */
  readonly asked: readonly string[];
  readonly guessesLeft: number;
  readonly createdAt: number;
  /** When it is over: at `endedAt`, if that is not null. */
  readonly expiresAt: number;
  /** When it was ended before its time: canceled, or another code of its number was confirmed. */
  readonly endedAt: number | null;
  readonly confirmedAt: number | null;
}

export interface ArchivedAttempt
  extends Pick<
    Attempt,
    'carrier' | 'choice' | 'startedAt' | 'endedAt' | 'outcome' | 'reference' | 'reason' | 'cost'
  > {
  readonly channel: Channel;
  readonly receipt: Pick<ReceiptRecord, 'status' | 'reason' | 'at' | 'price' | 'currency' | 'network'> | null;
}

export interface FoundVerification {
  readonly verification: ArchivedVerification;
  readonly attempts: readonly ArchivedAttempt[];
  /** As in NewVerification. */
  readonly detailsSealed: string | null;
  readonly signals: string | null;
  /** Whether its message is still to be sent, now or later. */
  readonly inQueue: boolean;
  /** What its account said of it; null if nothing. */
  readonly verdict: GivenVerdict | null;
}

/**
 * What became of an attempt. `accepted`: the carrier took the message; then it is `delivered`, `undelivered` or `unreported`, as its
 * receipt says. `refused`: it did not take it. `carried`: it is the one that the verification names, for which a confirmation counts.
 */
export const ATTEMPT_RESULTS = [
  'accepted',
  'delivered',
  'undelivered',
  'unreported',
  'refused',
  'carried',
] as const;

/** Which verifications of an account. */
export interface ArchiveFilter {
  readonly status?: VerificationStatus;
  readonly channel?: Channel;
  readonly country?: string;
  /** Any that was asked, whether or not it took the message. */
  readonly carrier?: string;
  /** Some attempt ended so: of that carrier, if one is given. */
  readonly attempt?: (typeof ATTEMPT_RESULTS)[number];
  readonly keyId?: string;
  readonly test?: boolean;
  /** Only what the figures count: no test of a carrier, and no code that the client brought and did not have confirmed here. */
  readonly counted?: true;
  /** The time of the request in Unix ms; `to` is exclusive. */
  readonly from?: number;
  readonly to?: number;
  /** One destination, under any of these keyed hashes. */
  readonly destinationHashes?: readonly string[];
}

export interface ArchiveQuery {
  /** Null for all accounts, which only the command line may see together. */
  readonly accountId: string | null;
  readonly filter: ArchiveFilter;
  /** Where an earlier page ended; null starts with the newest. */
  readonly before: string | null;
  readonly limit: number;
  /** Decides which codes have expired, and what is past its retention, in Unix ms. */
  readonly now: number;
  /** Also what is past its retention and still there: for an erasure. */
  readonly evenPast?: true;
}

export interface ArchivePage {
  /** Newest first. */
  readonly verifications: readonly ArchivedVerification[];
  /** Where the next page starts; it may have more even if this one is empty. Null at the end. */
  readonly next: string | null;
  /** The search covered all requests back to this time, in Unix ms; null at the end. */
  readonly searchedTo: number | null;
}

/** Asks for a part of a count, as for a page. */
export type CountQuery = Omit<ArchiveQuery, 'filter' | 'limit' | 'evenPast'> & {
  readonly filter: Omit<ArchiveFilter, 'destinationHashes'>;
};

/** How many match in the part that was looked at; it ends as a page does. */
export interface CountPart extends Pick<ArchivePage, 'next' | 'searchedTo'> {
  readonly count: number;
}

export interface Archive {
  /**
   * A page of an account's verifications. Looks at a bounded number of rows, including those of other accounts, and says
   * where it stopped. New verifications do not make pages repeat or skip anything.
   */
  searchArchive(query: ArchiveQuery): Promise<ArchivePage>;
  /** How many such pages have in all. Looks at a bounded number of rows too: the parts are to be added up. */
  countArchive(query: CountQuery): Promise<CountPart>;
  /** One verification with its attempts, in order; undefined if there is none with that id in the scope. Read as of one moment. */
  findArchived(scope: Scope | BothKinds, id: string, now: number): Promise<FoundVerification | undefined>;
  /** When a number was last confirmed in the scope, in Unix ms, under any of these keyed hashes; null if no such code is kept. */
  lastConfirmed(scope: Scope, destinationHashes: readonly string[], now: number): Promise<number | null>;
  /** The receipts of a recipient, under any of these keyed hashes, that match no message yet. */
  findEarlyReceipts(recipientTags: readonly string[]): Promise<string[]>;
}
