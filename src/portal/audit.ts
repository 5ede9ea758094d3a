/** Who did what in an account, when and from where. */
import { randomUUIDv7 } from 'node:crypto';
import type { Step } from '../core/records.ts';

export interface AuditEntry {
  readonly accountId: string;
  readonly who: string;
  readonly address: string | null;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
  /** Unix ms. */
  readonly at: number;
}

export function auditStep({ accountId, who, address, action, subject, detail, at }: AuditEntry): Step {
  return {
    sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    args: [accountId, `aud_${randomUUIDv7().replaceAll('-', '')}`, at, who, address, action, subject, detail],
  };
}
