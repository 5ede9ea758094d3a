/** What the audit log says of people: refused sign-ins, new owners, second factors that are gone. */

import { REFUSALS_TOGETHER_MS } from '../../core/accounts/audit-action.ts';
import type { AlertFinding } from '../../core/alerts/judge.ts';
import { MAX_AHEAD_MS } from '../../core/seams/clock.ts';
import { HOUR_MS } from '../../core/seams/spans.ts';
import { query, type Row } from '../../core/sql/records.ts';
import { type Look, MOST_FOUND } from './source.ts';

/** Told of as long. */
const RECENT_MS = 24 * HOUR_MS;

/** Not grouped by the column itself: SQLite would read the whole log in its order, rather than the last hour and sort that. */
const REFUSED = `
  SELECT account_id || '' AS account_id, sum(times) AS times FROM audit_entry
  WHERE at > CAST($1 AS BIGINT) AND at <= CAST($2 AS BIGINT) AND action IN ('password.refused', 'second-factor.refused')
  GROUP BY 1 LIMIT ${MOST_FOUND}`;

/** Of many entries an owner counts as one if they are one now: who was made less since is no danger any more. */
const CHANGED = `
  SELECT account_id, id, action, subject, who, detail FROM audit_entry AS entry
  WHERE at > CAST($1 AS BIGINT) AND (
    (action = 'member.role-changed' AND detail LIKE '% to owner')
    OR (action = 'member.joined' AND detail LIKE 'as owner%')
    OR (action IN ('totp.removed', 'passkey.removed', 'person.reset', 'person.proven') AND EXISTS (
      SELECT 1 FROM member JOIN person ON person.id = person_id
      WHERE member.account_id = entry.account_id AND role = 'owner' AND email = entry.subject)))
  ORDER BY at DESC LIMIT ${MOST_FOUND}`;

export async function watchSignIns({ records, now, thresholdOf }: Look): Promise<readonly AlertFinding[]> {
  const threshold = thresholdOf('sign-ins-failed');
  // An entry of before the hour may have counted some in it. Rather a few too many than a burst that is missed.
  const rows = await query(records, REFUSED, now - HOUR_MS - REFUSALS_TOGETHER_MS, now + MAX_AHEAD_MS);
  return rows.flatMap((row): AlertFinding[] => {
    const [accountId, times] = [String(row.account_id), Number(row.times)];
    if (times < threshold / 2) return [];
    const level = times >= threshold ? 'bad' : 'near';
    const detail = `${times} passwords or codes of members were refused within about an hour.`;
    return [{ rule: 'sign-ins-failed', accountId, subject: 'sign-ins', level, detail, place: 'audit' }];
  });
}

export async function watchOwners({ records, now }: Look): Promise<readonly AlertFinding[]> {
  const rows = await query(records, CHANGED, now - RECENT_MS);
  return rows.map((row) => {
    const isNew = String(row.action).startsWith('member.');
    const found = { accountId: String(row.account_id), subject: String(row.id), level: 'bad' } as const;
    return isNew
      ? { ...found, rule: 'owner-new', detail: newOwner(row), place: 'people' }
      : { ...found, rule: 'factor-removed', detail: factorGone(row), place: 'audit' };
  });
}

function newOwner({ action, subject, who, detail }: Row): string {
  if (action === 'member.joined') return `${subject} joined as an owner.`;
  if (String(detail).startsWith('by invitation')) return `${subject} accepted an invitation as an owner.`;
  return `${subject} was made an owner, by ${who}.`;
}

function factorGone({ action, subject }: Row): string {
  if (action === 'person.proven') {
    return `${subject}, an owner, came by single sign-on for the first time, which ended their other ways to sign in.`;
  }
  if (action === 'person.reset') return `The sign-in of ${subject}, an owner, was reset.`;
  return `${subject}, an owner, has ${action === 'totp.removed' ? 'no authenticator any more' : 'a passkey less'}.`;
}
