/** The secret that a person shares with an authenticator, sealed at rest and bound to the person. */

import type { Keyring } from '../../core/secrets/keyring.ts';
import { ifIntact } from '../../core/secrets/sealed-field.ts';
import { query, type Records, type Step } from '../../core/sql/records.ts';
import type { SignInDeps } from '../deps.ts';
import { findStep, mintTotpSecret } from './totp.ts';

type Deps = Pick<SignInDeps, 'records' | 'keyring'>;
type Guess = { readonly personId: string; readonly code: string };

const contextOf = (personId: string): string => `totp ${personId}`;

/** Refused if the person has an authenticator. An earlier secret that was not confirmed is replaced. */
export function beginTotp(
  { records, keyring }: Deps,
  personId: string,
): { readonly secret: string; readonly step: Step } {
  const secret = mintTotpSecret(records.random);
  return {
    secret,
    step: {
      sql: `INSERT INTO totp (person_id, sealed, last_step, confirmed_at) VALUES ($1, $2, 0, NULL)
        ON CONFLICT (person_id) DO UPDATE SET sealed = excluded.sealed WHERE totp.confirmed_at IS NULL
        RETURNING person_id`,
      args: [personId, keyring.seal(secret, contextOf(personId))],
      guard: true,
    },
  };
}

/**
 * The step that confirms the secret; undefined if the code is wrong. Refused if another secret was made in the meantime.
 */
export async function confirmTotp(deps: Deps, guess: Guess, now: number): Promise<Step | undefined> {
  const found = await findCode(deps, guess, 'IS NULL', now);
  if (found === undefined) return undefined;
  return {
    sql: `UPDATE totp SET confirmed_at = $3, last_step = $4 WHERE person_id = $1 AND sealed = $2 AND confirmed_at IS NULL
      RETURNING person_id`,
    args: [guess.personId, found.sealed, now, found.step],
    guard: true,
  };
}

/** The step that uses a code; undefined if the code is wrong. Refused if it was used before. */
export async function spendTotp(deps: Deps, guess: Guess, now: number): Promise<Step | undefined> {
  const found = await findCode(deps, guess, 'IS NOT NULL', now);
  if (found === undefined) return undefined;
  return {
    // Found by the time of its confirmation: it may be sealed again at any time.
    sql: `UPDATE totp SET last_step = $3 WHERE person_id = $1 AND confirmed_at = $2 AND last_step < $3
      RETURNING person_id`,
    args: [guess.personId, found.confirmedAt, found.step],
    guard: true,
  };
}

/** The step of a code under the person's secret, confirmed or not; undefined if the code is wrong. */
async function findCode(
  { records, keyring }: Deps,
  { personId, code }: Guess,
  confirmed: 'IS NULL' | 'IS NOT NULL',
  now: number,
) {
  const sql = `SELECT sealed, confirmed_at FROM totp WHERE person_id = $1 AND confirmed_at ${confirmed}`;
  const { sealed, confirmed_at: confirmedAt = null } = (await query(records, sql, personId))[0] ?? {};
  if (typeof sealed !== 'string' || !keyring.canOpen(sealed)) return undefined;
  const step = findStep(keyring.open(sealed, contextOf(personId)), code, now);
  return step === undefined ? undefined : { sealed, confirmedAt, step };
}

/**
 * Seals again what was sealed under an earlier secret. Returns how many those were, and how many can no longer be read.
 */
export async function resealTotp(
  records: Records,
  keyring: Keyring,
): Promise<{ readonly sealed: number; readonly lost: number }> {
  const rows = await query(records, 'SELECT person_id, sealed FROM totp');
  let [sealed, lost] = [0, 0];
  for (const row of rows) {
    const [personId, old] = [String(row.person_id), String(row.sealed)];
    if (keyring.isCurrent(old)) continue;
    const context = contextOf(personId);
    const secret = ifIntact(() => keyring.open(old, context));
    if (secret === undefined) {
      lost += 1;
      continue;
    }
    const sql = 'UPDATE totp SET sealed = $3 WHERE person_id = $1 AND sealed = $2';
    await query(records, sql, personId, old, keyring.seal(secret, context));
    sealed += 1;
  }
  return { sealed, lost };
}

export function dropTotp(personId: string): Step {
  return { sql: 'DELETE FROM totp WHERE person_id = $1', args: [personId] };
}

/** Refused if the person has no authenticator. */
export function findTotp(personId: string): Step {
  return {
    sql: 'SELECT person_id FROM totp WHERE person_id = $1 AND confirmed_at IS NOT NULL',
    args: [personId],
    guard: true,
  };
}
