/** A test of one recipient, sent at once, so that whoever presses the button sees what comes back. */
import { mintListId } from '../accounts/token.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Records, Step } from '../core/sql/records.ts';
import type { Facts, Recipient } from './notices.ts';
import { composeNotification } from './notification.ts';
import type { Notifier } from './notifier.ts';

/** Between two tests of one recipient: an address is nobody's to be flooded. */
const PAUSE_MS = 30_000;

export type TriedOut =
  | { readonly kind: 'sent' }
  | { readonly kind: 'failed'; readonly answer: string }
  /** There was one a moment ago. */
  | { readonly kind: 'too-soon' };

/** Both null for the installation. */
export const testFacts = (accountId: string | null, account: string | null, now: number): Facts => ({
  ...{ alert: '', rule: 'test', accountId, account, subject: 'test' },
  ...{ detail: 'This is a test. Nothing is wrong.', place: 'alerts', since: now },
});

interface TryOutDeps {
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly address: string | undefined;
}

/** `records`: those of the person who asks, so that it is written only if they may. */
export async function tryOut(
  { notifier, clock, address }: TryOutDeps,
  records: Records,
  place: Recipient,
  by: { readonly account: string; readonly entry: Step },
): Promise<TriedOut> {
  const now = clock.now();
  const id = mintListId('aln', now, records.random);
  const { accountId, channel, target } = place;
  const facts = testFacts(accountId, by.account, now);
  const insert: Step = {
    sql: `INSERT INTO alert_notice (id, alert_id, account_id, channel, target, kind, at, facts, last_try_at, tries)
      SELECT $1, '', $2, $3, $4, 'test', CAST($5 AS BIGINT), $6, CAST($5 AS BIGINT), 1
      WHERE NOT EXISTS (SELECT 1 FROM alert_notice WHERE account_id = $2 AND channel = $3 AND target = $4 AND kind = 'test'
        AND last_try_at > CAST($7 AS BIGINT) AND last_try_at <= CAST($5 AS BIGINT))
      RETURNING id`,
    args: [id, accountId, channel, target, now, JSON.stringify(facts), now - PAUSE_MS],
    guard: true,
  };
  const written = await records.transact([insert, by.entry]);
  if (!written.done) return { kind: 'too-soon' };
  const notification = composeNotification([{ id, kind: 'test', at: now, facts }], address);
  const sent = await notifier.deliver(place, notification);
  const answer = sent.kind === 'failed' ? sent.answer : null;
  await records.transact([
    {
      sql: 'UPDATE alert_notice SET sent_at = CAST($2 AS BIGINT), last_answer = $3, letter = $4 WHERE id = $1',
      args: [id, answer === null ? clock.now() : null, answer, notification.id],
    },
  ]);
  return sent;
}
