/** The secrets that messages to an endpoint are signed with. The store has them sealed. */

import {
  mintWebhookSecret,
  OVERLAP_MS,
  openWebhookSecret,
  sealWebhookSecret,
} from '../../core/events/endpoint.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { ifIntact } from '../../core/secrets/sealed-field.ts';
import { query, type Records, type Statement, type Step } from '../../core/sql/records.ts';
import { auditWebhook, type NumbersChange } from './change.ts';

export interface SecretDeps {
  readonly records: Records;
  readonly keyring: Keyring;
}

export function mintSealedSecret(
  { records, keyring }: { readonly records: Pick<Records, 'random'>; readonly keyring: Keyring },
  id: string,
): { readonly secret: string; readonly sealed: string } {
  const secret = mintWebhookSecret(records.random);
  return { secret, sealed: sealWebhookSecret(keyring, id, secret) };
}

/**
 * Whoever has the secret of an endpoint that gets full numbers can tell it that any number was confirmed: it is for who may decide
 * who gets them.
 */
const MAY_HAVE = '(full_numbers = 0 OR CAST($3 AS INTEGER) = 1)';

/**
 * The new secret; undefined if there is no such endpoint, or it is not for who asks. For OVERLAP_MS both sign. Of a second rotation within that time, only
 * the last two do.
 */
export async function rotateWebhookSecret(
  { records, keyring }: SecretDeps,
  change: NumbersChange,
): Promise<string | undefined> {
  const { accountId, id, now } = change;
  const { secret, sealed } = mintSealedSecret({ records, keyring }, id);
  const rotate: Step = {
    sql: `UPDATE webhook SET previous_secret_sealed = secret_sealed, previous_until = CAST($4 AS BIGINT), secret_sealed = $5
      WHERE id = $1 AND account_id = $2 AND ${MAY_HAVE} RETURNING id`,
    args: [id, accountId, Number(change.mayGiveNumbers), now + OVERLAP_MS, sealed],
    guard: true,
  };
  const entry = auditWebhook(records, 'webhook.secret-rotated', change);
  return (await records.transact([rotate, entry], true)).done ? secret : undefined;
}

export type RevealedSecret =
  | { readonly kind: 'revealed'; readonly secret: string }
  /** There is none for who asks. */
  | { readonly kind: 'unknown' }
  /** No configured secret opens it. */
  | { readonly kind: 'lost' };

/** The audit entry is written before the secret is returned. */
export async function revealWebhookSecret(
  { records, keyring }: SecretDeps,
  change: NumbersChange,
): Promise<RevealedSecret> {
  const { accountId, id } = change;
  const held: Step = {
    sql: `SELECT secret_sealed FROM webhook WHERE id = $1 AND account_id = $2 AND ${MAY_HAVE}`,
    args: [id, accountId, Number(change.mayGiveNumbers)],
    guard: true,
  };
  const entry = auditWebhook(records, 'webhook.secret-revealed', change);
  const answer = await records.transact([held, entry]);
  const sealed = answer.done ? answer.rows[0]?.[0]?.secret_sealed : undefined;
  if (typeof sealed !== 'string') return { kind: 'unknown' };
  const secret = ifIntact(() => openWebhookSecret(keyring, id, sealed));
  return secret === undefined ? { kind: 'lost' } : { kind: 'revealed', secret };
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
