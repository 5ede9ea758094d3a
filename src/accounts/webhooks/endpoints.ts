/**
 * The endpoints of an account. Every change announces itself (the second argument of `transact`): the store that writes events
 * remembers which account wants which, and looks again when something was announced.
 */

import type { FieldError } from '../../core/errors/field-error.ts';
import { type DisabledWhy, MAX_WEBHOOKS, type Webhook } from '../../core/events/endpoint.ts';
import { readEndpointUrl } from '../../core/events/endpoint-url.ts';
import { EVENT_TYPES, type EventType } from '../../core/events/event.ts';
import { query, type Records, type Row, type Step } from '../../core/sql/records.ts';
import { lockAccount } from '../standing.ts';
import { mintListId } from '../token.ts';
import { auditWebhook, type Change, type ChangeOfOne, type NumbersChange } from './change.ts';
import { tryAnew, tryRestAnew } from './messages.ts';
import { mintSealedSecret, type SecretDeps } from './secrets.ts';

export interface WebhookDeps extends SecretDeps {
  /** `webhooks.privateNetworks` of the configuration. */
  readonly privateNetworks: readonly string[];
}

/** What an account says of an endpoint. */
export interface WebhookInput {
  readonly url: string;
  /** Empty: all types. */
  readonly types: readonly EventType[];
  readonly fullNumbers: boolean;
}

type Wrong = { readonly kind: 'wrong'; readonly error: FieldError<'url'> };

export type AddedWebhook =
  | { readonly kind: 'added'; readonly id: string; readonly secret: string }
  | Wrong
  /** There are MAX_WEBHOOKS already. */
  | { readonly kind: 'too-many' };

export type ChangedWebhook =
  | { readonly kind: 'changed' | 'unknown' }
  | Wrong
  /** It would get full numbers, or get them at another address. */
  | { readonly kind: 'numbers' };

const COLUMNS = `id, url, types, full_numbers, created_at, previous_until, failing_since, last_success_at, last_failure_at,
  last_failure, disabled_at, disabled_why`;

/** What is known of it from what it answered. */
const ANSWERED = ['failing_since', 'last_success_at', 'last_failure_at', 'last_failure'];

/** In the order in which they were added. */
export async function listWebhooks(records: Records, accountId: string, now: number): Promise<Webhook[]> {
  const rows = await query(
    records,
    `SELECT ${COLUMNS} FROM webhook WHERE account_id = $1 ORDER BY id`,
    accountId,
  );
  return rows.map((row) => webhookOf(row, now));
}

export async function findWebhook(
  records: Records,
  accountId: string,
  id: string,
  now: number,
): Promise<Webhook | undefined> {
  const sql = `SELECT ${COLUMNS} FROM webhook WHERE account_id = $1 AND id = $2`;
  const [row] = await query(records, sql, accountId, id);
  return row && webhookOf(row, now);
}

/** Whose endpoint it is. For the command line, which knows all accounts. */
export async function findAccountOfWebhook(records: Records, id: string): Promise<string | undefined> {
  const [row] = await query(records, 'SELECT account_id FROM webhook WHERE id = $1', id);
  return row && String(row.account_id);
}

export async function addWebhook(
  { records, keyring, privateNetworks }: WebhookDeps,
  { accountId, by, now, ...wish }: Change & WebhookInput,
): Promise<AddedWebhook> {
  const read = readEndpointUrl(wish.url, privateNetworks);
  if (!read.ok) return wrongUrl(read);
  const id = mintListId('whk', now, records.random);
  const { secret, sealed } = mintSealedSecret({ records, keyring }, id);
  const types = inOrder(wish.types);
  const insert: Step = {
    sql: `INSERT INTO webhook (id, account_id, url, types, full_numbers, secret_sealed, created_at)
      SELECT $1, $2, $3, $4, CAST($5 AS INTEGER), $6, CAST($7 AS BIGINT)
      WHERE (SELECT count(*) FROM webhook WHERE account_id = $2) < ${MAX_WEBHOOKS}
      RETURNING id`,
    args: [id, accountId, read.url, JSON.stringify(types), Number(wish.fullNumbers), sealed, now],
    guard: true,
  };
  const told = { accountId, id, by, now };
  const entry = auditWebhook(records, 'webhook.added', told, describe({ ...wish, types }));
  // The lock puts additions in order, so that each counts those before it.
  const answer = await records.transact([lockAccount(accountId), insert, entry], true);
  return answer.done ? { kind: 'added', id, secret } : { kind: 'too-many' };
}

/** Absent fields stay as they are. Another address begins anew: nothing that the one before answered counts for it. */
export interface WebhookChange extends NumbersChange {
  readonly url?: string | undefined;
  readonly types?: readonly EventType[] | undefined;
  readonly fullNumbers?: boolean | undefined;
}

