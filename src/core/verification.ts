/** A verification as the store keeps it, and the guarded operations on it. */
import type { Channel } from './destination/channel.ts';
import type { Limit } from './limits.ts';

/**
 * Everything a new verification needs, sealed and hashed: no store ever sees a code or a number in clear.
 * Times are Unix ms. Earlier hashes are those that the same may have been written under before; never more than three.
 */
export interface NewVerification {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  /** Made with a test key: exempt from the limits per destination, sent by the simulator alone. */
  readonly test: boolean;
  readonly channel: Channel;
  /** ISO 3166 alpha-2 of the destination, or `ZZ` where it has none (a SIP URI). */
  readonly country: string;
  readonly destinationHash: string;
  readonly earlierDestinationHashes: readonly string[];
  readonly destinationSealed: string;
  readonly codeMac: string;
  readonly codeSealed: string;
  readonly guesses: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The node that writes it delivers it; any other may from this time on. */
  readonly leaseUntil: number;
  readonly idempotency: Idempotency | null;
  /** Limits of sends that the account sets for its destinations, beside those of the store. */
  readonly limits?: readonly Limit[] | undefined;
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
} as const satisfies Record<keyof NewVerification, string>;

/** Keyed hashes of a client's Idempotency-Key and of what it came with. */
interface IdempotencyHashes {
  readonly keyHash: string;
  readonly bodyHash: string;
}

export interface Idempotency extends IdempotencyHashes {
  /** Under which the same may have come before. */
  readonly earlier?: readonly IdempotencyHashes[] | undefined;
}

/** How long a request can be repeated under its Idempotency-Key, in ms: up to this, and no longer at it. */
export const IDEMPOTENCY_MS = 86_400_000;

/** A request that came before under its Idempotency-Key: nothing written, nothing counted. */
export type Replay =
  | {
      readonly kind: 'replayed';
      readonly id: string;
      readonly destinationSealed: string;
      readonly channel: Channel;
    }
  | { readonly kind: 'idempotency-mismatch' };

export type IssueOutcome =
  | { readonly kind: 'issued' }
  | Replay
  | {
      readonly kind: 'limited';
      readonly scope: 'key' | 'destination';
      readonly limit: Limit;
      readonly retryAfterMs: number;
    };

export interface Guess {
  readonly id: string;
  readonly accountId: string;
  /** MAC of the guessed code for this id, and those that the same code may have been written under before. */
  readonly codeMac: string;
  readonly earlierCodeMacs: readonly string[];
  readonly now: number;
  /** Limits of failed guesses that the account sets for its destinations, beside those of the store. */
  readonly limits?: readonly Limit[] | undefined;
  /** Of its Idempotency-Key, if it came with one. */
  readonly idempotency?: Idempotency | undefined;
}

/** What a guess that was judged came to, as it is answered again under its Idempotency-Key. */
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
  | {
      readonly kind: 'confirmed';
      readonly channel: Channel;
      readonly country: string;
      readonly destinationSealed: string;
      /** Name of the carrier that took the message last; null when it was confirmed before we knew. */
      readonly carrier: string | null;
      readonly createdAt: number;
    }
  | { readonly kind: 'mismatch'; readonly attemptsRemaining: number }
  | { readonly kind: 'attempts-exhausted' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'already-confirmed' }
  | { readonly kind: 'unknown' }
  /** The same guess came before under its Idempotency-Key and was judged: nothing spent, nothing counted. */
  | { readonly kind: 'replayed'; readonly first: FirstJudgement }
  | { readonly kind: 'idempotency-mismatch' };

/** What the two operations of the service need of a store. Each call is atomic, guarded and durable when it resolves. */
export interface VerificationStore {
  /**
   * Writes a verification and its delivery together, or says why not. In this order: a replay is answered even
   * past every limit; then the key's limits (a refusal by a later limit still counts as a request of the key);
   * then the destination's.
   */
  issue(verification: NewVerification): Promise<IssueOutcome>;
  /** What a request under this Idempotency-Key is answered if it came before, for one that may not be issued any more. */
  findReplay(
    request: Pick<NewVerification, 'accountId' | 'createdAt'> & {
      readonly idempotency: Idempotency;
    },
  ): Promise<Replay | undefined>;
  /**
   * Spends a guess, or confirms. Exactly one of any number of simultaneous right guesses is `confirmed`. Under an
   * Idempotency-Key a judgement is kept with it, and answered again; a guess that was not judged leaves its key free.
   */
  confirm(guess: Guess): Promise<ConfirmOutcome>;
}
