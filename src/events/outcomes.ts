/** Writes what became of messages: all that came back within a moment in one transaction. */

import { failureLine, type MessageFate } from '../core/events/event.ts';
import type { Records, Step } from '../core/sql/records.ts';

export interface WebhookOutcome {
  readonly seq: number;
  readonly fate: MessageFate;
  /** Unix ms. */
  readonly at: number;
}

export interface EndpointOutcomes {
  readonly webhookId: string;
  readonly fence: number;
  readonly outcomes: readonly WebhookOutcome[];
}

/** Successes that one statement settles; its list has always as many values, so that it is prepared once. */
const AT_ONCE = 50;

const LIST = Array.from({ length: AT_ONCE }, (_, index) => `$${index + 3}`).join(', ');

// What arrived has arrived, whoever holds the lease now.
const SENT = `
  UPDATE webhook_message SET due_at = NULL, sent_at = $2, tries = tries + 1, last_try_at = $2, last_answer = NULL
  WHERE webhook_id = $1 AND seq IN (${LIST})`;

const FAILED = `
  UPDATE webhook_message SET due_at = CAST($3 AS BIGINT), tries = tries + 1, last_try_at = $4, last_answer = $5,
    failures = coalesce(failures, '') || $7
  WHERE webhook_id = $1 AND seq = $2 AND due_at IS NOT NULL
    AND EXISTS (SELECT 1 FROM webhook WHERE id = $1 AND fence = $6)`;

// How an endpoint is doing says who holds it.

/** Not at every success: nobody looks that closely. */
const SUCCEEDED = `
  UPDATE webhook SET failing_since = NULL, last_success_at = $2
  WHERE id = $1 AND fence = $3 AND (failing_since IS NOT NULL OR last_success_at IS NULL OR last_success_at < CAST($2 AS BIGINT) - 10000)`;

const FAILING = `
  UPDATE webhook SET failing_since = coalesce(failing_since, CAST($2 AS BIGINT)), last_failure_at = $2, last_failure = $3
  WHERE id = $1 AND fence = $4`;

export async function writeOutcomes(records: Records, all: readonly EndpointOutcomes[]): Promise<void> {
  const steps = all.flatMap(stepsOf);
  if (steps.length > 0) await records.transact(steps);
}

function stepsOf({ webhookId, fence, outcomes }: EndpointOutcomes): Step[] {
  const steps: Step[] = [];
  const sent = outcomes.filter(({ fate }) => fate.kind === 'sent');
  const at = Math.max(...outcomes.map((outcome) => outcome.at));
  for (let first = 0; first < sent.length; first += AT_ONCE) {
    const part = sent.slice(first, first + AT_ONCE).map(({ seq }) => seq);
    const [any = 0] = part;
    const list = [...part, ...Array<number>(AT_ONCE - part.length).fill(any)];
    steps.push({ sql: SENT, args: [webhookId, at, ...list] });
  }
  for (const { seq, fate, at } of outcomes) {
    if (fate.kind === 'sent') continue;
    const dueAt = fate.kind === 'later' ? fate.dueAt : null;
    steps.push({
      sql: FAILED,
      args: [webhookId, seq, dueAt, at, fate.answer, fence, failureLine({ at, answer: fate.answer })],
    });
  }
  // An endpoint that takes some is not failing.
  const tried = outcomes.filter(({ fate }) => fate.kind !== 'dropped');
  const last = tried.at(-1)?.fate;
  if (sent.length > 0) steps.push({ sql: SUCCEEDED, args: [webhookId, at, fence] });
  else if (last !== undefined && last.kind !== 'sent' && last.kind !== 'dropped') {
    steps.push({ sql: FAILING, args: [webhookId, at, last.answer, fence] });
  }
  return steps;
}
