/**
 * What a member changes is done while they are one, of the role that it asks for. The hooks let a request in by what was so
 * then; the transaction of the change looks again, so that nothing is done for who was removed or demoted meanwhile.
 */
import type { Actor } from '../core/actor.ts';
import type { Records, Step } from '../core/records.ts';

/** `owner` may do everything, `developer` all but people and settings, `viewer` looks. */
export type Role = 'owner' | 'developer' | 'viewer';

/** Who asks, as a member of an account. */
export interface Member extends Actor {
  readonly personId: string;
  readonly accountId: string;
  readonly role: Role;
  readonly address: string;
  /** For what the request changes: does nothing, and throws StandingLost, once the member may not do it any more. */
  readonly records: Records;
}

/** From the least to the most. */
const ROLES: readonly Role[] = ['viewer', 'developer', 'owner'];

export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** Nothing was done: who asked is no longer allowed to. */
export class StandingLost extends Error {
  override readonly name = 'StandingLost';
}

/**
 * First in every transaction that changes who belongs to an account, or that depends on it: they come one after the
 * other, so that each sees what the one before has left.
 */
export function lockAccount(accountId: string): Step {
  return { sql: 'UPDATE account SET name = name WHERE id = $1 RETURNING id', args: [accountId], guard: true };
}

/** The records, for the changes of a member: a transaction does nothing and throws StandingLost once they may not do it. */
export function onBehalfOf(
  records: Records,
  { accountId, personId }: { readonly accountId: string; readonly personId: string },
  least: Role,
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
    async transact(steps, announce) {
      const answer = await records.transact([...before, ...steps], announce);
      if (answer.done) return { done: true, rows: answer.rows.slice(before.length) };
      if (answer.refusedBy < before.length) throw new StandingLost();
      return { done: false, refusedBy: answer.refusedBy - before.length };
    },
    keysRevision: () => records.keysRevision(),
  };
}
