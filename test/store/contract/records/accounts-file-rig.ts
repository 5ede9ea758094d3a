/** Files of accounts, planned and applied as the command does. */
import { addMember } from '../../../../src/accounts/members.ts';
import { addPerson } from '../../../../src/accounts/people.ts';
import { parseAccountsFile } from '../../../../src/cli/accounts/accounts-file.ts';
import { carryOut } from '../../../../src/cli/accounts/carry-out.ts';
import { planAccounts } from '../../../../src/cli/accounts/plan.ts';
import type { MemberRole } from '../../../../src/core/accounts/role.ts';
import { FACTS } from '../../../../src/core/lookups/facts.ts';
import type { Records } from '../../../../src/core/sql/records.ts';
import { PLAIN_LIMITS } from '../../../../src/core/verification/fixture.ts';
import type { Store } from '../../../../src/store/port.ts';

export const NOW = Date.UTC(2026, 10, 23, 12);
const RULES = {
  accountLimits: PLAIN_LIMITS,
  code: { length: 6, alphabet: 'digits', validFor: 600_000, guesses: 5 },
  messages: { brand: 'Acme' },
  lookups: [{ name: 'all', price: 0, failsClosed: false, tells: new Set(FACTS), countries: undefined }],
} as const;

export const plan = (records: Records, text: string, now = NOW) =>
  planAccounts(records, parseAccountsFile(text, 'file'), RULES, now);

/** How many changes it made. */
export async function apply(store: Store, text: string, now = NOW): Promise<number> {
  const changes = await plan(store, text, now);
  for (const change of changes) await carryOut(store, change, now);
  return changes.length;
}

/** A person of that name at example.com, who is a member. */
export async function join(store: Store, accountId: string, name: string, role: MemberRole): Promise<string> {
  const id = `per_${accountId}_${name}`;
  const email = `${name}@example.com`;
  await store.transact([
    addPerson({ id, name, email, password: 'hashed' }, NOW),
    addMember(accountId, id, role, NOW),
  ]);
  return id;
}
