/** The members of an account as a long list, by name, and the invitations that are still open. */

import type { MemberRole } from '../../core/accounts/role.ts';
import { query, type Records } from '../../core/sql/records.ts';
import type { ListPlace } from '../list-place.ts';
import { contains, type LongList, type Matches, select } from './walk.ts';

export interface ListedMember {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: MemberRole;
  /** Unix ms, as all times here. */
  readonly since: number;
  /** Has an authenticator or a passkey. */
  readonly twoFactor: boolean;
}

export interface ListedInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The person; null for the command line. */
  readonly invitedBy: string | null;
}

export interface MemberFilter {
  /** A part of the name or of the address. */
  readonly text?: string;
  readonly role?: MemberRole;
}

/** Each is open for three days only. */
const MOST_INVITATIONS = 500;

export function membersOf(
  records: Records,
  accountId: string,
  { role }: MemberFilter,
): LongList<ListedMember, ListPlace<string>> {
  return {
    placeOf: ({ name, id }) => [name, id],
    async read(after, limit) {
      const rows = await select(records, (place) => {
        const conditions = [`account_id = ${place(accountId)}`];
        if (role !== undefined) conditions.push(`role = ${place(role)}`);
        if (after !== undefined)
          conditions.push(`(person.name, person.id) > (${place(after[0])}, ${place(after[1])})`);
        return `SELECT person.id AS id, name, email, role, since, (
            EXISTS (SELECT 1 FROM totp WHERE totp.person_id = person.id AND confirmed_at IS NOT NULL)
            OR EXISTS (SELECT 1 FROM passkey WHERE passkey.person_id = person.id)) AS two_factor
          FROM member JOIN person ON person.id = person_id WHERE ${conditions.join(' AND ')}
          ORDER BY person.name, person.id LIMIT ${limit}`;
      });
      return rows.map((row) => ({
        id: String(row.id),
        name: String(row.name),
        email: String(row.email),
        role: row.role as MemberRole,
        since: Number(row.since),
        twoFactor: Boolean(row.two_factor),
      }));
    },
  };
}

/** Undefined if everybody matches. */
export function membersWith({
  text,
}: MemberFilter): Matches<Pick<ListedMember, 'name' | 'email'>> | undefined {
  return text === undefined ? undefined : ({ name, email }) => contains([name, email], text);
}

/** Those that the same filter finds. */
export async function readInvitations(
  records: Records,
  accountId: string,
  { text, role }: MemberFilter,
  now: number,
): Promise<readonly ListedInvitation[]> {
  const rows = await query(
    records,
    `SELECT id, email, role, created_at, expires_at, invited_by FROM invitation
      WHERE account_id = $1 AND expires_at > $2 ORDER BY email, id LIMIT ${MOST_INVITATIONS}`,
    accountId,
    now,
  );
  return rows
    .map((row) => ({
      id: String(row.id),
      email: String(row.email),
      role: row.role as MemberRole,
      createdAt: Number(row.created_at),
      expiresAt: Number(row.expires_at),
      invitedBy: row.invited_by as string | null,
    }))
    .filter((each) => role === undefined || each.role === role)
    .filter((each) => text === undefined || contains([each.email], text));
}
