/** Whether a person has put the first steps of an account away: for them, on every machine. */
import type { Member } from '../../accounts/standing.ts';

/** No entry in the audit log: it changes nothing but what the person sees. */
export async function dismissStart(
  { records, accountId, personId }: Pick<Member, 'records' | 'accountId' | 'personId'>,
  now: number,
): Promise<void> {
  await records.transact([
    {
      sql: `INSERT INTO start_dismissal (account_id, person_id, dismissed_at) VALUES ($1, $2, CAST($3 AS BIGINT))
        ON CONFLICT (account_id, person_id) DO NOTHING`,
      args: [accountId, personId, now],
    },
  ]);
}

/** Part of a SELECT whose $1 is the account and $2 the person. */
export const DISMISSED =
  '(SELECT count(*) FROM start_dismissal WHERE account_id = $1 AND person_id = $2) AS dismissed';
