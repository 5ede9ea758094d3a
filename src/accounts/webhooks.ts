/**
 * The endpoints of an account. Every change announces itself (the second argument of `transact`): the store that writes events
 * remembers which account wants which, and looks again when something was announced.
 */
import type { Actor } from '../core/accounts/actor.ts';
import { query, type Records, type Row, type Statement, type Step } from '../core/accounts/records.ts';
import {
  type DisabledWhy,
  MAX_WEBHOOKS,
  mintWebhookSecret,
  OVERLAP_MS,
  openWebhookSecret,
  sealWebhookSecret,
  type Webhook,
} from '../core/events/endpoint.ts';
import { readEndpointUrl } from '../core/events/endpoint-url.ts';
import { type EventType, TEST_TYPE } from '../core/events/event.ts';
import type { FieldError } from '../core/field-error.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import { ifIntact } from '../core/secrets/sealed-field.ts';
import { auditStep } from './audit.ts';
import { mintListId } from './token.ts';

export interface WebhookDeps {
  readonly records: Records;
  readonly keyring: Keyring;
  /** `webhooks.privateNetworks` of the configuration. */
  readonly privateNetworks: readonly string[];
}

/** Who changes what, and when. */
interface Change {
  readonly accountId: string;
  readonly by: Actor;
  /** Unix ms. */
  readonly now: number;
}

interface ChangeOfOne extends Change {
  readonly id: string;
}

/** What an account says of an endpoint. */
export interface WebhookWish {
  readonly url: string;
  /** Empty: all types. */
  readonly types: readonly EventType[];
  readonly fullNumbers: boolean;
}

type Wrong = { readonly kind: 'wrong'; readonly error: FieldError<'url'> };

const COLUMNS = `id, url, types, full_numbers, created_at, previous_until, failing_since, last_success_at, last_failure_at,
  last_failure, disabled_at, disabled_why`;

/** In the order in which they were added. */
export async function listWebhooks(records: Records, accountId: string, now: number): Promise<Webhook[]> {
  const rows = await query(
    records,
    `SELECT ${COLUMNS} FROM webhook WHERE account_id = $1 ORDER BY id`,
    accountId,
  );
  return rows.map((row) => webhookOf(row, now));
}

/** The secret is shown once. */
export async function addWebhook(
  { records, keyring, privateNetworks }: WebhookDeps,
  { accountId, by, now, ...wish }: Change & WebhookWish,
): Promise<
  | { readonly kind: 'added'; readonly id: string; readonly secret: string }
  | Wrong
  /** There are MAX_WEBHOOKS already. */
  | { readonly kind: 'too-many' }
> {
  const read = readEndpointUrl(wish.url, privateNetworks);
  if (!read.ok) return { kind: 'wrong', error: { field: 'url', code: read.code, detail: read.detail } };
  const id = mintListId('whk', now);
  const secret = mintWebhookSecret();
  const answer = await records.transact(
    [
      // Puts the additions of an account in order, so that each counts those before it.
      { sql: 'UPDATE account SET name = name WHERE id = $1 RETURNING id', args: [accountId], guard: true },
      {
        sql: `INSERT INTO webhook (id, account_id, url, types, full_numbers, secret_sealed, created_at)
          SELECT $1, $2, $3, $4, CAST($5 AS INTEGER), $6, CAST($7 AS BIGINT)
          WHERE (SELECT count(*) FROM webhook WHERE account_id = $2) < ${MAX_WEBHOOKS}
          RETURNING id`,
        args: [
          ...[id, accountId, read.url, JSON.stringify(wish.types), Number(wish.fullNumbers)],
          ...[sealWebhookSecret(keyring, id, secret), now],
        ],
        guard: true,
      },
      entryOf('webhook.added', { accountId, id, by, now }, describeWish(wish)),
    ],
    true,
  );
  return answer.done ? { kind: 'added', id, secret } : { kind: 'too-many' };
}

export async function changeWebhook(
  { records, privateNetworks }: WebhookDeps,
  { accountId, id, by, now, ...wish }: ChangeOfOne & WebhookWish,
): Promise<{ readonly kind: 'changed' | 'unknown' } | Wrong> {
  const read = readEndpointUrl(wish.url, privateNetworks);
  if (!read.ok) return { kind: 'wrong', error: { field: 'url', code: read.code, detail: read.detail } };
  const change: Step = {
    sql: `UPDATE webhook SET url = $3, types = $4, full_numbers = CAST($5 AS INTEGER)
      WHERE id = $1 AND account_id = $2 RETURNING id`,
    args: [id, accountId, read.url, JSON.stringify(wish.types), Number(wish.fullNumbers)],
    guard: true,
  };
  const entry = entryOf('webhook.changed', { accountId, id, by, now }, describeWish(wish));
  return (await records.transact([change, entry], true)).done ? { kind: 'changed' } : { kind: 'unknown' };
}

