/**
 * Passwords and codes that were refused, in the audit log of every account that the person is a member of. Whoever guesses
 * must not flood it: what is refused within an hour of an entry is counted there. It names the network and not the address,
 * since it may be the person's own at home, and nothing of what was typed.
 */

import { lockPerson } from '../../accounts/people.ts';
import { entryIdsFrom, mintEntryId } from '../../accounts/token.ts';
import type { Records, Step } from '../../core/records.ts';
import { networkOf } from './network.ts';

/** Who it was is not known. */
const SOMEBODY = 'somebody';
const TOGETHER_MS = 3_600_000;

export interface Refusal {
  readonly personId: string;
  readonly action: 'password.refused' | 'second-factor.refused';
  /** Whence it came: an IP address. */
  readonly address: string;
  /** Unix ms. */
  readonly at: number;
}

export async function noteRefusal(
  records: Records,
  { personId, action, address, at }: Refusal,
): Promise<void> {
  const since = entryIdsFrom(at - TOGETHER_MS);
  const count: Step = {
    sql: `UPDATE audit_entry SET times = times + 1
      WHERE id >= $2 AND action = $3 AND subject = (SELECT email FROM person WHERE id = $1)
        AND account_id IN (SELECT account_id FROM member WHERE person_id = $1)`,
    args: [personId, since, action],
  };
  const begin: Step = {
    sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
      SELECT account_id, $2, CAST($3 AS BIGINT), '${SOMEBODY}', $4, '${action}', email, ''
      FROM member JOIN person ON person.id = person_id WHERE person_id = $1 AND NOT EXISTS (
        SELECT 1 FROM audit_entry AS noted WHERE noted.account_id = member.account_id AND noted.id >= $5
          AND noted.action = '${action}' AND noted.subject = email)`,
    args: [personId, mintEntryId(at), at, networkOf(address), since],
  };
  // Those that come at once do so one after the other, each seeing the entry of the one before.
  await records.transact([lockPerson(personId), count, begin]);
}
