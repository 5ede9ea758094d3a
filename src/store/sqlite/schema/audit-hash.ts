/** The function that the trigger of the audit log calls: SQLite has no SHA-256. */
import type { DatabaseSync } from 'node:sqlite';
import { hashEntry } from '../../../core/accounts/audit-chain.ts';

export function defineAuditHash(db: DatabaseSync): void {
  db.function(
    'audit_hash',
    { deterministic: true },
    (before, seq, accountId, id, at, who, address, action, subject, detail) =>
      hashEntry(String(before), {
        seq: Number(seq),
        accountId: String(accountId),
        id: String(id),
        at: Number(at),
        who: String(who),
        address: address === null ? null : String(address),
        action: String(action),
        subject: String(subject),
        detail: String(detail),
      }),
  );
}
