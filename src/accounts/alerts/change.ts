/** What every change to the alerts of an account has in common. */
import type { Actor } from '../../core/accounts/actor.ts';
import type { AuditAction } from '../../core/accounts/audit-action.ts';
import type { Records, Statement } from '../../core/sql/records.ts';
import { auditStep } from '../audit.ts';

/** Who changes what, and when. */
export interface AlertChange {
  readonly accountId: string;
  readonly by: Actor;
  /** Unix ms. */
  readonly now: number;
}

export function auditAlerts(
  records: Pick<Records, 'random'>,
  action: AuditAction,
  subject: string,
  { accountId, by, now }: AlertChange,
  detail = '',
): Statement {
  return auditStep(records, { accountId, by, action, subject, detail, at: now });
}