export async function changeWebhook(
  { records, privateNetworks }: Pick<WebhookDeps, 'records' | 'privateNetworks'>,
  { accountId, id, by, now, mayGiveNumbers, url, types, fullNumbers }: WebhookChange,
): Promise<ChangedWebhook> {
  const read = url === undefined ? undefined : readEndpointUrl(url, privateNetworks);
  if (read?.ok === false) return wrongUrl(read);
  const wish = {
    ...(read !== undefined && { url: read.url }),
    ...(types !== undefined && { types: inOrder(types) }),
    ...(fullNumbers !== undefined && { fullNumbers }),
  };
  const change: Step = {
    // Where it then gets full numbers, it did before, and at the same address, or who asks may decide that. With another fence,
    // who sends to it forgets the pause that was asked for, and writes no failure of before.
    sql: `UPDATE webhook SET url = coalesce($3, url), types = coalesce($4, types),
        full_numbers = coalesce(CAST($5 AS INTEGER), full_numbers),
        fence = CASE WHEN url = coalesce($3, url) THEN fence ELSE fence + 1 END,
        ${ANSWERED.map((column) => `${column} = CASE WHEN url = coalesce($3, url) THEN ${column} END`).join(', ')}
      WHERE id = $1 AND account_id = $2 AND (CAST($6 AS INTEGER) = 1 OR coalesce(CAST($5 AS INTEGER), full_numbers) = 0
        OR (full_numbers = 1 AND url = coalesce($3, url)))
      RETURNING id`,
    args: [
      ...[id, accountId, wish.url ?? null, wish.types === undefined ? null : JSON.stringify(wish.types)],
      ...[wish.fullNumbers === undefined ? null : Number(wish.fullNumbers), Number(mayGiveNumbers)],
    ],
    guard: true,
  };
  const entry = auditWebhook(records, 'webhook.changed', { accountId, id, by, now }, describe(wish));
  const anew = read === undefined ? [] : [tryAnew({ accountId, id, by, now }, read.url)];
  const answer = await records.transact([...anew, change, entry], true);
  if (answer.done) {
    if (read !== undefined) await tryRestAnew(records, { accountId, id, by, now }, read.url, answer.rows[0]);
    return { kind: 'changed' };
  }
  const found = await findWebhook(records, accountId, id, now);
  return { kind: found === undefined ? 'unknown' : 'numbers' };
}

/** Its messages are sent no more; the purge deletes them. False if it is not there. */
export async function removeWebhook(records: Records, change: ChangeOfOne): Promise<boolean> {
  const remove: Step = {
    sql: 'DELETE FROM webhook WHERE id = $1 AND account_id = $2 RETURNING id',
    args: [change.id, change.accountId],
    guard: true,
  };
  const entry = auditWebhook(records, 'webhook.removed', change);
  return (await records.transact([remove, entry], true)).done;
}

/**
 * What was waiting when it was disabled is tried again. False if it is not there or not disabled, or would get full numbers again
 * without the word of who may decide that.
 */
export async function enableWebhook(records: Records, change: NumbersChange): Promise<boolean> {
  const enable: Step = {
    sql: `UPDATE webhook SET disabled_at = NULL, disabled_why = NULL, failing_since = NULL, fence = fence + 1
      WHERE id = $1 AND account_id = $2 AND disabled_at IS NOT NULL AND (full_numbers = 0 OR CAST($3 AS INTEGER) = 1)
      RETURNING id`,
    args: [change.id, change.accountId, Number(change.mayGiveNumbers)],
    guard: true,
  };
  const entry = auditWebhook(records, 'webhook.enabled', change);
  return (await records.transact([enable, entry], true)).done;
}

/** False if it is not there, or is disabled already, or has another fence: then what it answered was at another address, or before. */
export async function disableWebhook(
  records: Records,
  change: ChangeOfOne,
  why: DisabledWhy,
  fence: number | null = null,
): Promise<boolean> {
  const disable: Step = {
    sql: `UPDATE webhook SET disabled_at = CAST($3 AS BIGINT), disabled_why = $4
      WHERE id = $1 AND account_id = $2 AND disabled_at IS NULL AND fence = coalesce(CAST($5 AS INTEGER), fence)
      RETURNING id`,
    args: [change.id, change.accountId, change.now, why, fence],
    guard: true,
  };
  const entry = auditWebhook(records, 'webhook.disabled', change, WHY[why]);
  return (await records.transact([disable, entry], true)).done;
}

const WHY = {
  gone: 'it answered 410 Gone',
  failing: 'five days of nothing but failures',
  'by-hand': 'by hand',
} as const satisfies Record<DisabledWhy, string>;

const wrongUrl = ({ code, detail }: Pick<FieldError, 'code' | 'detail'>): Wrong => ({
  kind: 'wrong',
  error: { field: 'url', code, detail },
});

/** Each once. */
const inOrder = (types: readonly EventType[]): EventType[] =>
  EVENT_TYPES.filter((type) => types.includes(type));

/** What a change sets, for the audit log. */
function describe({ url, types, fullNumbers }: Partial<WebhookInput>): string {
  return [
    ...(url === undefined ? [] : ['address']),
    ...(types === undefined ? [] : [types.length === 0 ? 'all events' : types.join(', ')]),
    ...(fullNumbers === undefined ? [] : [`${fullNumbers ? 'full' : 'masked'} numbers`]),
  ].join('; ');
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
