/** The messages to an endpoint, as people look at them and send them again. */

import type { Channel } from '../../core/destination/channel.ts';
import {
  type EventMessage,
  type MessageType,
  readFailures,
  TEST_TYPE,
  type WebhookFailure,
} from '../../core/events/event.ts';
import { query, type Records, type Row, type Step } from '../../core/sql/records.ts';
import { mintListId } from '../token.ts';
import { auditWebhook, type ChangeOfOne } from './change.ts';

/** The account's endpoint, as long as something is sent to it. */
const inUse = ({ accountId, id }: ChangeOfOne): Step => ({
  sql: 'SELECT id FROM webhook WHERE id = $1 AND account_id = $2 AND disabled_at IS NULL',
  args: [id, accountId],
  guard: true,
});

/** Writes a message to try an endpoint out. Its id, to look it up by; undefined if there is no such endpoint in use. */
export async function testWebhook(records: Records, change: ChangeOfOne): Promise<string | undefined> {
  const id = mintListId('msg', change.now, records.random);
  const write: Step = {
    sql: `INSERT INTO webhook_message (id, webhook_id, type, at, due_at) VALUES ($1, $2, $3, $4, 0)`,
    args: [id, change.id, TEST_TYPE, change.now],
  };
  const entry = auditWebhook(records, 'webhook.tested', change);
  const answer = await records.transact([inUse(change), write, entry]);
  return answer.done ? id : undefined;
}

/** One that is no longer waiting. False if there is no such message, or nothing is sent to its endpoint. */
export async function replayMessage(
  records: Records,
  { message, ...change }: ChangeOfOne & { readonly message: string },
): Promise<boolean> {
  const again: Step = {
    sql: `UPDATE webhook_message SET due_at = 0, tries = 0, sent_at = NULL, failures = NULL
      WHERE webhook_id = $1 AND id = $2 AND due_at IS NULL RETURNING seq`,
    args: [change.id, message],
    guard: true,
  };
  const entry = auditWebhook(records, 'webhook.replayed', change, message);
  return (await records.transact([inUse(change), again, entry])).done;
}

export interface ReplayPeriod extends ChangeOfOne {
  /** Of the events, in Unix ms; `until` is exclusive. */
  readonly since: number;
  readonly until: number;
  /** Also what the endpoint took; otherwise only what was given up. */
  readonly alsoTaken: boolean;
}

/** Rows that one transaction looks at: more would delay the writes of requests, however few of them are to be sent again. */
const AT_ONCE = 500;
const LOOKED_AT = `SELECT seq, at, due_at, sent_at FROM webhook_message WHERE webhook_id = $1 AND seq > $2
  ORDER BY seq LIMIT ${AT_ONCE}`;

/**
 * Sends messages again, under their ids, oldest first. How many; undefined if there is no such endpoint in use. What is interrupted has
 * done a part, and can be done again.
 */
export async function replayMessages(
  records: Records,
  { since, until, alsoTaken, ...change }: ReplayPeriod,
): Promise<number | undefined> {
  const span = `from ${new Date(since).toISOString()} to ${new Date(until).toISOString()}`;
  const entry = auditWebhook(
    records,
    'webhook.replayed',
    change,
    `${alsoTaken ? 'all' : 'given up'}, ${span}`,
  );
  let count = 0;
  for (let after = 0; ; ) {
    const looked: Step = {
      sql: `SELECT max(seq) AS reached, count(*) AS looked FROM (${LOOKED_AT}) AS part`,
      args: [change.id, after],
    };
    const some: Step = {
      sql: `UPDATE webhook_message SET due_at = 0, tries = 0, sent_at = NULL, failures = NULL
        WHERE due_at IS NULL AND seq IN (
          SELECT seq FROM (${LOOKED_AT}) AS part
          WHERE at >= $3 AND at < $4 AND due_at IS NULL ${alsoTaken ? '' : 'AND sent_at IS NULL'})
        RETURNING seq`,
      args: [change.id, after, since, until],
    };
    const answer = await records.transact([inUse(change), looked, some, ...(after === 0 ? [entry] : [])]);
    if (!answer.done) return after === 0 ? undefined : count;
    const [, [part] = [], sent = []] = answer.rows;
    count += sent.length;
    if (Number(part?.looked) < AT_ONCE) return count;
    after = Number(part?.reached);
  }
}

