/** The members of an account and their roles. */
import type { Actor } from '../core/accounts/actor.ts';
import type { MemberRole } from '../core/accounts/role.ts';
import { query, type Records, type Step } from '../core/sql/records.ts';
import { auditStep } from './audit.ts';
import type { Member } from './standing.ts';
import { withdrawVoid } from './void-invitations.ts';

/** Refused if they are a member already. */
export function addMember(accountId: string, personId: string, role: MemberRole, now: number): Step {
  return {
    sql: `INSERT INTO member (account_id, person_id, role, since) VALUES ($1, $2, $3, $4)
      ON CONFLICT DO NOTHING RETURNING role`,
    args: [accountId, personId, role, now],
    guard: true,
  };
}

/** Undefined if they are no member. */
export async function findRole(
  records: Records,
  accountId: string,
  personId: string,
): Promise<MemberRole | undefined> {
  const sql = 'SELECT role FROM member WHERE account_id = $1 AND person_id = $2';
  const [row] = await query(records, sql, accountId, personId);
  return row?.role as MemberRole | undefined;
}

export type MemberChange = 'done' | 'unchanged' | 'unknown' | 'last-owner';

/**
 * Changes a member's role; null ends the membership. An account always keeps an owner. Open invitations that would undo it are withdrawn.
 */
export async function changeMember(
  by: Actor & Pick<Member, 'accountId' | 'records'>,
  personId: string,
  role: MemberRole | null,
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
  // Nothing to tell anybody of.
  if (member.role === role) return 'unchanged';
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
    auditStep(records, {
      accountId,
      by,
      action: role === null ? 'member.removed' : 'member.role-changed',
      subject: String(member.email),
      detail: role === null ? '' : `${member.role} to ${role}`,
      at: now,
    }),
    ...withdrawVoid(records, accountId, { id: personId, email: String(member.email), role }, by, now),
  ]);
  return answer.done ? 'done' : 'last-owner';
}
