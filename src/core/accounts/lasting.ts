/**
 * How long what people sign in with lasts, in ms. The portal goes by it, and so does whoever corrects times that a clock left
 * while it was ahead.
 */
import { MAX_AHEAD_MS } from '../seams/clock.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

/** After the last guess, guesses of a password or a code are forgotten. */
export const GUESSES_MS = DAY_MS;

export type OneTime = 'setup' | 'reset' | 'second-factor';

export const ONE_TIME_MS: Readonly<Record<OneTime, number>> = {
  setup: DAY_MS,
  reset: HOUR_MS,
  'second-factor': 10 * MINUTE_MS,
};

export const INVITATION_MS = 3 * DAY_MS;

/** An authenticator shows another code with every step (RFC 6238). */
export const TOTP_STEP_MS = 30_000;
/** Codes of so many steps before and after the present one are right, too (section 5.2). */
export const TOTP_STEPS_AROUND = 1;

/**
 * Whether something that carries its own end is valid. It is not over, and ends no later than it could if it was made now: nobody
 * can correct what a browser or a client keeps from a clock that was ahead.
 */
export const isInTime = (endsAt: number, lasts: number, now: number): boolean =>
  endsAt > now && endsAt <= now + lasts + MAX_AHEAD_MS;
