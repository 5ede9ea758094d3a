/**
 * Whom an account's alerts are told to: members who asked for mail to their own address, and one webhook. Its address is a secret too:
 * whoever has that of a chat can write there.
 */

import type { FieldError } from '../../core/errors/field-error.ts';
import { mintWebhookSecret } from '../../core/events/endpoint.ts';
import { readEndpointUrl } from '../../core/events/endpoint-url.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { ifIntact } from '../../core/secrets/sealed-field.ts';
import { query, type Records, type Statement, type Step } from '../../core/sql/records.ts';
import { lockAccount } from '../standing.ts';
import { type AlertChange, auditAlerts } from './change.ts';

interface ChannelDeps {
  readonly records: Records;
  readonly keyring: Keyring;
  /** `webhooks.privateNetworks` of the configuration. */
  readonly privateNetworks: readonly string[];
}

/** What a webhook is sent to, and signed with. */
export interface AlertWebhook {
  readonly url: string;
  readonly secret: string;
}

/** Who gets mail: owners and developers who asked for it. Viewers do not, nor those who left. */
export const SUBSCRIBED = `FROM alert_subscriber JOIN member
    ON member.account_id = alert_subscriber.account_id AND member.person_id = alert_subscriber.person_id
  JOIN person ON person.id = alert_subscriber.person_id
  WHERE role IN ('owner', 'developer')`;

const contextOf = (accountId: string): string => `alert webhook ${accountId}`;

export interface AlertChannels {
  /** Names, and which of them is the person who asks. */
  readonly subscribers: readonly { readonly id: string; readonly name: string }[];
  readonly webhook: {
    /** The host alone. */
    readonly host: string;
    readonly addedBy: string;
    readonly addedAt: number;
  } | null;
}

export async function readAlertChannels(records: Records, accountId: string): Promise<AlertChannels> {
  const answer = await records.transact([
    {
      sql: `SELECT person.id AS id, name ${SUBSCRIBED} AND alert_subscriber.account_id = $1 ORDER BY name, person.id`,
      args: [accountId],
    },
    { sql: 'SELECT host, added_by, added_at FROM alert_webhook WHERE account_id = $1', args: [accountId] },
  ]);
  const [people = [], [webhook] = []] = answer.done ? answer.rows : [];
  return {
    subscribers: people.map(({ id, name }) => ({ id: String(id), name: String(name) })),
    webhook:
      webhook === undefined
        ? null
        : {
            host: String(webhook.host),
            addedBy: String(webhook.added_by),
            addedAt: Number(webhook.added_at),
          },
  };
}

/** The person's own address, and nobody else's. */
export async function subscribe(
  records: Records,
  change: AlertChange & { readonly personId: string },
): Promise<void> {
  const { accountId, personId, now } = change;
  const insert: Statement = {
    sql: `INSERT INTO alert_subscriber (account_id, person_id, since) VALUES ($1, $2, CAST($3 AS BIGINT))
      ON CONFLICT (account_id, person_id) DO NOTHING`,
    args: [accountId, personId, now],
  };
  await records.transact([insert, auditAlerts(records, 'alerts.mail-wanted', 'own address', change)]);
}

export async function unsubscribe(
  records: Records,
  change: AlertChange & { readonly personId: string },
): Promise<void> {
  const { accountId, personId } = change;
  const remove: Statement = {
    sql: 'DELETE FROM alert_subscriber WHERE account_id = $1 AND person_id = $2',
    args: [accountId, personId],
  };
  await records.transact([remove, auditAlerts(records, 'alerts.mail-ended', 'own address', change)]);
}

export type PlacedWebhook =
  | { readonly kind: 'placed'; readonly secret: string }
  | { readonly kind: 'wrong'; readonly error: FieldError<'url'> };

/** Instead of the one before, with a new secret. */
export async function placeAlertWebhook(
  { records, keyring, privateNetworks }: ChannelDeps,
  change: AlertChange,
  url: string,
): Promise<PlacedWebhook> {
  const read = readEndpointUrl(url, privateNetworks);
  if (!read.ok) return { kind: 'wrong', error: { field: 'url', code: read.code, detail: read.detail } };
  const { accountId, by, now } = change;
  const secret = mintWebhookSecret(records.random);
  const sealed = keyring.seal(
    JSON.stringify({ url: read.url, secret } satisfies AlertWebhook),
    contextOf(accountId),
  );
  const place: Statement = {
    sql: `INSERT INTO alert_webhook (account_id, sealed, host, added_by, added_at) VALUES ($1, $2, $3, $4, CAST($5 AS BIGINT))
      ON CONFLICT (account_id) DO UPDATE SET
        sealed = excluded.sealed, host = excluded.host, added_by = excluded.added_by, added_at = excluded.added_at`,
    args: [accountId, sealed, new URL(read.url).host, by.name, now],
  };
  const entry = auditAlerts(records, 'alerts.webhook-added', new URL(read.url).host, change);
  await records.transact([lockAccount(accountId), place, entry]);
  return { kind: 'placed', secret };
}

/** False if there is none. */
export async function removeAlertWebhook(records: Records, change: AlertChange): Promise<boolean> {
  const remove: Step = {
    sql: 'DELETE FROM alert_webhook WHERE account_id = $1 RETURNING account_id',
    args: [change.accountId],
    guard: true,
  };
  const entry = auditAlerts(records, 'alerts.webhook-removed', 'webhook', change);
  return (await records.transact([remove, entry])).done;
}

/** Undefined if there is none, or no configured secret opens it. */
export async function openAlertWebhook(
  records: Records,
  keyring: Keyring,
  accountId: string,
): Promise<AlertWebhook | undefined> {
  const [row] = await query(records, 'SELECT sealed FROM alert_webhook WHERE account_id = $1', accountId);
  return row === undefined ? undefined : unseal(keyring, accountId, String(row.sealed));
}

function unseal(keyring: Keyring, accountId: string, sealed: string): AlertWebhook | undefined {
  const text = ifIntact(() => keyring.open(sealed, contextOf(accountId)));
  return text === undefined ? undefined : JSON.parse(text);
}

/** Seals again what an earlier secret sealed, before that secret is gone. */
export async function resealAlertWebhooks(
  records: Records,
  keyring: Keyring,
): Promise<{ readonly sealed: number; readonly lost: number }> {
  const rows = await query(records, 'SELECT account_id, sealed FROM alert_webhook');
  let lost = 0;
  const steps = rows.flatMap((row): Statement[] => {
    const [accountId, old] = [String(row.account_id), String(row.sealed)];
    if (keyring.isCurrent(old)) return [];
    const webhook = unseal(keyring, accountId, old);
    if (webhook === undefined) {
      lost += 1;
      return [];
    }
    const anew = keyring.seal(JSON.stringify(webhook), contextOf(accountId));
    const sql = 'UPDATE alert_webhook SET sealed = $3 WHERE account_id = $1 AND sealed = $2';
    return [{ sql, args: [accountId, old, anew] }];
  });
  if (steps.length > 0) await records.transact(steps);
  return { sealed: steps.length, lost };
}
