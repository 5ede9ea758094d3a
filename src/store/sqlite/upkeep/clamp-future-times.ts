/** Corrects the times that a clock left while it was ahead. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LONGEST_RETRY_PAUSE_MS } from '../../../core/events/schedule.ts';
import { DAY_MS } from '../../../core/seams/spans.ts';
import { LONGEST_CODE_MS } from '../../../core/verification/verification.ts';
import { accountCorrections } from '../../shared/account-corrections.ts';

/** A clock that is set back is noticed sooner than this. */
const NOTICED_MS = 5_000;

export function createClampFutureTimes(db: DatabaseSync) {
  const newest = db.prepare('SELECT rowid AS place, created_at AS at FROM verification ORDER BY rowid DESC');
  const newestMessages = db.prepare('SELECT at FROM webhook_message ORDER BY seq DESC');
  const laterDay = db.prepare(
    `SELECT 1 FROM verification WHERE created_at / ${DAY_MS} > CAST(? AS INTEGER) / ${DAY_MS} LIMIT 1`,
  );
  const isAheadOf = `created_at / ${DAY_MS} >= CAST(:now AS INTEGER) / ${DAY_MS} AND created_at > :now`;
  const deliveries = db.prepare(`
    UPDATE delivery SET
      expires_at = delivery.expires_at - (created_at - :now),
      fallback_at = fallback_at - (created_at - :now),
      due_at = CASE due_at WHEN delivery.expires_at THEN delivery.expires_at - (created_at - :now)
        ELSE min(due_at, :now + :lease, delivery.expires_at - (created_at - :now) - 1) END
    FROM verification WHERE id = verification_id AND ${isAheadOf}`);
  const verifications = db.prepare(`
    UPDATE verification SET
      created_at = :now,
      expires_at = expires_at - (created_at - :now)
    WHERE ${isAheadOf}`);
  // Also of what was asked for before the clock was ahead.
  const judged = db.prepare(`
    UPDATE verification SET
      confirmed_at = CASE WHEN confirmed_at > :now THEN :now ELSE confirmed_at END,
      ended_at = CASE WHEN ended_at > :now THEN :now ELSE ended_at END
    WHERE rowid >= :from AND (confirmed_at > :now OR ended_at > :now)`);
  const steps = [
    'UPDATE inbox_message SET received_at = :now WHERE received_at > :now',
    `UPDATE failed_guess SET day = CAST(:now AS INTEGER) / ${DAY_MS}, failed_at = :now
     WHERE day >= CAST(:now AS INTEGER) / ${DAY_MS} AND failed_at > :now`,
    'UPDATE request_place SET requested_at = :now WHERE requested_at > :now',
    'UPDATE idempotency SET created_at = :now WHERE created_at > :now',
    'UPDATE early_receipt SET received_at = :now WHERE received_at > :now',
    `UPDATE carrier_state SET at = min(at, :now), error_at = CASE WHEN error_at > :now THEN :now ELSE error_at END
     WHERE at > :now OR error_at > :now`,
    `UPDATE reservation SET expires_at = :now + ${LONGEST_CODE_MS} WHERE expires_at > :now + ${LONGEST_CODE_MS}`,
    // The audit log leads to them: no other index is in order of their times.
    `UPDATE verification SET verdict_at = :now WHERE verdict_at > :now
       AND id IN (SELECT subject FROM audit_entry WHERE at > :now AND action = 'verification.judged')`,
    // What was said on a future day counts for today.
    `INSERT INTO verdict_count (subject, verdict, day, counted)
     SELECT subject, verdict, CAST(:now AS INTEGER) / ${DAY_MS}, sum(counted) FROM verdict_count
     WHERE day > CAST(:now AS INTEGER) / ${DAY_MS} GROUP BY subject, verdict
     ON CONFLICT DO UPDATE SET counted = counted + excluded.counted`,
    `DELETE FROM verdict_count WHERE day > CAST(:now AS INTEGER) / ${DAY_MS}`,
    `UPDATE webhook_message SET due_at = :now WHERE due_at > :now + ${LONGEST_RETRY_PAUSE_MS}`,
    // Whoever looks at them puts back those that have not expired.
    'UPDATE OR REPLACE webhook_expiry SET expires_at = :now WHERE expires_at > :now + 3600000',
    // What was sent on a future day counts for today.
    `INSERT INTO quota (name, day, taken, granted)
     SELECT name, CAST(:now AS INTEGER) / ${DAY_MS}, sum(taken), 0 FROM quota
     WHERE day > CAST(:now AS INTEGER) / ${DAY_MS} GROUP BY name
     ON CONFLICT DO UPDATE SET taken = taken + excluded.taken`,
    `DELETE FROM quota WHERE day > CAST(:now AS INTEGER) / ${DAY_MS}`,
    // What was reserved in a future period counts for this one, and stays counted.
    `DELETE FROM reservation WHERE EXISTS (SELECT 1 FROM json_each(charges) WHERE value ->> 'startsAt' > :now)`,
    `INSERT INTO budget_use (kind, subject, per, starts_at, ends_at, money, messages)
     SELECT kind, subject, per, ${startOf(0)}, ${startOf(1)}, sum(money), sum(messages) FROM budget_use
     WHERE starts_at > :now GROUP BY kind, subject, per
     ON CONFLICT DO UPDATE SET money = money + excluded.money, messages = messages + excluded.messages`,
    'DELETE FROM budget_use WHERE starts_at > :now',
    ...accountCorrections('CAST(:now AS INTEGER)', 'CAST(:now AS INTEGER)'),
  ].map((sql) => db.prepare(sql));

  // Receipts are looked for on the days before, and who answers among those that were accepted last.
  const attempts = db.prepare(`
    UPDATE attempt SET started_at = min(started_at, :now), ended_at = :now
    WHERE ended_at / ${DAY_MS} >= CAST(:now AS INTEGER) / ${DAY_MS} AND ended_at > :now AND recipient_tag IS NOT NULL`);
  // Also of what was asked for before: it may have been sent while the clock was ahead.
  const laterAttempt = db.prepare(`
    SELECT 1 FROM attempt
    WHERE ended_at / ${DAY_MS} > CAST(? AS INTEGER) / ${DAY_MS} AND recipient_tag IS NOT NULL LIMIT 1`);
  const messages = db.prepare('UPDATE webhook_message SET at = :now WHERE at > :now');
  const due = db.prepare(
    'UPDATE delivery SET due_at = :now + :lease WHERE due_at > :now + :lease AND due_at < expires_at',
  );

  return (now: number, lease: number): number => {
    const isAnyAhead = laterDay.get(now) !== undefined || isAhead(newest, now);
    // Before the verifications, which say by how much.
    if (isAnyAhead) deliveries.run({ now, lease });
    const asked = isAnyAhead ? Number(verifications.run({ now }).changes) : 0;
    const ended = Number(judged.run({ now, from: firstOpen(newest, now) }).changes);
    const isAnySentAhead = isAnyAhead || laterAttempt.get(now) !== undefined;
    const sent = isAnySentAhead ? Number(attempts.run({ now }).changes) : 0;
    const told = isAnyAhead || isAhead(newestMessages, now) ? Number(messages.run({ now }).changes) : 0;
    const postponed = Number(due.run({ now, lease }).changes);
    return asked + ended + sent + told + postponed + runAll(steps, { now });
  };
}

