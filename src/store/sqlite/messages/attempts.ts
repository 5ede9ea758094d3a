import type { DatabaseSync } from 'node:sqlite';
import type { Attempt } from '../../../core/sending/delivery.ts';
import { hotStatements } from '../sql/hot-statement.ts';

/** The results of other attempts of the same verification with the same carrier on the same channel. */
interface Others {
  readonly taken: boolean;
  readonly delivered: boolean;
  readonly undelivered: boolean;
}

export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts(db: DatabaseSync) {
  const prepare = hotStatements(db);
  const insert = (number: string, conflict: string) =>
    prepare(`
      INSERT INTO attempt (verification_id, number, carrier, channel, started_at, ended_at, outcome, reference,
        recipient_tag, reason, choice, cost)
      VALUES (:id, ${number}, :carrier, :channel, :startedAt, :endedAt, :outcome, :reference, :recipientTag, :reason, :choice,
        :cost)
      ${conflict}`);
  const insertFirst = insert('1', 'ON CONFLICT DO NOTHING');
  const insertNext = insert(
    '(SELECT count(*) + 1 FROM attempt WHERE verification_id = :id)',
    'RETURNING number',
  );
  const others = db.prepare(`
    SELECT outcome, receipt FROM attempt WHERE verification_id = ? AND number <> ? AND carrier = ? AND channel IS ?`);

  return {
    /** Writes an attempt and answers its number. Trying number 1 first halves the cost, as most are the first. */
    add(id: string, attempt: Attempt): number {
      const values = { id, ...attempt };
      return insertFirst.run(values).changes === 1 ? 1 : Number(insertNext.get(values)?.number);
    },

    others(id: string, number: number, carrier: string, channel: Attempt['channel']): Others {
      const rows = others.all(id, number, carrier, channel);
      return {
        taken: rows.some(({ outcome }) => outcome === 'accepted' || outcome === 'delivered'),
        delivered: rows.some(({ outcome, receipt }) => outcome === 'delivered' || receipt === 'delivered'),
        undelivered: rows.some(({ receipt }) => receipt === 'undelivered'),
      };
    },
  };
}