const anew = ({ accountId, id, now }: ChangeOfOne, url: string, is: '=' | '<>'): Step => ({
  // The time leaves out what was tried at the new address meanwhile.
  sql: `UPDATE webhook_message SET due_at = 0, tries = 0, failures = NULL
    WHERE seq IN (
      SELECT seq FROM webhook_message WHERE webhook_id = $1 AND due_at > 0 AND last_try_at <= $2
      ORDER BY due_at, seq LIMIT ${AT_ONCE})
    AND EXISTS (SELECT 1 FROM webhook WHERE id = $1 AND account_id = $3 AND url ${is} $4)
    RETURNING seq`,
  args: [id, now, accountId, url],
});

/** What waits for another try is due, as if it had never been tried, where the endpoint has another address. At most a part of it. */
export const tryAnew = (change: ChangeOfOne, url: string): Step => anew(change, url, '<>');

/** The rest, once it has this address. If this is interrupted, the rest is tried when it would have been. */
export async function tryRestAnew(
  records: Records,
  change: ChangeOfOne,
  url: string,
  begun: readonly Row[] = [],
): Promise<void> {
  for (let part = begun; part.length === AT_ONCE; ) {
    const answer = await records.transact([anew(change, url, '=')]);
    part = (answer.done && answer.rows[0]) || [];
  }
}

/** A message as people are shown it. Times are Unix ms. */
export interface SentMessage extends EventMessage {
  readonly seq: number;
  readonly state: 'waiting' | 'sent' | 'given-up';
  readonly tries: number;
  /** Null if there is none; 0 before the first. */
  readonly nextTryAt: number | null;
  readonly lastTryAt: number | null;
  /** What came back at the last try. */
  readonly lastAnswer: string | null;
  /** The tries that failed, in order. */
  readonly failures: readonly WebhookFailure[];
  readonly sentAt: number | null;
}

const COLUMNS = `seq, message.id AS id, type, verification_id, channel, carrier, reason, at, due_at, tries, last_try_at, last_answer,
  failures, sent_at`;
const FROM = 'webhook_message AS message JOIN webhook ON webhook.id = webhook_id';
const PAGE = 50;

export interface MessagePage {
  readonly messages: readonly SentMessage[];
  /** The cursor of the next page. */
  readonly next: number | null;
}

/** Newest first; `before` is `next` of the previous page. */
export async function recentMessages(
  records: Records,
  accountId: string,
  webhookId: string,
  before = Number.MAX_SAFE_INTEGER,
): Promise<MessagePage> {
  const rows = await query(
    records,
    `SELECT ${COLUMNS} FROM ${FROM} WHERE webhook_id = $1 AND account_id = $2 AND seq < $3
      ORDER BY seq DESC LIMIT ${PAGE + 1}`,
    webhookId,
    accountId,
    before,
  );
  const messages = rows.slice(0, PAGE).map(messageOf);
  return { messages, next: rows.length > PAGE ? (messages.at(-1)?.seq ?? null) : null };
}

export async function findMessage(
  records: Records,
  accountId: string,
  webhookId: string,
  id: string,
): Promise<SentMessage | undefined> {
  const sql = `SELECT ${COLUMNS} FROM ${FROM} WHERE webhook_id = $1 AND account_id = $2 AND message.id = $3`;
  const [row] = await query(records, sql, webhookId, accountId, id);
  return row && messageOf(row);
}

function messageOf(row: Row): SentMessage {
  const [nextTryAt, sentAt] = [numberOrNull(row.due_at), numberOrNull(row.sent_at)];
  return {
    seq: Number(row.seq),
    id: String(row.id),
    type: String(row.type) as MessageType,
    verificationId: textOrNull(row.verification_id),
    channel: textOrNull(row.channel) as Channel | null,
    carrier: textOrNull(row.carrier),
    reason: textOrNull(row.reason),
    at: Number(row.at),
    state: nextTryAt !== null ? 'waiting' : sentAt !== null ? 'sent' : 'given-up',
    tries: Number(row.tries),
    nextTryAt,
    lastTryAt: numberOrNull(row.last_try_at),
    lastAnswer: textOrNull(row.last_answer),
    failures: readFailures(String(row.failures ?? '')),
    sentAt,
  };
}

const textOrNull = (value: Row[string] | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

const numberOrNull = (value: Row[string] | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);
