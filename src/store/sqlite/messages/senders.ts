/** Who wrote to a number last, read in the thread for queries. PostgreSQL's partitions are days; here days lead the index. */
import type { DatabaseSync } from 'node:sqlite';
import type { SenderQuery } from '../../../core/blocking/sender.ts';
import { isKept, pastUntil } from '../../shared/kept.ts';
import { DAY_MS } from '../sql/day.ts';

export function createSenders(db: DatabaseSync, retentionMs: number) {
  // Within a day and a hash, the index is in the order of the ids, which is that of time.
  const lastOfDay = db.prepare(`
    SELECT verification_id AS id FROM attempt
    WHERE ended_at / ${DAY_MS} = :day AND carrier = :carrier AND recipient_tag = :tag
      AND outcome IN ('accepted', 'delivered')
    ORDER BY verification_id DESC LIMIT 1`);
  const account = db.prepare(`SELECT account_id FROM verification WHERE id = ? AND ${isKept('?')}`);
  const bounds = db.prepare(`
    SELECT (SELECT created_at FROM verification ORDER BY rowid LIMIT 1) AS oldest,
      (SELECT created_at FROM verification ORDER BY rowid DESC LIMIT 1) AS newest`);

  return {
    findSender({ carrier, recipientTags, now }: SenderQuery): string | undefined {
      const { oldest = null, newest = null } = bounds.get() ?? {};
      if (oldest === null || newest === null) return undefined;
      // An attempt ends at most an hour after its verification was made.
      const first = Math.floor(Number(oldest) / DAY_MS) - 1;
      for (let day = Math.floor(Number(newest) / DAY_MS) + 1; day >= first; day--) {
        const [last] = recipientTags
          .flatMap((tag) => lastOfDay.get({ day, carrier, tag })?.id ?? [])
          .map(String)
          .sort()
          .reverse();
        // Those before it are older.
        if (last !== undefined) return accountOf(last, now);
      }
      return undefined;
    },
  };

  function accountOf(id: string, now: number): string | undefined {
    const row = account.get(id, pastUntil(now, retentionMs));
    return row === undefined ? undefined : String(row.account_id);
  }
}
