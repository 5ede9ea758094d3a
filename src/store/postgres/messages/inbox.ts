/** Messages of the simulator, in a table of their own. SQLite keeps them in the verification. */
import type { Inbox } from '../../../core/verification/inbox.ts';
import type { Database } from '../connection/database.ts';
import { type SealedRow, sealedMessage } from './sealed-message.ts';

export function createInbox(db: Database): Inbox {
  const select = (wanted: string) => `
    SELECT id, verification.account_id, test, channel, country, destination_sealed, created_at, expires_at,
      message.code_sealed, message.received_at,
      (SELECT settings FROM account_setting WHERE account_setting.account_id = verification.account_id) AS settings
    FROM (
      SELECT verification_id, code_sealed, received_at FROM inbox_message
      WHERE account_id = $1 ${wanted} ORDER BY verification_id DESC LIMIT $2
    ) AS message JOIN verification ON id = verification_id
    ORDER BY id DESC`;
  const ofAll = { name: 'list_inbox', text: select('') };
  const ofDestinations = {
    name: 'list_inbox_of_destinations',
    text: select('AND destination_hash = ANY ($3)'),
  };

  return {
    async list(accountId, destinationHashes, limit) {
      const rows = await (destinationHashes === null
        ? db.read<SealedRow & { received_at: number }>(ofAll, [accountId, limit])
        : db.read<SealedRow & { received_at: number }>(ofDestinations, [
            accountId,
            limit,
            destinationHashes,
          ]));
      return rows.map((row) => ({ ...sealedMessage(row), at: row.received_at }));
    },
  };
}
