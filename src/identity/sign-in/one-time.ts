/** Tokens that work once, until they expire. Using one deletes its row, which only one of many requests can do. */
import { hashToken, mintToken } from '../../accounts/token.ts';
import { ONE_TIME_MS, type OneTime } from '../../core/accounts/lasting.ts';
import { query, type Records, type Step } from '../../core/sql/records.ts';

export interface NewOneTime {
  readonly token: string;
  readonly step: Step;
}

export function mintOneTime(
  { random }: Pick<Records, 'random'>,
  purpose: OneTime,
  personId: string | null,
  now: number,
): NewOneTime {
  const token = mintToken(random);
  return {
    token,
    step: {
      sql: 'INSERT INTO one_time (hash, purpose, person_id, expires_at) VALUES ($1, $2, $3, $4)',
      args: [hashToken(token), purpose, personId, now + ONE_TIME_MS[purpose]],
    },
  };
}

/** Whose it is, without using it; undefined if it no longer works. */
export async function findOneTime(
  records: Records,
  purpose: OneTime,
  token: string,
  now: number,
): Promise<string | undefined> {
  const [row] = await query(
    records,
    'SELECT person_id FROM one_time WHERE hash = $1 AND purpose = $2 AND expires_at > $3',
    hashToken(token),
    purpose,
    now,
  );
  return row === undefined ? undefined : String(row.person_id);
}

/** Refused if it was used or has expired. */
export function useOneTime(purpose: OneTime, token: string, now: number): Step {
  return {
    sql: 'DELETE FROM one_time WHERE hash = $1 AND purpose = $2 AND expires_at > $3 RETURNING hash',
    args: [hashToken(token), purpose, now],
    guard: true,
  };
}

/**
 * Ends the tokens of a person for one purpose. Signing in and out ends sign-ins that are half done, but never a link for a reset: whoever
 * has what the person lost could keep them out with it.
 */
export function dropOneTimes(personId: string, purpose: Exclude<OneTime, 'setup'>): Step {
  return { sql: 'DELETE FROM one_time WHERE person_id = $1 AND purpose = $2', args: [personId, purpose] };
}

/** Marks something sealed as used, until it expires; `hash` names it. Refused if it was used before. */
export function markUsed(purpose: 'oidc' | 'passkey', hash: string, expiresAt: number): Step {
  return {
    sql: `INSERT INTO one_time (hash, purpose, person_id, expires_at) VALUES ($1, $2, NULL, $3)
      ON CONFLICT (hash) DO NOTHING RETURNING hash`,
    args: [hash, purpose, expiresAt],
    guard: true,
  };
}
