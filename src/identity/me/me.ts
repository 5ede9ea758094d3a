import type { Records } from '../../core/sql/records.ts';
import { formatInstant, formatOptional } from '../../operations/instant.ts';
import { describeIdentity, listIdentities } from '../oidc/identities.ts';
import type { Me } from './contract.ts';

/** What a person's own page shows. */
export async function readMe(records: Records, personId: string): Promise<Me> {
  const answer = await records.transact([
    {
      sql: `SELECT person.id AS id, name, email, password IS NOT NULL AS has_password,
          totp.confirmed_at IS NOT NULL AS totp,
          (SELECT count(*) FROM recovery_code WHERE recovery_code.person_id = person.id) AS recovery_codes
        FROM person LEFT JOIN totp ON totp.person_id = person.id WHERE person.id = $1`,
      args: [personId],
      guard: true,
    },
    {
      sql: 'SELECT id, name, created_at, last_used_at FROM passkey WHERE person_id = $1 ORDER BY created_at, id',
      args: [personId],
    },
    {
      sql: `SELECT account.id AS id, account.name AS name, role FROM member JOIN account ON account.id = account_id
        WHERE person_id = $1 ORDER BY account.name`,
      args: [personId],
    },
    listIdentities(personId),
  ]);
  if (!answer.done) throw new Error('a session without a person');
  const [[person] = [], passkeys = [], accounts = [], identities = []] = answer.rows;
  return {
    id: personId,
    name: String(person?.name),
    email: String(person?.email),
    has_password: Boolean(person?.has_password),
    totp: Boolean(person?.totp),
    recovery_codes_left: Number(person?.recovery_codes),
    passkeys: passkeys.map((row) => ({
      id: String(row.id),
      name: String(row.name),
      created_at: formatInstant(Number(row.created_at)),
      last_used_at: formatOptional(row.last_used_at === null ? null : Number(row.last_used_at)),
    })),
    identities: identities.map(describeIdentity),
    accounts: accounts.map((row) => ({
      id: String(row.id),
      name: String(row.name),
      role: row.role as Me['accounts'][number]['role'],
    })),
  };
}
