/** The members of an account and their roles. */
import { query, type Records, type Step } from '../core/accounts/records.ts';
import { auditStep } from './audit.ts';
import type { Member, Role } from './standing.ts';

export interface MemberList {
  readonly members: readonly {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly role: Role;
    /** Unix ms, as all times here. */
    readonly since: number;
    /** Has an authenticator or a passkey. */
    readonly twoFactor: boolean;
  }[];
  readonly invitations: readonly {
    readonly id: string;
    readonly email: string;
    readonly role: Role;
    readonly createdAt: number;
    readonly expiresAt: number;
  }[];
}

/** Someone who is already a member keeps their role. */
export function addMember(accountId: string, personId: string, role: Role, now: number): Step {
  return {
    sql: 'INSERT INTO member (account_id, person_id, role, since) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    args: [accountId, personId, role, now],
  };
}

export async function readMembers(records: Records, accountId: string, now: number): Promise<MemberList> {
  const answer = await records.transact([
    {
      sql: `SELECT person.id AS id, name, email, role, since, (
          EXISTS (SELECT 1 FROM totp WHERE totp.person_id = person.id AND confirmed_at IS NOT NULL)
          OR EXISTS (SELECT 1 FROM passkey WHERE passkey.person_id = person.id)) AS two_factor
        FROM member JOIN person ON person.id = person_id WHERE account_id = $1 ORDER BY name, person.id`,
      args: [accountId],
    },
    {
      sql: `SELECT id, email, role, created_at, expires_at FROM invitation
        WHERE account_id = $1 AND expires_at > $2 ORDER BY email`,
      args: [accountId, now],
    },
  ]);
  const [members = [], invitations = []] = answer.done ? answer.rows : [];
  return {
    members: members.map((row) => ({
      id: String(row.id),
      name: String(row.name),
      email: String(row.email),
      role: row.role as Role,
      since: Number(row.since),
      twoFactor: Boolean(row.two_factor),
    })),
    invitations: invitations.map((row) => ({
      id: String(row.id),
      email: String(row.email),
      role: row.role as Role,
      createdAt: Number(row.created_at),
      expiresAt: Number(row.expires_at),
    })),
  };
}

export type MemberChange = 'done' | 'unknown' | 'last-owner';

/** Changes a member's role; null ends the membership. An account always keeps an owner. */
export async function changeMember(
  by: Member,
  personId: string,
  role: Role | null,
  now: number,
): Promise<MemberChange> {
  const { accountId, records } = by;
  const [member] = await query(
    records,
    'SELECT email, role FROM member JOIN person ON person.id = person_id WHERE account_id = $1 AND person_id = $2',
    accountId,
    personId,
  );
  if (member === undefined) return 'unknown';
  const keepsAnOwner = `(role <> 'owner' OR EXISTS (
    SELECT 1 FROM member AS other WHERE other.account_id = $1 AND other.role = 'owner' AND other.person_id <> $2))`;
  const where = 'WHERE account_id = $1 AND person_id = $2';
  const change: Step =
    role === null
      ? {
          sql: `DELETE FROM member ${where} AND ${keepsAnOwner} RETURNING role`,
          args: [accountId, personId],
          guard: true,
        }
      : {
          sql: `UPDATE member SET role = $3 ${where} AND ($3 = 'owner' OR ${keepsAnOwner}) RETURNING role`,
          args: [accountId, personId, role],
          guard: true,
        };
  const answer = await records.transact([
    change,
    auditStep({
      accountId,
      by,
      action: role === null ? 'member.removed' : 'member.role-changed',
      subject: String(member.email),
      detail: role === null ? '' : `${member.role} to ${role}`,
      at: now,
    }),
  ]);
  return answer.done ? 'done' : 'last-owner';
}
