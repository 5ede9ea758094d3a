/**
 * Which endpoints this node sends to. A node leases an endpoint and not each message: messages then stay in order, no more are
 * under way to an endpoint than its bound, and sending one costs the store one write.
 */

import { openWebhookSecret } from '../core/events/endpoint.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import { ifIntact } from '../core/secrets/sealed-field.ts';
import { query, type Records, type Row } from '../core/sql/records.ts';

export interface Endpoint {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly fullNumbers: boolean;
  /** The newest first; none if they can no longer be read. */
  readonly secrets: readonly string[];
  /** Rises with every new holder, and at another address: what failed before settles nothing. */
  readonly fence: number;
  /** Unix ms; null while the last try was a success. */
  readonly failingSince: number | null;
}

export interface LeaseOrder {
  readonly node: string;
  readonly now: number;
  /** In ms. */
  readonly lease: number;
}

const LEASE = `
  UPDATE webhook SET
    fence = CASE WHEN leased_by = $1 THEN fence ELSE fence + 1 END, leased_by = $1, leased_until = CAST($3 AS BIGINT)
  WHERE disabled_at IS NULL
    AND (leased_by = $1 OR leased_until <= CAST($2 AS BIGINT) OR leased_until > CAST($3 AS BIGINT) + 60000)
  RETURNING id, account_id, url, full_numbers, secret_sealed, previous_secret_sealed, previous_until, fence, failing_since`;

/** Takes what is free and renews what this node has. A lease that ends impossibly late was taken by a clock that was ahead. */
export async function leaseEndpoints(
  records: Records,
  keyring: Keyring,
  { node, now, lease }: LeaseOrder,
): Promise<Endpoint[]> {
  const rows = await query(records, LEASE, node, now, now + lease);
  return rows.map((row) => ({
    id: String(row.id),
    accountId: String(row.account_id),
    url: String(row.url),
    fullNumbers: row.full_numbers === 1,
    secrets: secretsOf(keyring, row, now),
    fence: Number(row.fence),
    failingSince: row.failing_since === null ? null : Number(row.failing_since),
  }));
}

export async function releaseEndpoints(records: Records, node: string): Promise<void> {
  await query(records, 'UPDATE webhook SET leased_until = 0 WHERE leased_by = $1 AND leased_until > 0', node);
}

/** Those of this node that have something due. */
export async function findReady(records: Records, node: string, now: number): Promise<string[]> {
  const rows = await query(
    records,
    `SELECT id FROM webhook WHERE leased_by = $1 AND disabled_at IS NULL AND EXISTS (
      SELECT 1 FROM webhook_message WHERE webhook_id = webhook.id AND due_at <= $2)`,
    node,
    now,
  );
  return rows.map(({ id }) => String(id));
}

function secretsOf(keyring: Keyring, row: Row, now: number): string[] {
  const previous = Number(row.previous_until ?? 0) > now ? row.previous_secret_sealed : null;
  return [row.secret_sealed, previous].flatMap((sealed) => {
    if (typeof sealed !== 'string') return [];
    return ifIntact(() => openWebhookSecret(keyring, String(row.id), sealed)) ?? [];
  });
}
