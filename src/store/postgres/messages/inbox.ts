/** Messages of the simulator. Those of a number have an index; SQLite finds them by the verifications of the number. */
import type { Inbox } from '../../../core/verification/reading/inbox.ts';
import { kindOf } from '../../../core/verification/scope.ts';
import type { Retention } from '../../port.ts';
import { isKept, pastUntil } from '../../shared/kept.ts';
import { INBOX_COLUMNS, inboxMessage, MOST_LOOKED_AT } from '../../shared/sealed-message.ts';
import type { Database } from '../connection/database.ts';
import { idOf, lowestUuid } from '../verifications/verification-id.ts';

interface InboxRow extends Record<string, unknown> {
  readonly id: string;
  readonly received_at: number;
}

/** A code expires at most ten minutes after its id, and its message can reach the inbox until then. */
const LATEST_MESSAGE_MS = 3_600_000;

export function createInbox(
  db: Database,
  { simulatorMessages, verifications }: Pick<Retention, 'simulatorMessages' | 'verifications'>,
): Inbox {
  const select = (wanted: string) => `
    SELECT ${INBOX_COLUMNS} FROM (
      SELECT verification_id, code_sealed, received_at FROM inbox_message
      WHERE account_id = $1 AND verification_id >= $4 AND received_at > $5 ${wanted} ORDER BY verification_id DESC LIMIT ${MOST_LOOKED_AT}
    ) AS message JOIN verification ON id = verification_id
    WHERE ($3::boolean IS NULL OR test = $3) AND ${isKept('$6')}
    ORDER BY id DESC LIMIT $2`;
  const ofAll = { name: 'list_inbox', text: select('') };
  const ofDestinations = {
    name: 'list_inbox_of_destinations',
    text: select('AND destination_hash = ANY ($7)'),
  };

  return {
    async list(scope, destinationHashes, limit, now) {
      const past = pastUntil(now, simulatorMessages);
      const kept = [lowestUuid(past - LATEST_MESSAGE_MS), past, pastUntil(now, verifications)];
      const wanted = [scope.accountId, limit, kindOf(scope), ...kept];
      const rows = await (destinationHashes === null
        ? db.read<InboxRow>(ofAll, wanted)
        : db.read<InboxRow>(ofDestinations, [...wanted, destinationHashes]));
      return rows.map((row) => ({ ...inboxMessage(idOf(row.id), row), at: row.received_at }));
    },
  };
}
