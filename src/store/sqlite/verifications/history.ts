/** What was sent, oldest first, read in the thread for long queries. Ids are text, with a prefix. */
import type { DatabaseSync } from 'node:sqlite';
import type {
  HistoryPage,
  HistoryQuery,
  PastVerification,
} from '../../../core/verification/reading/history.ts';
import { idTimes } from '../../shared/archive-page.ts';
import { historyAt } from '../../shared/history-page.ts';
import { pastUntil } from '../../shared/kept.ts';
import { lowestId } from './archive.ts';

export function createHistory(db: DatabaseSync, retentionMs: number) {
  const end = db.prepare('SELECT id FROM verification WHERE id > ? AND id < ? ORDER BY id LIMIT 1 OFFSET ?');
  const page = db.prepare(
    historyAt({ after: ':after', last: ':last', from: ':from', to: ':to', accountId: ':accountId' }),
  );
  return {
    readHistory({ limit, ...query }: HistoryQuery): HistoryPage {
      const { accountId, to, now } = query;
      const from = Math.max(query.from, pastUntil(now, retentionMs) + 1);
      const times = idTimes({ from, to });
      const after = query.after ?? lowestId(times.from);
      // The end first, then the rows before it.
      const row = end.get(after, lowestId(times.to), limit - 1);
      const next = row === undefined ? null : String(row.id);
      const rows = page.all({ after, last: next ?? lowestId(times.to), from, to, accountId });
      return { verifications: rows as unknown as PastVerification[], next };
    },
  };
}