/** The new secret, shown once; undefined if there is no such endpoint. For OVERLAP_MS both sign. */
export async function rotateWebhookSecret(
  { records, keyring }: Pick<WebhookDeps, 'records' | 'keyring'>,
  change: ChangeOfOne,
): Promise<string | undefined> {
  const { accountId, id, now } = change;
  const secret = mintWebhookSecret();
  const rotate: Step = {
    sql: `UPDATE webhook SET previous_secret_sealed = secret_sealed, previous_until = CAST($4 AS BIGINT), secret_sealed = $3
      WHERE id = $1 AND account_id = $2 RETURNING id`,
    args: [id, accountId, sealWebhookSecret(keyring, id, secret), now + OVERLAP_MS],
    guard: true,
  };
  const answer = await records.transact([rotate, entryOf('webhook.secret-rotated', change, '')], true);
  return answer.done ? secret : undefined;
}

/** Its messages are sent no more; the purge deletes them. False if it is not there. */
export async function removeWebhook(records: Records, change: ChangeOfOne): Promise<boolean> {
  const remove: Step = {
    sql: 'DELETE FROM webhook WHERE id = $1 AND account_id = $2 RETURNING id',
    args: [change.id, change.accountId],
    guard: true,
  };
  return (await records.transact([remove, entryOf('webhook.removed', change, '')], true)).done;
}

/** What was waiting when it was disabled is sent now. False if it is not there or not disabled. */
export async function enableWebhook(records: Records, change: ChangeOfOne): Promise<boolean> {
  const enable: Step = {
    sql: `UPDATE webhook SET disabled_at = NULL, disabled_why = NULL, failing_since = NULL
      WHERE id = $1 AND account_id = $2 AND disabled_at IS NOT NULL RETURNING id`,
    args: [change.id, change.accountId],
    guard: true,
  };
  return (await records.transact([enable, entryOf('webhook.enabled', change, '')], true)).done;
}

/** False if it is not there, or is disabled already. */
export async function disableWebhook(
  records: Records,
  change: ChangeOfOne,
  why: DisabledWhy,
): Promise<boolean> {
  const disable: Step = {
    sql: `UPDATE webhook SET disabled_at = CAST($3 AS BIGINT), disabled_why = $4
      WHERE id = $1 AND account_id = $2 AND disabled_at IS NULL RETURNING id`,
    args: [change.id, change.accountId, change.now, why],
    guard: true,
  };
  return (await records.transact([disable, entryOf('webhook.disabled', change, WHY[why])], true)).done;
}

/** Writes a message to try an endpoint out. Its id, to look it up by; undefined if there is no such endpoint in use. */
export async function testWebhook(records: Records, change: ChangeOfOne): Promise<string | undefined> {
  const id = mintListId('msg', change.now);
  const write: Step = {
    sql: `INSERT INTO webhook_message (id, webhook_id, type, at, due_at)
      SELECT $1, id, $2, CAST($3 AS BIGINT), 0 FROM webhook WHERE id = $4 AND account_id = $5 AND disabled_at IS NULL
      RETURNING id`,
    args: [id, TEST_TYPE, change.now, change.id, change.accountId],
    guard: true,
  };
  return (await records.transact([write])).done ? id : undefined;
}

export interface Replay extends ChangeOfOne {
  /** From when on, in Unix ms. */
  readonly since: number;
  /** Also what was sent; otherwise only what was given up. */
  readonly alsoSent: boolean;
}

/** Sends messages again, under their ids. How many; undefined if there is no such endpoint in use. */
export async function replayMessages(
  records: Records,
  { since, alsoSent, ...change }: Replay,
): Promise<number | undefined> {
  const held: Step = {
    sql: 'SELECT id FROM webhook WHERE id = $1 AND account_id = $2 AND disabled_at IS NULL',
    args: [change.id, change.accountId],
    guard: true,
  };
  const again: Step = {
    sql: `UPDATE webhook_message SET due_at = 0, tries = 0, sent_at = NULL
      WHERE webhook_id = $1 AND due_at IS NULL AND at >= $2 ${alsoSent ? '' : 'AND sent_at IS NULL'} RETURNING seq`,
    args: [change.id, since],
  };
  const detail = `${alsoSent ? 'all' : 'failed ones'} since ${new Date(since).toISOString()}`;
  const answer = await records.transact([held, again, entryOf('webhook.replayed', change, detail)]);
  return answer.done ? answer.rows[1]?.length : undefined;
}

