/** People as the store has them. */
import { query, type Records, type Step } from '../core/records.ts';
import type { Me } from './contract/session.ts';
import { describeIdentity, listIdentities } from './oidc/identities.ts';

export interface PersonRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** As argon2id writes it; null for who has none. */
  readonly password: string | null;
  /** A second factor is asked for after the password. */
  readonly totp: boolean;
  /** What the person's devices are known by. */
  readonly devices: string;
}

/** Addresses are compared in lower case: no provider in use tells them apart by it. */
export const normalizeEmail = (email: string): string => email.normalize('NFKC').toLowerCase();

const SELECT = `SELECT person.id AS id, name, email, password, devices, totp.confirmed_at AS totp
  FROM person LEFT JOIN totp ON totp.person_id = person.id`;

export const findPersonByEmail = (records: Records, email: string) =>
  findPerson(records, `${SELECT} WHERE email = $1`, email);

export const findPersonById = (records: Records, id: string) =>
  findPerson(records, `${SELECT} WHERE person.id = $1`, id);

async function findPerson(records: Records, sql: string, key: string): Promise<PersonRecord | undefined> {
  const [row] = await query(records, sql, key);
  if (row === undefined) return undefined;
  return {
    id: String(row.id),
    name: String(row.name),
    email: String(row.email),
    password: row.password as string | null,
    totp: row.totp !== null,
    devices: String(row.devices),
  };
}

/** Refused when somebody has the address. */
export function addPerson(
  person: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly password: string | null;
  },
  now: number,
): Step {
  return {
    sql: `INSERT INTO person (id, email, name, password, created_at) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (email) DO NOTHING RETURNING id`,
    args: [person.id, person.email, person.name, person.password, now],
    guard: true,
  };
}

/**
 * First in every transaction that looks at what a person signs in with: sessions that begin and factors that change
 * come one after the other.
 */
export function lockPerson(id: string): Step {
  return { sql: 'UPDATE person SET name = name WHERE id = $1 RETURNING id', args: [id], guard: true };
}

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
      created_at: instant(row.created_at),
      last_used_at: row.last_used_at === null ? null : instant(row.last_used_at),
    })),
    identities: identities.map(describeIdentity),
    accounts: accounts.map((row) => ({
      id: String(row.id),
      name: String(row.name),
      role: row.role as Me['accounts'][number]['role'],
    })),
  };
}

const instant = (at: unknown): string => new Date(Number(at)).toISOString();
