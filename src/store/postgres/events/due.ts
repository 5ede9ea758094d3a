/** Messages to send, and codes that expire. Events are written by the functions of what happens; in SQLite by an EventBook. */
import type { EventSubject } from '../../../core/events/event.ts';
import { type EventQueue, retriesWithin } from '../../../core/events/queue.ts';
import { DUE_COLUMNS, dueMessage, eventSubject, SUBJECT_COLUMNS } from '../../shared/due-message.ts';
import { isKept, pastUntil } from '../../shared/kept.ts';
import { Batcher } from '../calls/batcher.ts';
import { functionCall } from '../calls/function-call.ts';
import type { Database } from '../connection/database.ts';
import { idOf, ownUuidOf } from '../verifications/verification-id.ts';

interface SubjectQuery {
  readonly id: string;
  readonly now: number;
}

export function createEventQueue(db: Database, schema: string, retentionMs: number): EventQueue {
  const page = (due: string, order: string, limit: string) => `
    (SELECT * FROM webhook_message WHERE webhook_id = $1 AND ${due} AND seq <> ALL ($3::bigint[])
    ORDER BY ${order} LIMIT ${limit})`;
  const due = {
    name: 'due_messages',
    text: `
      SELECT ${DUE_COLUMNS} FROM (
        ${page('due_at = 0', 'seq', '$4')} UNION ALL ${page('due_at > 0 AND due_at <= $2', 'due_at, seq', '$5')}
      ) AS message LEFT JOIN verification ON verification.id = substr(verification_id, 5)::uuid AND ${isKept('$6')}
      ORDER BY message.due_at, message.seq`,
  };
  // Each message asks right before it is told, so they ask together. The ends of the list name the partitions.
  const subjects = {
    name: 'event_subjects',
    text: `
      SELECT ${SUBJECT_COLUMNS} FROM verification
      WHERE id = ANY ($1::uuid[]) AND id BETWEEN $2 AND $3 AND ${isKept('$4')}`,
  };
  const subjectReader = new Batcher<SubjectQuery, EventSubject | null>(db, {
    inFlight: 2,
    async run(asked) {
      const uuids = asked.map(({ id }) => ownUuidOf(id)).sort();
      const past = pastUntil(Math.max(...asked.map(({ now }) => now)), retentionMs);
      const rows = await db.read<{ readonly id: string }>(subjects, [uuids, uuids.at(0), uuids.at(-1), past]);
      const found = new Map(rows.map((row) => [idOf(row.id), eventSubject(row)]));
      return asked.map(({ id }) => found.get(id) ?? null);
    },
  });
  const expire = functionCall<{ readonly tell_expired: number }>(db, schema, 'tell_expired');

  return {
    async dueMessages({ webhookId, now, held, limit }) {
      const rows = await db.read<Record<string, unknown>>(due, [
        ...[webhookId, now, held, limit, retriesWithin(limit), pastUntil(now, retentionMs)],
      ]);
      return rows.map(dueMessage);
    },

    eventSubject: (id, now) => subjectReader.add({ id, now }),

    async tellExpired(before, limit) {
      const [row] = await expire({ before, wanted: limit });
      return row?.tell_expired ?? 0;
    },
  };
}
