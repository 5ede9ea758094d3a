/** Who wrote to a number last, read in the thread for queries. PostgreSQL's partitions are days; here days lead the index. */
import type { DatabaseSync } from 'node:sqlite';
import type { SenderQuery } from '../../../core/blocking/sender.ts';
import { DAY_MS } from '../../../core/seams/spans.ts';
import { isKept, pastUntil } from '../../shared/kept.ts';

export function createSenders(db: DatabaseSync, retentionMs: number) {
  // By when it was accepted: a message may have waited, or gone to another carrier first.
  const lastOfDay = db.prepare(`
    SELECT ended_at AS at, verification_id AS id FROM attempt
    WHERE ended_at / ${DAY_MS} = :day AND carrier = :carrier AND recipient_tag = :tag
      AND outcome IN ('accepted', 'delivered')
    ORDER BY ended_at DESC, verification_id DESC LIMIT 1`);
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
          .flatMap((tag) => lastOfDay.all({ day, carrier, tag }))
          .sort((a, b) => Number(b.at) - Number(a.at));
        // Those of the days before are older.
        if (last !== undefined) return accountOf(String(last.id), now);
      }
      return undefined;
    },
  };

  function accountOf(id: string, now: number): string | undefined {
    const row = account.get(id, pastUntil(now, retentionMs));
    return row === undefined ? undefined : String(row.account_id);
  }
}
