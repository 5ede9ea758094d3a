/** A verification as the store keeps it, with its guarded operations. */
import type { Reservation } from '../budgets/budget.ts';
import type { Channel } from '../destination/channel.ts';
import type { Limit } from './limits.ts';
import type { Scope } from './scope.ts';

/**
 * A new verification, sealed and hashed: no store ever sees a code or a number in clear. Times are Unix ms. Earlier hashes
 * are those of the same value under earlier secrets, at most three.
 */
export interface NewVerification extends Scope {
  readonly id: string;
  /** `NO_KEY` of a test of a carrier. */
  readonly keyId: string;
  /** Exempt from the limits per destination, and sent only by the simulator. */
  readonly test: boolean;
  readonly channel: Channel;
  /** ISO 3166 alpha-2 of the destination, or `ZZ` if it has none (a SIP URI). */
  readonly country: string;
  readonly destinationHash: string;
  readonly earlierDestinationHashes: readonly string[];
  readonly destinationSealed: string;
  readonly codeMac: string;
  readonly codeSealed: string;
  readonly guesses: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  /**
   * The node that writes it delivers it; from this time on, any other node may. Null: it is in no queue. Whoever wrote it sends it
   * once or, after a crash, never; its code is not kept.
   */
  readonly leaseUntil: number | null;
  readonly idempotency: Idempotency | null;
  /** Of sends per destination, where the account has others than those of the store. */
  readonly limits?: readonly Limit[] | undefined;
  /** Hash of the network of the person's device; null if the client did not say. */
  readonly clientNetwork: string | null;
  /** What is kept of the request's options and metadata (core/body/details.ts); null if nothing. */
  readonly detailsSealed: string | null;
  /** The client brought the code: what is confirmed elsewhere says nothing about carriers and people. */
  readonly brought: boolean;
  /** What is kept of the person's device (core/body/signals.ts), as JSON; null if the client did not say. */
  readonly signals: string | null;
  /** What its message takes from budgets; undefined if none applies. */
  readonly reservation?: Reservation | undefined;
  /** Its code may be confirmed by its number (number-store.ts). */
  readonly byNumber?: boolean | undefined;
  /** Once it is issued, every other open code of its number that was issued with `byNumber` has ended. Never with `idempotency`. */
  readonly endsEarlier?: boolean | undefined;
}

/** Every field of a new verification, with the name that SQL gives to a list of them. */
export const VERIFICATION_FIELDS = {
  id: 'ids',
  accountId: 'account_ids',
  keyId: 'key_ids',
  test: 'tests',
  channel: 'channels',
  country: 'countries',
  destinationHash: 'hashes',
  earlierDestinationHashes: 'earlier_hashes',
  destinationSealed: 'destinations_sealed',
  codeMac: 'code_macs',
  codeSealed: 'codes_sealed',
  guesses: 'guesses',
  createdAt: 'created',
  expiresAt: 'expires',
  leaseUntil: 'leased',
  idempotency: 'idempotency_keys',
  limits: 'limits',
  clientNetwork: 'client_networks',
  detailsSealed: 'details',
  brought: 'brought_codes',
  signals: 'all_signals',
  reservation: 'reservations',
  byNumber: 'by_number',
  endsEarlier: 'ending',
} as const satisfies Record<keyof NewVerification, string>;

/** Keyed hashes of a client's Idempotency-Key and of the request. */
interface IdempotencyHashes {
  readonly keyHash: string;
  readonly bodyHash: string;
}

export interface Idempotency extends IdempotencyHashes {
  /** The hashes of an earlier request under earlier secrets. */
  readonly earlier?: readonly IdempotencyHashes[] | undefined;
  /** How long after the first a request repeats it, in ms, exclusive; `IDEMPOTENCY_MS` if nothing is said, and at most that. */
  readonly windowMs?: number | undefined;
}

/** How long a request can be repeated with its Idempotency-Key, in ms, exclusive. Longer than this no key is kept. */
export const IDEMPOTENCY_MS = 86_400_000;

/** How long a code is valid at most, in ms. */
export const LONGEST_CODE_MS = 600_000;

/** How long the end of a number is one code's at most, in ms. */
export const LONGEST_ENDING_MS = LONGEST_CODE_MS + 60_000;

/** When the first of a repetition that comes now was asked for at the earliest, exclusive. */
export const repeatsSince = (
  now: number,
  { windowMs = IDEMPOTENCY_MS }: Pick<Idempotency, 'windowMs'>,
): number => now - windowMs;