/** A message as people are shown it. Times are Unix ms. */
export interface SentMessage {
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly verificationId: string | null;
  readonly at: number;
  readonly state: 'waiting' | 'sent' | 'given-up';
  readonly tries: number;
  /** Null if there is none; in the past if it is due now. */
  readonly nextTryAt: number | null;
  readonly lastTryAt: number | null;
  /** What came back at the last try. */
  readonly lastAnswer: string | null;
}

const PAGE = 50;

/** Newest first; `before` is the `seq` of the last message of the previous page. */
export async function recentMessages(
  records: Records,
  {
    accountId,
    id,
    before,
  }: { readonly accountId: string; readonly id: string; readonly before?: number | undefined },
): Promise<SentMessage[]> {
  const rows = await query(
    records,
    `SELECT seq, message.id, type, verification_id, at, due_at, tries, last_try_at, last_answer, sent_at
      FROM webhook_message AS message JOIN webhook ON webhook.id = webhook_id
      WHERE webhook_id = $1 AND account_id = $2 AND seq < $3 ORDER BY seq DESC LIMIT ${PAGE}`,
    id,
    accountId,
    before ?? Number.MAX_SAFE_INTEGER,
  );
  return rows.map((row) => ({
    seq: Number(row.seq),
    id: String(row.id),
    type: String(row.type),
    verificationId: row.verification_id === null ? null : String(row.verification_id),
    at: Number(row.at),
    state: row.due_at !== null ? 'waiting' : row.sent_at !== null ? 'sent' : 'given-up',
    tries: Number(row.tries),
    nextTryAt: numberOrNull(row.due_at),
    lastTryAt: numberOrNull(row.last_try_at),
    lastAnswer: row.last_answer === null ? null : String(row.last_answer),
  }));
}

/** Seals again what an earlier secret sealed, before that secret is gone. */
export async function resealWebhooks(
  records: Records,
  keyring: Keyring,
): Promise<{ readonly sealed: number; readonly lost: number }> {
  const rows = await query(records, 'SELECT id, secret_sealed, previous_secret_sealed FROM webhook');
  let lost = 0;
  const steps = rows.flatMap((row): Statement[] =>
    ['secret_sealed', 'previous_secret_sealed'].flatMap((column): Statement[] => {
      const [id, old] = [String(row.id), row[column]];
      if (typeof old !== 'string' || keyring.isCurrent(old)) return [];
      const secret = ifIntact(() => openWebhookSecret(keyring, id, old));
      if (secret === undefined) {
        lost += 1;
        return [];
      }
      const sql = `UPDATE webhook SET ${column} = $3 WHERE id = $1 AND ${column} = $2`;
      return [{ sql, args: [id, old, sealWebhookSecret(keyring, id, secret)] }];
    }),
  );
  if (steps.length > 0) await records.transact(steps, true);
  return { sealed: steps.length, lost };
}

const WHY = {
  gone: 'it answered 410 Gone',
  failing: 'five days of nothing but failures',
  'by-hand': 'by hand',
} as const satisfies Record<DisabledWhy, string>;

/** Without the URL, which may hold a token. */
function entryOf(action: string, { accountId, id, by, now }: ChangeOfOne, detail: string): Statement {
  return auditStep({ accountId, by, action, subject: id, detail, at: now });
}

function describeWish({ types, fullNumbers }: WebhookWish): string {
  return `${types.length === 0 ? 'all events' : types.join(', ')}; ${fullNumbers ? 'full' : 'masked'} numbers`;
}

function webhookOf(row: Row, now: number): Webhook {
  const [failedAt, disabledAt] = [numberOrNull(row.last_failure_at), numberOrNull(row.disabled_at)];
  const previousUntil = numberOrNull(row.previous_until);
  return {
    id: String(row.id),
    url: String(row.url),
    types: JSON.parse(String(row.types)),
    fullNumbers: row.full_numbers === 1,
    createdAt: Number(row.created_at),
    previousUntil: previousUntil !== null && previousUntil > now ? previousUntil : null,
    failingSince: numberOrNull(row.failing_since),
    lastSuccessAt: numberOrNull(row.last_success_at),
    lastFailure: failedAt === null ? null : { at: failedAt, answer: String(row.last_failure) },
    disabled: disabledAt === null ? null : { at: disabledAt, why: String(row.disabled_why) as DisabledWhy },
  };
}

const numberOrNull = (value: Row[string] | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);
