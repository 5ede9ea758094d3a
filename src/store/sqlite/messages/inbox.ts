/** Messages of the simulator, which are columns of the verification. */
import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../../core/seams/spans.ts';
import type { InboxEntry } from '../../../core/verification/reading/inbox.ts';
import { type BothKinds, kindOf, type Scope } from '../../../core/verification/scope.ts';
import type { Retention } from '../../port.ts';
import { isKept } from '../../shared/kept.ts';
import { INBOX_COLUMNS, inboxMessage, MOST_LOOKED_AT } from '../../shared/sealed-message.ts';
import { daysOf } from '../sql/day.ts';

const IS_OF_KIND = '(:test IS NULL OR test = :test)';

export function createInbox(
  db: DatabaseSync,
  { simulatorMessages, verifications }: Pick<Retention, 'simulatorMessages' | 'verifications'>,
) {
  const isShown = `inbox_at > :now - ${simulatorMessages} AND ${isKept(`:now - ${verifications}`)}`;
  const ofAll = db.prepare(`
    SELECT * FROM (
      SELECT ${INBOX_COLUMNS}, inbox_at FROM verification WHERE rowid IN (
        SELECT rowid FROM verification
        WHERE account_id = :accountId AND inbox_at IS NOT NULL AND ${isShown} ORDER BY rowid DESC LIMIT ${MOST_LOOKED_AT})
      AND ${IS_OF_KIND} ORDER BY rowid DESC LIMIT :limit)
    ORDER BY id DESC`);
  const ofDestination = db.prepare(`
    SELECT ${INBOX_COLUMNS}, inbox_at FROM verification INDEXED BY verification_destination
    WHERE created_at / ${DAY_MS} IN (${daysOf(simulatorMessages)})
      AND destination_hash IN (SELECT value FROM json_each(:hashes))
      AND account_id = :accountId AND ${IS_OF_KIND} AND ${isShown}
    ORDER BY inbox_at DESC, id DESC LIMIT :limit`);

  return {
    list(
      scope: Scope | BothKinds,
      destinationHashes: readonly string[] | null,
      limit: number,
      now: number,
    ): InboxEntry[] {
      const kind = kindOf(scope);
      const wanted = { accountId: scope.accountId, test: kind === null ? null : Number(kind), limit, now };
      const rows =
        destinationHashes === null
          ? ofAll.all(wanted)
          : ofDestination.all({ ...wanted, hashes: JSON.stringify(destinationHashes) });
      return rows.map((row) => ({ ...inboxMessage(String(row.id), row), at: Number(row.inbox_at) }));
    },
  };
}
