/** Accounts themselves. */
import type { Actor } from '../core/accounts/actor.ts';
import { query, type Records, type Step } from '../core/sql/records.ts';
import { auditStep } from './audit.ts';
import { addMember } from './members.ts';
import { mintId } from './token.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
}

export type AccountOutcome =
  | { readonly kind: 'made'; readonly id: string }
  /** The person owns no account. */
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'taken' };

/** An owner of any account may create another, and owns it. */
export async function createAccount(
  records: Records,
  name: string,
  by: Actor & { readonly personId: string },
  now: number,
): Promise<AccountOutcome> {
  const id = mintId('acc', records.random);
  const answer = await records.transact([
    {
      // Locks what it finds: someone who is demoted in the meantime creates no account after that.
      sql: "UPDATE member SET role = role WHERE person_id = $1 AND role = 'owner' RETURNING account_id",
      args: [by.personId],
      guard: true,
    },
    insertAccount(id, name, now),
    addMember(id, by.personId, 'owner', now),
    auditStep(records, { accountId: id, by, action: 'account.created', subject: name, detail: '', at: now }),
  ]);
  if (answer.done) return { kind: 'made', id };
  return { kind: answer.refusedBy === 0 ? 'forbidden' : 'taken' };
}

/** An account without anybody in it, which the command line makes; undefined if another has the name. */
export async function addAccount(
  records: Records,
  name: string,
  by: Actor,
  now: number,
): Promise<string | undefined> {
  const id = mintId('acc', records.random);
  const entry = { accountId: id, by, action: 'account.created', subject: name, detail: '', at: now } as const;
  const answer = await records.transact([insertAccount(id, name, now), auditStep(records, entry)]);
  return answer.done ? id : undefined;
}

const insertAccount = (id: string, name: string, now: number): Step => ({
  sql: 'INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id',
  args: [id, name, now],
  guard: true,
});

export async function findAccountId(records: Records, name: string): Promise<string | undefined> {
  const [row] = await query(records, 'SELECT id FROM account WHERE name = $1', name);
  return row === undefined ? undefined : String(row.id);
}

/** All accounts. */
export async function listAccounts(records: Records): Promise<readonly Account[]> {
  const rows = await query(records, 'SELECT id, name FROM account ORDER BY name');
  return rows.map(({ id, name }) => ({ id: String(id), name: String(name) }));
}