/** A repeated request: nothing is written or counted. */
export type IdempotentReplay =
  | {
      readonly kind: 'replayed';
      readonly id: string;
      readonly destinationSealed: string;
      readonly channel: Channel;
    }
  | { readonly kind: 'idempotency-mismatch' };

export type IssueOutcome =
  /** `nearlyUsed`: the charges of its reservation that are the first to fill this much of a budget in this period. */
  | { readonly kind: 'issued'; readonly nearlyUsed?: readonly number[] }
  /** The account sends nothing to this number. */
  | { readonly kind: 'blocked' }
  | IdempotentReplay
  | {
      readonly kind: 'limited';
      readonly scope: 'key' | 'destination';
      readonly limit: Limit;
      readonly retryAfterMs: number;
    }
  /** A budget has no room for its reservation: of several, the charge that frees up last. */
  | { readonly kind: 'exhausted'; readonly charge: number; readonly retryAfterMs: number };

export interface Guess extends Scope {
  readonly id: string;
  /** MAC of the guessed code for this id, now and under earlier secrets. */
  readonly codeMac: string;
  readonly earlierCodeMacs: readonly string[];
  readonly now: number;
  /** Of failed guesses per destination, where the account has others than those of the store. */
  readonly limits?: readonly Limit[] | undefined;
  readonly idempotency?: Idempotency | undefined;
  /** The account confirms codes by their number: confirming this one ends every other live code of the number. */
  readonly byNumber?: boolean | undefined;
  /** Every hash that its number may be known under now, if its row may not say them all: a code of the secret before. */
  readonly numberHashes?: readonly string[] | undefined;
}

/** Who asked for a code, as the guard counts it. */
export interface CodeRequester {
  /** Asked for with a test key; absent if not. */
  readonly test?: true;
  readonly country: string;
  readonly clientNetwork: string | null;
  /** As in the verification; absent if null. */
  readonly signals?: string;
  /** The client brought the code; absent if not. */
  readonly brought?: true;
}

/** The result of a checked guess, which a repetition with the same Idempotency-Key gets again. */
type FirstJudgement =
  | {
      readonly kind: 'confirmed';
      readonly channel: Channel;
      readonly destinationSealed: string;
      /** Unix ms. */
      readonly confirmedAt: number;
    }
  | { readonly kind: 'mismatch'; readonly attemptsRemaining: number };

export type ConfirmOutcome =
  | (CodeRequester & {
      readonly kind: 'confirmed';
      readonly channel: Channel;
      readonly destinationSealed: string;
      /** The last carrier that accepted the message; null if the code was confirmed before that was known. */
      readonly carrier: string | null;
      /** The channel that this was on; absent if it is the one that was asked for. */
      readonly sentBy?: Channel;
      readonly createdAt: number;
    })
  | (CodeRequester & { readonly kind: 'mismatch'; readonly attemptsRemaining: number })
  | { readonly kind: 'attempts-exhausted' | 'expired' | 'already-confirmed' | 'unknown' }
  /** A repeated guess: nothing is used up or counted. */
  | { readonly kind: 'replayed'; readonly first: FirstJudgement }
  | { readonly kind: 'idempotency-mismatch' };

/** What the service's two operations need from a store. Each call is atomic, guarded, and durable when it resolves. */
export interface VerificationStore {
  /**
   * Writes a verification and its delivery together, or says why not. First it looks for a replay, which is answered past
   * every limit; then whether the account sends nothing to the number, which counts for nobody; then it checks the key's limits
   * (a later refusal still counts for the key); then the destination's; then it takes its reservation from every budget, or from
   * none.
   */
  issue(verification: NewVerification): Promise<IssueOutcome>;
  /**
   * Whether `issue` would write it now. Nothing is written but what a refusal writes; if there is none, `price` is taken from the
   * budgets of its reservation, whose prices have to cover it, and counted as what the account spends.
   */
  admit(verification: NewVerification, price: number): Promise<IssueOutcome>;
  /** The replay of an earlier request with this Idempotency-Key, for a request that may no longer be issued. */
  findReplay(
    request: Pick<NewVerification, keyof Scope | 'createdAt'> & {
      readonly idempotency: Idempotency;
    },
  ): Promise<IdempotentReplay | undefined>;
  /**
   * Uses up a guess, or confirms. Of any number of simultaneous right guesses exactly one is `confirmed`. The result of a
   * checked guess is kept with its Idempotency-Key and answered again; other results leave the key free.
   */
  confirm(guess: Guess): Promise<ConfirmOutcome>;
}
