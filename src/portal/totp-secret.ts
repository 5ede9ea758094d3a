/** The secret that a person shares with an authenticator: sealed at rest, and bound to the person. */
import type { Keyring } from '../core/keyring.ts';
import { query, type Records, type Step } from '../core/records.ts';
import { findStep, mintTotpSecret } from './totp.ts';

const contextOf = (personId: string): string => `totp ${personId}`;

/** Begins; refused when one is in force already. One that was begun before and not confirmed is forgotten. */
export function beginTotp(
  keyring: Keyring,
  personId: string,
): { readonly secret: string; readonly step: Step } {
  const secret = mintTotpSecret();
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
 * The step that puts what was begun into force; undefined when the code does not prove that the authenticator has it.
 * Refused when another was begun meanwhile.
 */
export async function confirmTotp(
  records: Records,
  keyring: Keyring,
  personId: string,
  code: string,
  now: number,
): Promise<Step | undefined> {
  const sql = 'SELECT sealed FROM totp WHERE person_id = $1 AND confirmed_at IS NULL';
  const sealed = (await query(records, sql, personId))[0]?.sealed;
  if (typeof sealed !== 'string') return undefined;
  const step = findStep(keyring.open(sealed, contextOf(personId)), code, now);
  if (step === undefined) return undefined;
  return {
    sql: `UPDATE totp SET confirmed_at = $3, last_step = $4 WHERE person_id = $1 AND sealed = $2 AND confirmed_at IS NULL
      RETURNING person_id`,
    args: [personId, sealed, now, step],
    guard: true,
  };
}

/**
 * The step that spends a code; undefined when it is none of now. Refused when it was spent before. The secret is sealed
 * anew, so that one in use outlives the rotation of what it is sealed with.
 */
export async function spendTotp(
  records: Records,
  keyring: Keyring,
  personId: string,
  code: string,
  now: number,
): Promise<Step | undefined> {
  const sql = 'SELECT sealed FROM totp WHERE person_id = $1 AND confirmed_at IS NOT NULL';
  const sealed = (await query(records, sql, personId))[0]?.sealed;
  if (typeof sealed !== 'string') return undefined;
  const secret = keyring.open(sealed, contextOf(personId));
  const step = findStep(secret, code, now);
  if (step === undefined) return undefined;
  return {
    sql: `UPDATE totp SET last_step = $4, sealed = $3 WHERE person_id = $1 AND sealed = $2 AND last_step < $4
      RETURNING person_id`,
    args: [personId, sealed, keyring.seal(secret, contextOf(personId)), step],
    guard: true,
  };
}

export function dropTotp(personId: string): Step {
  return { sql: 'DELETE FROM totp WHERE person_id = $1', args: [personId] };
}
