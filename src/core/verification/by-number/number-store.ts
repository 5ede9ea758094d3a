/** What a store needs to offer so that a code is confirmed by its number, without the id of its verification. */
import type { Channel } from '../../destination/channel.ts';
import type { Scope } from '../scope.ts';
import type { ConfirmOutcome, Guess } from '../verification.ts';

/** The newest live codes of a number that one guess is held against. */
export const MOST_LIVE = 32;

/** A live code of a number: neither confirmed, nor ended, nor expired. Its guesses may be used up. */
export interface LiveCode {
  readonly id: string;
  readonly channel: Channel;
}

/** A number within a scope; its hash says that, too. */
export interface NumberOfAccount extends Scope {
  readonly destinationHash: string;
  readonly earlierDestinationHashes: readonly string[];
  readonly now: number;
}

/** A code that somebody typed for a number. */
export interface NumberGuess extends NumberOfAccount, Pick<Guess, 'limits'> {
  /** The live codes that were found, with the MACs of the typed code for each: only who has the secret can make them. */
  readonly candidates: readonly Pick<Guess, 'id' | 'codeMac' | 'earlierCodeMacs'>[];
}

export type NumberOutcome =
  /** `id` is the verification that it was judged as. */
  | (Extract<ConfirmOutcome, { readonly kind: 'confirmed' | 'mismatch' }> & { readonly id: string })
  | { readonly kind: 'attempts-exhausted' }
  /** No candidate is live any more. */
  | { readonly kind: 'unknown' };

export type ApprovalOutcome =
  | NumberOutcome
  /** The code was drawn here. */
  | { readonly kind: 'not-brought' };

export interface NumberStore {
  /** The newest live codes of a number, of those that were issued with `byNumber`; at most MOST_LIVE. */
  findLive(number: NumberOfAccount): Promise<LiveCode[]>;
  /**
   * Judges one guess against all candidates: it confirms the one that it matches and that has guesses left, and ends every other
   * live code of the number; or else it uses up one guess of the newest that has some. Whatever happened to a candidate since it
   * was found, the guards of this step decide. What has ended stays so whatever `now` is: a clock may be set back, and who came
   * first may be judged last.
   */
  confirmByNumber(guess: NumberGuess): Promise<NumberOutcome>;
  /**
   * Confirms a live code that the client brought, on its word, as if somebody had typed it for the number: by the same limits, and
   * it ends every other live code of the number.
   */
  approve(wanted: Approval): Promise<ApprovalOutcome>;
  /** Ends a live code, and its message is not sent any more. Counts as nothing. False if the account has no such live code. */
  cancel(wanted: OneCode): Promise<boolean>;
}

export interface OneCode extends Scope {
  readonly id: string;
  readonly now: number;
}

export interface Approval extends OneCode, Pick<Guess, 'limits' | 'numberHashes'> {}
