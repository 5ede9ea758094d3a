/** A test of one place, sent at once, so that whoever presses the button sees what comes back. */
import { mintListId } from '../accounts/token.ts';
import type { Records, Step } from '../core/accounts/records.ts';
import type { Clock } from '../core/clock.ts';
import type { Courier } from './courier.ts';
import { composeLetter } from './letter.ts';
import type { Facts, Place } from './notices.ts';

/** Between two tests of one place: an address is nobody's to be flooded. */
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
  readonly courier: Courier;
  readonly clock: Clock;
  readonly address: string | undefined;
}

/** `records`: those of the person who asks, so that it is written only if they may. */
export async function tryOut(
  { courier, clock, address }: TryOutDeps,
  records: Records,
  place: Place,
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
  const letter = composeLetter([{ id, kind: 'test', at: now, facts }], address);
  const sent = await courier.deliver(place, letter);
  const answer = sent.kind === 'failed' ? sent.answer : null;
  await records.transact([
    {
      sql: 'UPDATE alert_notice SET sent_at = CAST($2 AS BIGINT), last_answer = $3, letter = $4 WHERE id = $1',
      args: [id, answer === null ? clock.now() : null, answer, letter.id],
    },
  ]);
  return sent;
}
