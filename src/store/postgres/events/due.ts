/** Messages to send, and codes that expire. Events are written by the functions of what happens; in SQLite by an EventBook. */
import { type EventQueue, retriesWithin } from '../../../core/events/queue.ts';
import { DUE_COLUMNS, dueMessage } from '../../shared/due-message.ts';
import { functionCall } from '../calls/function-call.ts';
import type { Database } from '../connection/database.ts';

export function createEventQueue(db: Database, schema: string): EventQueue {
  const page = (due: string, order: string, limit: string) => `
    (SELECT * FROM webhook_message WHERE webhook_id = $1 AND ${due} AND seq <> ALL ($3::bigint[])
    ORDER BY ${order} LIMIT ${limit})`;
  const due = {
    name: 'due_messages',
    text: `
      SELECT ${DUE_COLUMNS} FROM (
        ${page('due_at = 0', 'seq', '$4')} UNION ALL ${page('due_at > 0 AND due_at <= $2', 'due_at, seq', '$5')}
      ) AS message LEFT JOIN verification ON verification.id = substr(verification_id, 5)::uuid
      ORDER BY message.due_at, message.seq`,
  };
  const expire = functionCall<{ readonly tell_expired: number }>(db, schema, 'tell_expired');

  return {
    async dueMessages({ webhookId, now, held, limit }) {
      const rows = await db.read<Record<string, unknown>>(due, [
        ...[webhookId, now, held, limit, retriesWithin(limit)],
      ]);
      return rows.map(dueMessage);
    },

    async tellExpired(before, limit) {
      const [row] = await expire({ before, wanted: limit });
      return row?.tell_expired ?? 0;
    },
  };
}
