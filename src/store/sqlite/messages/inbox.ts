/** Messages of the simulator. Those of a number are found by its verifications, which have an index. */
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
  const isShown = `received_at > :now - ${simulatorMessages} AND ${isKept(`:now - ${verifications}`)}`;
  const ofAll = db.prepare(`
    SELECT ${INBOX_COLUMNS} FROM (
      SELECT verification_id, code_sealed, received_at FROM inbox_message
      WHERE account_id = :accountId ORDER BY verification_id DESC LIMIT ${MOST_LOOKED_AT}) AS message
    JOIN verification ON id = verification_id
    WHERE ${IS_OF_KIND} AND ${isShown} ORDER BY id DESC LIMIT :limit`);
  const ofDestination = db.prepare(`
    SELECT ${INBOX_COLUMNS} FROM verification INDEXED BY verification_destination
    CROSS JOIN inbox_message ON inbox_message.account_id = :accountId AND verification_id = id
    WHERE created_at / ${DAY_MS} IN (${daysOf(simulatorMessages)})
      AND destination_hash IN (SELECT value FROM json_each(:hashes))
      AND verification.account_id = :accountId AND ${IS_OF_KIND} AND ${isShown}
    ORDER BY id DESC LIMIT :limit`);

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
      return rows.map((row) => ({ ...inboxMessage(String(row.id), row), at: Number(row.received_at) }));
    },
  };
}
