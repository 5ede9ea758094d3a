/** A verification as the store keeps it, and the guarded operations on it. */
import type { Channel } from './destination.ts';
import type { Limit } from './limits.ts';

/**
 * Everything a new verification needs, sealed and hashed: no store ever sees a code or a number in clear.
 * Times are Unix ms. Hashes under the previous secret are null unless a secret is being rotated.
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
  readonly previousDestinationHash: string | null;
  readonly destinationSealed: string;
  readonly codeMac: string;
  readonly codeSealed: string;
  readonly guesses: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The node that writes it delivers it; any other may from this time on. */
  readonly leaseUntil: number;
  readonly idempotency: { readonly keyHash: string; readonly bodyHash: string } | null;
  /** Limits of sends that the account sets for its destinations, beside those of the store. */
  readonly limits?: readonly Limit[] | undefined;
}

/** How long a request can be repeated under its Idempotency-Key, in ms. */
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
  /** MAC of the guessed code for this id under the current secret, and under the previous one while rotating. */
  readonly codeMac: string;
  readonly previousCodeMac: string | null;
  readonly now: number;
  /** Limits of failed guesses that the account sets for its destinations, beside those of the store. */
  readonly limits?: readonly Limit[] | undefined;
}

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
  | { readonly kind: 'unknown' };

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
      readonly idempotency: NonNullable<NewVerification['idempotency']>;
    },
  ): Promise<Replay | undefined>;
  /** Spends a guess, or confirms. Exactly one of any number of simultaneous right guesses is `confirmed`. */
  confirm(guess: Guess): Promise<ConfirmOutcome>;
}