const runAll = (statements: readonly StatementSync[], values: { readonly now: number }): number =>
  statements.reduce((sum, statement) => sum + Number(statement.run(values).changes), 0);

/** Rows are in the order of writing, so the newest tell whether any time is ahead, without reading all. */
function isAhead(newest: StatementSync, now: number): boolean {
  for (const { at } of newest.iterate()) {
    if (Number(at) > now) return true;
    // Rows written since the clock was set back come before those with later times.
    if (Number(at) < now - NOTICED_MS) return false;
  }
  return false;
}

/** The place of the first row whose code may be valid, or was by a clock that was ahead since. */
function firstOpen(newest: StatementSync, now: number): number {
  let first = Number.MAX_SAFE_INTEGER;
  for (const { place, at } of newest.iterate()) {
    if (Number(at) < now - LONGEST_CODE_MS) break;
    first = Number(place);
  }
  return first;
}

/** SQL for the start of the period of `per` that is so many periods after that of `:now`. */
function startOf(after: 0 | 1): string {
  const unix = (...modifiers: string[]) =>
    `unixepoch(:now / 1000, 'unixepoch', ${modifiers.map((modifier) => `'${modifier}'`).join(', ')}) * 1000`;
  return `CASE per
    WHEN 'hour' THEN CAST(:now AS INTEGER) / 3600000 * 3600000 + ${after * 3_600_000}
    WHEN 'day' THEN ${unix('start of day', `+${after} days`)}
    ELSE ${unix('start of month', `+${after} months`)} END`;
}
