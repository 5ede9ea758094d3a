/** Invitations that would undo a change of a role: those that the member made, and those that would give it back to them. */
import type { Actor } from '../core/accounts/actor.ts';
import { type MemberRole, rolesAbove } from '../core/accounts/role.ts';
import type { Records, Step } from '../core/sql/records.ts';
import { mintEntryId } from './token.ts';

/** Belongs in the transaction of the change. Only owners invite, so of others nothing stays that they made. */
export function withdrawVoid(
  { random }: Pick<Records, 'random'>,
  accountId: string,
  { id, email, role }: { readonly id: string; readonly email: string; readonly role: MemberRole | null },
  by: Actor,
  now: number,
): readonly Step[] {
  if (role === 'owner') return [];
  const above = rolesAbove(role).map((each) => `'${each}'`);
  const which = `account_id = $1 AND expires_at > $2 AND (invited_by = $3 OR (email = $4 AND role IN (${above.join()})))`;
  const args = [accountId, now, id, email];
  return [
    {
      sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
        SELECT $1, $5, CAST($6 AS BIGINT), $7, $8, 'member.invitation-withdrawn', string_agg(email, ', ' ORDER BY email), $9
        FROM invitation WHERE ${which} HAVING count(*) > 0`,
      args: [
        ...args,
        mintEntryId(now, random),
        now,
        by.name,
        by.address,
        role === null ? `${email} was removed` : `${email} became ${role}`,
      ],
    },
    { sql: `DELETE FROM invitation WHERE ${which}`, args },
  ];
}
