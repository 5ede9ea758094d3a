/** The first owner: made through a link that the service prints while there is none. */

import { auditPersonStep } from '../../accounts/audit.ts';
import { addPerson } from '../../accounts/people.ts';
import { mintId } from '../../accounts/token.ts';
import { query, type Records, type Step } from '../../core/records.ts';
import { mintOneTime, useOneTime } from '../sign-in/one-time.ts';

const NO_OWNER = "NOT EXISTS (SELECT 1 FROM member WHERE role = 'owner')";
const DEFAULT_ACCOUNT = 'default';

export async function isSetupNeeded(records: Records): Promise<boolean> {
  return (await query(records, `SELECT 1 AS needed WHERE ${NO_OWNER}`)).length > 0;
}

/** A token that makes the first owner; undefined when there is one. */
export async function openSetup(records: Records, now: number): Promise<string | undefined> {
  const { token, step } = mintOneTime('setup', null, now);
  const free: Step = { sql: `SELECT 1 AS needed WHERE ${NO_OWNER}`, args: [], guard: true };
  const answer = await records.transact([free, step]);
  return answer.done ? token : undefined;
}

/**
 * Makes the first owner, of all accounts there are. Refused when the token is spent, and also when there is an owner: each
 * node prints a link of its own.
 */
export function setUp(
  token: string,
  person: {
    readonly email: string;
    readonly name: string;
    readonly password: string;
    readonly address: string;
  },
  now: number,
): { readonly personId: string; readonly steps: readonly Step[] } {
  const personId = mintId('per');
  return {
    personId,
    steps: [
      {
        sql: 'INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        args: [mintId('acc'), DEFAULT_ACCOUNT, now],
      },
      // Those that come at once go on one by one, each seeing whether the one before has made an owner.
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
      auditPersonStep({ personId, address: person.address, action: 'portal.set-up', at: now }),
    ],
  };
}
