/** People. */
import { query, type Records, type Step } from '../core/sql/records.ts';

export interface PersonRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** An argon2id hash; null for people without a password. */
  readonly password: string | null;
  /** Whether sign-in needs an authenticator after the password. */
  readonly totp: boolean;
  /** The text that the person's device cookies are bound to. */
  readonly devices: string;
  /** Whether a provider of single sign-on ever vouched for the address. */
  readonly vouched: boolean;
}

/** Addresses are compared in lower case: no email provider in use distinguishes by case. */
export const normalizeEmail = (email: string): string => email.normalize('NFKC').toLowerCase();

const SELECT = `SELECT person.id AS id, name, email, password, devices, vouched, totp.confirmed_at AS totp
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
    vouched: Boolean(row.vouched),
  };
}

/** Refused if someone has the address. */
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
 * First in every transaction that depends on how a person signs in, so that new sessions and changes of factors happen one
 * after the other.
 */
export function lockPerson(id: string): Step {
  return { sql: 'UPDATE person SET name = name WHERE id = $1 RETURNING id', args: [id], guard: true };
}

/** Refused if the password is no longer `before`; null is none. */
export function changePassword(personId: string, before: string | null, password: string): Step {
  return {
    sql: "UPDATE person SET password = $3 WHERE id = $1 AND coalesce(password, '') = $2 RETURNING id",
    args: [personId, before ?? '', password],
    guard: true,
  };
}
