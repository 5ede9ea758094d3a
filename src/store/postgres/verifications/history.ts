/** What was sent, oldest first. Ids are UUIDs, and their time says which partitions are read. */
import type { History, PastVerification } from '../../../core/verification/reading/history.ts';
import { idTimes } from '../../shared/archive-page.ts';
import { historyAt } from '../../shared/history-page.ts';
import { pastUntil } from '../../shared/kept.ts';
import type { Database } from '../connection/database.ts';
import { idOf, lowestUuid, ownUuidOf } from './verification-id.ts';

export function createHistory(db: Database, retentionMs: number): History {
  const end = {
    name: 'history_end',
    text: 'SELECT id FROM verification WHERE id > $1 AND id < $2 ORDER BY id LIMIT 1 OFFSET $3',
  };
  const page = {
    name: 'history_page',
    text: historyAt({ after: '$1', last: '$2', from: '$3', to: '$4', accountId: '$5::text' }),
  };
  return {
    async readHistory({ accountId, to, now, after: cursor, limit, ...query }) {
      const from = Math.max(query.from, pastUntil(now, retentionMs) + 1);
      const times = idTimes({ from, to });
      const after = cursor === null ? lowestUuid(times.from) : ownUuidOf(cursor);
      // The end first, then the rows before it.
      const [row] = await db.read<{ id: string }>(end, [after, lowestUuid(times.to), limit - 1]);
      const last = row?.id ?? lowestUuid(times.to);
      const rows = await db.read<PastVerification>(page, [after, last, from, to, accountId]);
      return {
        verifications: rows.map((found) => ({ ...found, id: idOf(found.id) })),
        next: row === undefined ? null : idOf(row.id),
      };
    },
  };
}
