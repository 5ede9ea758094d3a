/** The identities of our people at their providers. */
import { mintId } from '../../accounts/token.ts';
import { query, type Records, type Row, type Step } from '../../core/sql/records.ts';
import { formatInstant } from '../../operations/instant.ts';
import type { LinkedIdentity } from './contract.ts';
import type { Identity } from './provider.ts';

type Key = Pick<Identity, 'issuer' | 'subject'>;

/** The person of an identity; undefined if nobody is linked to it. */
export async function findLinked(records: Records, { issuer, subject }: Key): Promise<string | undefined> {
  const sql = 'SELECT person_id FROM identity WHERE issuer = $1 AND subject = $2';
  const [row] = await query(records, sql, issuer, subject);
  return row === undefined ? undefined : String(row.person_id);
}

/** Refused if the identity is already linked, or the person has another one of that issuer. */
export function linkIdentity(
  { random }: Pick<Records, 'random'>,
  personId: string,
  { issuer, subject }: Key,
  now: number,
): Step {
  return {
    sql: `INSERT INTO identity (issuer, subject, id, person_id, created_at, last_used_at)
      VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT DO NOTHING RETURNING id`,
    args: [issuer, subject, mintId('idn', random), personId, now],
    guard: true,
  };
}

/** Refused if the person is no longer linked. */
export function touch(personId: string, { issuer, subject }: Key, now: number): Step {
  return {
    sql: `UPDATE identity SET last_used_at = $4 WHERE issuer = $1 AND subject = $2 AND person_id = $3
      RETURNING person_id`,
    args: [issuer, subject, personId, now],
    guard: true,
  };
}

/** Refused if the person has no other way to sign in. */
export function keepsAnotherWay(personId: string): Step {
  return {
    sql: `SELECT id FROM person WHERE id = $1 AND (password IS NOT NULL
      OR EXISTS (SELECT 1 FROM passkey WHERE passkey.person_id = person.id))`,
    args: [personId],
    guard: true,
  };
}

/** Refused if the person has no such identity. */
export function unlink(personId: string, id: string): Step {
  return {
    sql: 'DELETE FROM identity WHERE person_id = $1 AND id = $2 RETURNING id',
    args: [personId, id],
    guard: true,
  };
}

export function unlinkAll(personId: string): Step {
  return { sql: 'DELETE FROM identity WHERE person_id = $1', args: [personId] };
}

export function listIdentities(personId: string): Step {
  return {
    sql: 'SELECT id, issuer, created_at, last_used_at FROM identity WHERE person_id = $1 ORDER BY issuer',
    args: [personId],
  };
}

export function describeIdentity(row: Row): LinkedIdentity {
  return {
    id: String(row.id),
    issuer: String(row.issuer),
    created_at: formatInstant(Number(row.created_at)),
    last_used_at: formatInstant(Number(row.last_used_at)),
  };
}
