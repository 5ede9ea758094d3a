/** The first owner is created with a link that the service prints while there is none. */
import { auditPersonStep } from '../../accounts/audit.ts';
import { addPerson } from '../../accounts/people.ts';
import { mintId } from '../../accounts/token.ts';
import { DEFAULT_ACCOUNT } from '../../core/accounts/default-account.ts';
import { query, type Records, type Step } from '../../core/sql/records.ts';
import { findOneTime, mintOneTime, useOneTime } from '../sign-in/one-time.ts';

const NO_OWNER = "NOT EXISTS (SELECT 1 FROM member WHERE role = 'owner')";

export async function isSetupNeeded(records: Records): Promise<boolean> {
  return (await query(records, `SELECT 1 AS needed WHERE ${NO_OWNER}`)).length > 0;
}

/** A token that creates the first owner; undefined if there is an owner. */
export async function openSetup(records: Records, now: number): Promise<string | undefined> {
  const { token, step } = mintOneTime(records, 'setup', null, now);
  const free: Step = { sql: `SELECT 1 AS needed WHERE ${NO_OWNER}`, args: [], guard: true };
  const answer = await records.transact([free, step]);
  return answer.done ? token : undefined;
}

/** Whether the token still makes the first owner. Does not use it up. */
export async function isSetupOpen(records: Records, token: string, now: number): Promise<boolean> {
  return (await isSetupNeeded(records)) && (await findOneTime(records, 'setup', token, now)) !== undefined;
}

/**
 * Makes the first owner, of all accounts. Refused if the token is used up, or if there is an owner: each node prints its
 * own link.
 */
export function setUp(
  records: Records,
  token: string,
  person: {
    readonly email: string;
    readonly name: string;
    readonly password: string;
    readonly address: string;
  },
  now: number,
): { readonly personId: string; readonly steps: readonly Step[] } {
  const personId = mintId('per', records.random);
  return {
    personId,
    steps: [
      {
        sql: 'INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        args: [mintId('acc', records.random), DEFAULT_ACCOUNT, now],
      },
      // Concurrent requests go on one by one, and each sees whether the one before made an owner.
      {
        sql: 'UPDATE account SET name = name WHERE name = $1 RETURNING id',
        args: [DEFAULT_ACCOUNT],
        guard: true,
      },
      { sql: `SELECT 1 AS needed WHERE ${NO_OWNER}`, args: [], guard: true },
      useOneTime('setup', token, now),
      { sql: "DELETE FROM one_time WHERE purpose = 'setup'", args: [] },
      addPerson({ ...person, id: personId }, now),
      {
        sql: `INSERT INTO member (account_id, person_id, role, since)
          SELECT id, $1, 'owner', CAST($2 AS BIGINT) FROM account`,
        args: [personId, now],
      },
      auditPersonStep(records, { personId, address: person.address, action: 'portal.set-up', at: now }),
    ],
  };
}
