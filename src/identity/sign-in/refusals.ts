/**
 * Refused passwords and codes, in the audit log of every account of the person. Guessing must not flood it, so refusals
 * within five minutes of an entry are counted in that entry. It names the network instead of the address, which may be the
 * person's own at home, and nothing that was typed.
 */

import { lockPerson } from '../../accounts/people.ts';
import { entryIdsFrom, mintEntryId } from '../../accounts/token.ts';
import { SOMEBODY } from '../../core/accounts/actor.ts';
import { type AuditAction, REFUSALS_TOGETHER_MS } from '../../core/accounts/audit-action.ts';
import { MAX_AHEAD_MS } from '../../core/seams/clock.ts';
import type { Records, Step } from '../../core/sql/records.ts';
import { network64 } from '../../core/text/network.ts';

export interface SignInRefusal {
  readonly personId: string;
  readonly action: Extract<AuditAction, `${string}.refused`>;
  /** The IP address that it came from. */
  readonly address: string;
  /** Unix ms. */
  readonly at: number;
}

export async function noteRefusal(
  records: Records,
  { personId, action, address, at }: SignInRefusal,
): Promise<void> {
  const since = entryIdsFrom(at - REFUSALS_TOGETHER_MS);
  // An entry from a clock that was ahead is not of these minutes, and cannot be corrected.
  const until = entryIdsFrom(at + MAX_AHEAD_MS);
  const count: Step = {
    sql: `UPDATE audit_entry SET times = times + 1
      WHERE id >= $2 AND id < $4 AND action = $3 AND subject = (SELECT email FROM person WHERE id = $1)
        AND account_id IN (SELECT account_id FROM member WHERE person_id = $1)`,
    args: [personId, since, action, until],
  };
  const begin: Step = {
    sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
      SELECT account_id, $2, CAST($3 AS BIGINT), '${SOMEBODY}', $4, '${action}', email, ''
      FROM member JOIN person ON person.id = person_id WHERE person_id = $1 AND NOT EXISTS (
        SELECT 1 FROM audit_entry AS noted WHERE noted.account_id = member.account_id AND noted.id >= $5 AND noted.id < $6
          AND noted.action = '${action}' AND noted.subject = email)`,
    args: [personId, mintEntryId(at, records.random), at, networkOf(address), since, until],
  };
  // The lock puts concurrent ones in order, so that each sees the entry of the one before.
  await records.transact([lockPerson(personId), count, begin]);
}

/** The network of an IP address: the first 24 bits for IPv4, or the first 64 for IPv6, which one household has. */
function networkOf(address: string): string {
  return address.includes(':') ? `${network64(address)}::/64` : address.replace(/\.\d+$/, '.0/24');
}
