/** What a call comes to. Everything that a person has to be told is a result; the rest is an error. */
import type { Refusal } from './errors.ts';
import type { FeedbackAnswer, VerificationAnswer, VerifyAnswer } from './wire.ts';

/** Not now, but after `retryAfter` seconds. */
export interface Limited {
  readonly kind: 'limited';
  /** Whose limit it is: of the destination, of the route to it in a day, or of the API key. */
  readonly limit: 'destination' | 'route' | 'key';
  readonly retryAfter: number;
}

/** A budget of the operator has no room for another message. */
export interface BudgetExhausted {
  readonly kind: 'budget-exhausted';
  /** Such as `account per day`. */
  readonly budget: string | undefined;
  readonly retryAfter: number;
}

/** The service sends nothing to this destination for the moment. Only its operator sees why. */
export interface Guarded {
  readonly kind: 'guarded';
  readonly retryAfter: number;
}

/** The code is on its way. Keep `id` for the confirmation. */
export interface Sent extends VerifyAnswer {
  readonly kind: 'sent';
}

export type VerifyResult = Sent | Limited | BudgetExhausted | Guarded;

export interface Confirmed extends VerifyAnswer {
  readonly kind: 'confirmed';
  readonly confirmedAt: string;
}

export type ConfirmResult =
  | Confirmed
  /** Not the code that was sent. */
  | { readonly kind: 'mismatch'; readonly attemptsRemaining: number }
  /** No guesses are left; even the right code is refused. */
  | { readonly kind: 'exhausted' }
  /** The code is no longer valid. */
  | { readonly kind: 'expired' }
  /** It was confirmed before, whatever the code is now. */
  | { readonly kind: 'already-confirmed' }
  /** The account has no verification with this id. */
  | { readonly kind: 'not-found' };

export interface Found {
  readonly kind: 'found';
  readonly id: string;
  /** Masked for other keys; absent if its secret is gone. */
  readonly destination?: string;
  readonly channel: VerificationAnswer['channel'];
  readonly status: VerificationAnswer['status'];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly confirmedAt?: string;
  readonly guessesLeft: number;
  /** What the request had. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly attempts: readonly Attempt[];
}

export interface Attempt {
  readonly channel: VerificationAnswer['channel'];
  readonly state: VerificationAnswer['attempts'][number]['state'];
  readonly startedAt: string;
  readonly changedAt: string;
}

export type FeedbackResult =
  | (FeedbackAnswer & { readonly kind: 'given' })
  /** The account has no such verification, or it is older than seven days. */
  | { readonly kind: 'not-found' }
  | Limited;

export type GetResult = Found | { readonly kind: 'not-found' } | Limited;

const LIMITS: ReadonlyMap<string | undefined, Limited['limit']> = new Map([
  ['quota-exceeded', 'destination'],
  ['daily-cap-reached', 'route'],
  ['rate-limited', 'key'],
]);

/** Undefined if the refusal is not one that somebody waits for. @internal */
export function limitedOf({ type, retryAfter = 1 }: Refusal): Limited | undefined {
  const limit = LIMITS.get(type);
  return limit && { kind: 'limited', limit, retryAfter };
}

/** @internal */
export function unsentOf(refusal: Refusal): Exclude<VerifyResult, Sent> | undefined {
  const { type, problem, retryAfter = 1 } = refusal;
  if (type === 'guarded') return { kind: 'guarded', retryAfter };
  if (type === 'budget-exhausted') return { kind: 'budget-exhausted', budget: problem.budget, retryAfter };
  return limitedOf(refusal);
}

/** @internal */
export function unconfirmedOf({ type, problem }: Refusal): Exclude<ConfirmResult, Confirmed> | undefined {
  switch (type) {
    case 'code-mismatch':
      return { kind: 'mismatch', attemptsRemaining: problem.attempts_remaining ?? 0 };
    case 'attempts-exhausted':
      return { kind: 'exhausted' };
    case 'verification-expired':
      return { kind: 'expired' };
    case 'already-confirmed':
      return { kind: 'already-confirmed' };
    case 'verification-not-found':
      return { kind: 'not-found' };
    default:
      return undefined;
  }
}

/** @internal */
export function foundOf(answer: VerificationAnswer): Found {
  const { id, destination, channel, status, created_at, expires_at, confirmed_at, guesses_left, metadata } =
    answer;
  return {
    kind: 'found',
    id,
    ...(destination !== undefined && { destination }),
    channel,
    status,
    createdAt: created_at,
    expiresAt: expires_at,
    ...(confirmed_at !== undefined && { confirmedAt: confirmed_at }),
    guessesLeft: guesses_left,
    ...(metadata !== undefined && { metadata }),
    attempts: answer.attempts.map((attempt) => ({
      channel: attempt.channel,
      state: attempt.state,
      startedAt: attempt.started_at,
      changedAt: attempt.changed_at,
    })),
  };
}
