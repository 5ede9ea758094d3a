/**
 * The hooks check a member's role when a request arrives. The transaction of a change checks it again, so that nothing is
 * done for someone who was removed or demoted in the meantime.
 */
import type { Actor } from '../core/accounts/actor.ts';
import { isAtLeast, type MemberRole, ROLES } from '../core/accounts/role.ts';
import type { Records, Step } from '../core/sql/records.ts';

/** A person who makes a request as a member of an account. */
export interface Member extends Actor {
  readonly personId: string;
  readonly accountId: string;
  readonly role: MemberRole;
  readonly address: string;
  /** For the changes of the request: throws StandingLost, and does nothing, if the member may no longer make them. */
  readonly records: Records;
}

/** Nothing was done: the member is no longer allowed to do it. */
export class StandingLost extends Error {
  override readonly name = 'StandingLost';
}

/**
 * First in every transaction that changes the members of an account or depends on them, so that they happen one after the
 * other.
 */
export function lockAccount(accountId: string): Step {
  return { sql: 'UPDATE account SET name = name WHERE id = $1 RETURNING id', args: [accountId], guard: true };
}

/** See `Member.records`. */
export function onBehalfOf(
  records: Records,
  { accountId, personId }: { readonly accountId: string; readonly personId: string },
  least: MemberRole,
): Records {
  const roles = ROLES.filter((role) => isAtLeast(role, least)).map((role) => `'${role}'`);
  const before: readonly Step[] = [
    lockAccount(accountId),
    {
      sql: `SELECT role FROM member WHERE account_id = $1 AND person_id = $2 AND role IN (${roles.join()})`,
      args: [accountId, personId],
      guard: true,
    },
  ];
  return {
    random: records.random,
    async transact(steps, announce) {
      const answer = await records.transact([...before, ...steps], announce);
      if (answer.done) return { done: true, rows: answer.rows.slice(before.length) };
      if (answer.refusedBy < before.length) throw new StandingLost();
      return { done: false, refusedBy: answer.refusedBy - before.length };
    },
    keysRevision: () => records.keysRevision(),
  };
}
