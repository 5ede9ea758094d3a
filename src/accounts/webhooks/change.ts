/** What every change to the endpoints of an account has in common. */
import type { Actor } from '../../core/accounts/actor.ts';
import type { AuditAction } from '../../core/accounts/audit-action.ts';
import type { Records, Statement } from '../../core/sql/records.ts';
import { auditStep } from '../audit.ts';

/** Who changes what, and when. */
export interface Change {
  readonly accountId: string;
  readonly by: Actor;
  /** Unix ms. */
  readonly now: number;
}

export interface ChangeOfOne extends Change {
  /** Of the endpoint. */
  readonly id: string;
}

/** A change that may decide who gets full numbers. */
export interface NumbersChange extends ChangeOfOne {
  /** Whether who asks may. */
  readonly mayGiveNumbers: boolean;
}

/** Without the URL, which may hold a token. */
export function auditWebhook(
  records: Pick<Records, 'random'>,
  action: AuditAction,
  { accountId, id, by, now }: ChangeOfOne,
  detail = '',
): Statement {
  return auditStep(records, { accountId, by, action, subject: id, detail, at: now });
}
