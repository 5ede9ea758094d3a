/** Messages to send, and codes that expire. */
import type { DatabaseSync } from 'node:sqlite';
import type { DueMessage, EventSubject } from '../../../core/events/event.ts';
import { type DueQuery, retriesWithin } from '../../../core/events/queue.ts';
import { DUE_COLUMNS, dueMessage, eventSubject, SUBJECT_COLUMNS } from '../../shared/due-message.ts';
import { isKept, pastUntil } from '../../shared/kept.ts';
import type { EventBook } from './event-book.ts';

export function createEventQueue(db: DatabaseSync, retentionMs: number, events: EventBook) {
  const page = (due: string, order: string, limit: string) => `
    SELECT * FROM (
      SELECT * FROM webhook_message
      WHERE webhook_id = :webhookId AND ${due} AND seq NOT IN (SELECT value FROM json_each(:held))
      ORDER BY ${order} LIMIT ${limit})`;
  const due = db.prepare(`
    SELECT ${DUE_COLUMNS} FROM (
      ${page('due_at = 0', 'seq', ':limit')}
      UNION ALL
      ${page('due_at > 0 AND due_at <= :now', 'due_at, seq', ':retries')}
    ) AS message LEFT JOIN verification ON verification.id = verification_id AND ${isKept(`:now - ${retentionMs}`)}
    ORDER BY message.due_at, message.seq`);
  const subject = db.prepare(`SELECT ${SUBJECT_COLUMNS} FROM verification WHERE id = ? AND ${isKept('?')}`);
  const take = db.prepare(`
    DELETE FROM webhook_expiry WHERE (expires_at, verification_id) IN (
      SELECT expires_at, verification_id FROM webhook_expiry WHERE expires_at <= :before ORDER BY expires_at LIMIT :limit)
    RETURNING verification_id`);
  const find = db.prepare(
    'SELECT account_id, ended_at, expires_at FROM verification WHERE id = ? AND confirmed_at IS NULL AND guesses_left > 0',
  );

  return {
    dueMessages: ({ webhookId, now, held, limit }: DueQuery): DueMessage[] =>
      due
        .all({ webhookId, now, held: JSON.stringify(held), limit, retries: retriesWithin(limit) })
        .map(dueMessage),

    eventSubject(id: string, now: number): EventSubject | null {
      const row = subject.get(id, pastUntil(now, retentionMs));
      return row === undefined ? null : eventSubject(row);
    },

    tellExpired(before: number, limit: number): number {
      const ids = take.all({ before, limit }).map(({ verification_id: id }) => String(id));
      for (const id of ids) {
        const { account_id: account, ended_at: endedAt = null, expires_at: expiresAt } = find.get(id) ?? {};
        if (account === undefined) continue;
        const facts = { accountId: String(account), id, at: Number(endedAt ?? expiresAt) };
        // Its time may have been corrected, after a clock that was ahead.
        if (endedAt === null && facts.at > before) events.expect(facts.accountId, id, facts.at);
        else events.note('verification.expired', facts);
      }
      return ids.length;
    },
  };
}
