import type { DatabaseSync } from 'node:sqlite';
import type { Attempt } from '../../../core/sending/delivery.ts';
import { hotStatements } from '../sql/hot-statement.ts';

/** Which attempt of a verification: the fence of its round, and its place in the round. */
export interface AttemptName {
  readonly id: string;
  readonly fence: number;
  readonly position: number;
}

/** The results of other attempts of the same verification with the same carrier on the same channel. */
interface Others {
  readonly taken: boolean;
  readonly delivered: boolean;
  readonly undelivered: boolean;
}

export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts(db: DatabaseSync) {
  const prepare = hotStatements(db);
  const insert = prepare(`
    INSERT INTO attempt (verification_id, fence, position, carrier, channel, started_at, ended_at, outcome, reference,
      recipient_tag, reason, choice, cost)
    VALUES (:id, :fence, :position, :carrier, :channel, :startedAt, :endedAt, :outcome, :reference, :recipientTag, :reason,
      :choice, :cost)
    ON CONFLICT DO NOTHING`);
  const others = prepare(`
    SELECT outcome, receipt FROM attempt
    WHERE verification_id = :id AND (fence, position) <> (:fence, :position) AND carrier = :carrier AND channel IS :channel`);

  return {
    /** False of one that was written before. */
    add: (name: AttemptName, attempt: Attempt): boolean => insert.run({ ...name, ...attempt }).changes === 1,

    others(name: AttemptName, { carrier, channel }: Pick<Attempt, 'carrier' | 'channel'>): Others {
      const rows = others.all({ ...name, carrier, channel });
      return {
        taken: rows.some(({ outcome }) => outcome === 'accepted' || outcome === 'delivered'),
        delivered: rows.some(({ outcome, receipt }) => outcome === 'delivered' || receipt === 'delivered'),
        undelivered: rows.some(({ receipt }) => receipt === 'undelivered'),
      };
    },
  };
}
