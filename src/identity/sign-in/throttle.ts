/** How often passwords and codes may be guessed. Counted before the guess is checked, so that a race gives no extra guess. */
import { hashToken } from '../../accounts/token.ts';
import { GUESSES_MS } from '../../core/accounts/lasting.ts';
import { query, type Records, type Step } from '../../core/sql/records.ts';
import { network64 } from '../../core/text/network.ts';

const FIRST_WAIT_MS = 10_000;
/** The waits grow with the square of their number: 10 s, 40 s, 90 s and so on, up to a quarter of an hour. */
const LONGEST_WAIT_MS = 900_000;
const GROWING = 9;

/** Something to guess, or someone who guesses. */
export interface GuessSubject {
  readonly name: string;
  /** Guesses until the first wait. */
  readonly free: number;
}

export type GuessAdmission = { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };

/** A person's password, whatever address the guesses come from. */
export const ofPassword = (email: string): GuessSubject => ({ name: `password ${email}`, free: 5 });

/** A person's password, from a device that they signed in on before. */
export const ofDevice = (personId: string, device: number): GuessSubject => ({
  name: `device ${personId} ${device}`,
  free: 5,
});

/** The second factor of a person whose password is known. */
export const ofSecondFactor = (personId: string): GuessSubject => ({ name: `factor ${personId}`, free: 5 });

/**
 * An IP address, or an IPv6 network, because one household has all its addresses. Each way to sign in counts by itself:
 * if many people share an address, wrong passwords of one do not block the passkey of another.
 */
export function ofSource(address: string, way: 'password' | 'passkey' | 'oidc'): GuessSubject {
  const source = address.includes(':') ? network64(address) : address;
  return { name: `source ${way} ${source}`, free: 20 };
}

/** Takes one guess from every subject, or from none if one of them must wait. */
export async function takeGuess(
  records: Records,
  subjects: readonly GuessSubject[],
  now: number,
): Promise<GuessAdmission> {
  const answer = await records.transact(subjects.map((subject) => take(subject, now)));
  if (answer.done) return { ok: true };
  const names = subjects.map(({ name }) => hashToken(name));
  const rows = await query(
    records,
    `SELECT max(next_at) AS next_at FROM throttle WHERE subject IN (${names.map((_, i) => `$${i + 1}`).join()})`,
    ...names,
  );
  return { ok: false, retryAfterMs: Math.max(1_000, Number(rows[0]?.next_at ?? 0) - now) };
}

function take({ name, free }: GuessSubject, now: number): Step {
  return {
    sql: `INSERT INTO throttle (subject, guesses, next_at, forget_at) VALUES ($1, 1, 0, $3)
      ON CONFLICT (subject) DO UPDATE SET
        guesses = CASE WHEN throttle.forget_at <= $2 THEN 1 ELSE throttle.guesses + 1 END,
        next_at = CASE
          WHEN throttle.forget_at <= $2 OR throttle.guesses + 1 < CAST($4 AS BIGINT) THEN 0
          WHEN throttle.guesses + 1 - CAST($4 AS BIGINT) >= ${GROWING} THEN CAST($5 AS BIGINT)
          ELSE CAST($2 AS BIGINT) + ${FIRST_WAIT_MS}
            * (throttle.guesses + 2 - CAST($4 AS BIGINT)) * (throttle.guesses + 2 - CAST($4 AS BIGINT)) END,
        forget_at = excluded.forget_at
      WHERE throttle.next_at <= $2
      RETURNING guesses`,
    // Hashed, because the name may contain a password that someone typed into the wrong field.
    args: [hashToken(name), now, now + GUESSES_MS, free, now + LONGEST_WAIT_MS],
    guard: true,
  };
}

/** After a right guess. */
export function forgetGuesses({ name }: GuessSubject): Step {
  return { sql: 'DELETE FROM throttle WHERE subject = $1', args: [hashToken(name)] };
}

/** Returns the right guess, and keeps those of others from the same address. */
export function returnGuess({ name }: GuessSubject): Step {
  return {
    sql: 'UPDATE throttle SET guesses = guesses - 1 WHERE subject = $1 AND guesses > 0',
    args: [hashToken(name)],
  };
}

/** Changes nothing, but costs the store as much as a change. */
export function touchGuesses({ name }: GuessSubject): Step {
  return { sql: 'UPDATE throttle SET guesses = guesses WHERE subject = $1', args: [hashToken(name)] };
}
