/** Invitations to an account: a link that works once, within three days. */
import { type Actor, nameOfPerson } from '../core/accounts/actor.ts';
import { INVITATION_MS } from '../core/accounts/lasting.ts';
import { isAtLeast, type MemberRole } from '../core/accounts/role.ts';
import { query, type Records, type Step } from '../core/sql/records.ts';
import { type AuditEntry, auditStep } from './audit.ts';
import { addMember } from './members.ts';
import { lockAccount, type Member } from './standing.ts';
import { hashToken, mintId, mintToken } from './token.ts';

export interface OpenInvitation {
  readonly accountId: string;
  readonly accountName: string;
  readonly email: string;
  readonly role: MemberRole;
}

export type InviteOutcome =
  | { readonly kind: 'invited'; readonly id: string; readonly token: string; readonly expiresAt: number }
  | { readonly kind: 'member-already' };

/** Invites an address. Replaces an earlier invitation. */
export async function invite(
  records: Records,
  {
    accountId,
    email,
    role,
  }: { readonly accountId: string; readonly email: string; readonly role: MemberRole },
  by: Actor & { readonly personId?: string },
  now: number,
): Promise<InviteOutcome> {
  const id = mintId('inv', records.random);
  const token = mintToken(records.random);
  const expiresAt = now + INVITATION_MS;
  const answer = await records.transact([
    lockAccount(accountId),
    {
      sql: `SELECT 1 AS free WHERE NOT EXISTS (
        SELECT 1 FROM member JOIN person ON person.id = person_id WHERE account_id = $1 AND email = $2)`,
      args: [accountId, email],
      guard: true,
    },
    {
      sql: `INSERT INTO invitation (id, hash, account_id, email, role, created_at, expires_at, invited_by)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (account_id, email) DO UPDATE SET id = excluded.id,
          hash = excluded.hash, role = excluded.role, created_at = excluded.created_at, expires_at = excluded.expires_at,
          invited_by = excluded.invited_by`,
      args: [id, hashToken(token), accountId, email, role, now, expiresAt, by.personId ?? null],
    },
    auditStep(records, {
      accountId,
      by,
      action: 'member.invited',
      subject: email,
      detail: `as ${role}`,
      at: now,
    }),
  ]);
  return answer.done ? { kind: 'invited', id, token, expiresAt } : { kind: 'member-already' };
}

/** The invitation of a token; undefined if it was used or withdrawn, or has expired. */
export async function findInvitation(
  records: Records,
  token: string,
  now: number,
): Promise<OpenInvitation | undefined> {
  const [row] = await query(
    records,
    `SELECT account_id, account.name AS account, email, role FROM invitation JOIN account ON account.id = account_id
      WHERE hash = $1 AND expires_at > $2`,
    hashToken(token),
    now,
  );
  if (row === undefined) return undefined;
  return {
    accountId: String(row.account_id),
    accountName: String(row.account),
    email: String(row.email),
    role: row.role as MemberRole,
  };
}

/** Who accepts, as they are. */
export interface Invited {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  /** Undefined if they are no member yet. */
  readonly role?: MemberRole | undefined;
}

/**
 * Makes a person a member, or raises the role of one; it never lowers a role. The first step refuses if the invitation no longer works,
 * the second if they have another role now.
 */
export function acceptInvitation(
  records: Pick<Records, 'random'>,
  token: string,
  { accountId, email, role }: OpenInvitation,
  person: Invited,
  now: number,
): readonly Step[] {
  const { step, ...entry } = roleStep(accountId, role, person, now);
  return [
    {
      sql: `DELETE FROM invitation WHERE hash = $1 AND account_id = $2 AND email = $3 AND role = $4 AND expires_at > $5
        RETURNING id`,
      args: [hashToken(token), accountId, email, role, now],
      guard: true,
    },
    step,
    auditStep(records, {
      accountId,
      by: { name: nameOfPerson({ name: person.name, email }), address: person.address },
      ...entry,
      subject: email,
      at: now,
    }),
  ];
}

function roleStep(
  accountId: string,
  role: MemberRole,
  { id, role: held }: Invited,
  now: number,
): Pick<AuditEntry, 'action' | 'detail'> & { readonly step: Step } {
  if (held === undefined) {
    return { step: addMember(accountId, id, role, now), action: 'member.joined', detail: `as ${role}` };
  }
  if (isAtLeast(held, role)) {
    const detail = `as ${role}, and stays ${held}`;
    return { step: setRole(accountId, id, held, held), action: 'member.invitation-accepted', detail };
  }
  const detail = `by invitation: ${held} to ${role}`;
  return { step: setRole(accountId, id, held, role), action: 'member.role-changed', detail };
}

/** Refused if they have another role than `before`. */
const setRole = (accountId: string, personId: string, before: MemberRole, role: MemberRole): Step => ({
  sql: 'UPDATE member SET role = $4 WHERE account_id = $1 AND person_id = $2 AND role = $3 RETURNING role',
  args: [accountId, personId, before, role],
  guard: true,
});

/** False if there is no such invitation. */
export async function withdrawInvitation(by: Member, id: string, now: number): Promise<boolean> {
  const { accountId, records } = by;
  const sql = 'SELECT email FROM invitation WHERE account_id = $1 AND id = $2';
  const found = await records.transact([{ sql, args: [accountId, id], guard: true }]);
  if (!found.done) return false;
  const subject = String(found.rows[0]?.[0]?.email);
  const answer = await records.transact([
    {
      sql: 'DELETE FROM invitation WHERE account_id = $1 AND id = $2 RETURNING email',
      args: [accountId, id],
      guard: true,
    },
    auditStep(records, {
      ...{ accountId, by, action: 'member.invitation-withdrawn', subject, detail: '', at: now },
    }),
  ]);
  return answer.done;
}
