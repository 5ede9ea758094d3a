/** What moves: the rows of the embedded store, and the rows of the database that they become. */

import { DAY_MS } from '../../core/seams/spans.ts';
import type { Limits } from '../../core/verification/limits.ts';
import type { Retention } from '../port.ts';
import { longestWindow } from '../shared/longest-window.ts';
import { IS_LEFT } from '../sqlite/verifications/erase.ts';
import { hashesIn } from '../sqlite/verifications/own-hashes.ts';
import { MERGED_REQUESTS } from './requests.ts';

export interface Table {
  /** The name of its rows in reports. */
  readonly name: string;
  /** The table of the database. */
  readonly target: string;
  /** Selects the rows from the embedded store for these columns of `target`. */
  source(columns: readonly string[]): string;
  /** Columns that hold an array or an object as JSON. */
  readonly arrays: readonly string[];
  /** Inserts `$1`, a JSON array of rows with these columns, into the database. */
  insert(columns: string): string;
  /** Counts in the database what `source` selects. */
  readonly count: string;
}

/** In the order of writing. `now` in Unix ms. */
export function tablesToMove(now: number, limits: Limits, retention: Retention): Table[] {
  const kept = `created_at > ${now - retention.verifications}`;
  return [
    sameRows('accounts', 'account'),
    sameRows('API keys', 'api_key'),
    // Sessions, counted guesses and one-time links stay behind: people sign in again.
    sameRows('people', 'person'),
    sameRows('passkeys', 'passkey'),
    sameRows('identities of single sign-on', 'identity'),
    sameRows('authenticators', 'totp'),
    sameRows('recovery codes', 'recovery_code'),
    sameRows('members', 'member'),
    sameRows('invitations', 'invitation'),
    sameRows('entries of the audit log', 'audit_entry'),
    sameRows('ends of audit logs', 'audit_head'),
    sameRows('settings of accounts', 'account_setting'),
    sameRows('counts of verdicts', 'verdict_count'),
    sameRows('numbers that accounts send nothing to', 'blocked_number'),
    sameRows('ranges that accounts send nothing to', 'blocked_range'),
    rowsOf('verifications', 'verification', {
      from: `verification WHERE NOT ${IS_LEFT} AND ${kept}`,
      exceptions: { id: uuid('id') },
    }),
    rowsOf('attempts', 'attempt', {
      from: `attempt WHERE EXISTS (SELECT 1 FROM verification WHERE id = verification_id AND ${kept})`,
      exceptions: { verification_id: uuid('verification_id') },
    }),
    // The holders of leases are gone, and a retry can start at once: everything is due, the oldest first. A delivery that is
    // due at its expiry waits for a receipt and goes on waiting.
    rowsOf('waiting deliveries', 'delivery', {
      from: `(SELECT delivery.*, created_at FROM delivery JOIN verification ON id = verification_id WHERE ${kept})`,
      exceptions: {
        verification_id: uuid('verification_id'),
        due_at: 'CASE WHEN due_at < expires_at THEN created_at ELSE due_at END',
      },
    }),
    rowsOf('messages of the simulator', 'inbox_message', {
      from: `(
        SELECT inbox_message.*, destination_hash FROM inbox_message JOIN verification ON id = verification_id
        WHERE received_at > ${now - retention.simulatorMessages} AND ${kept})`,
      exceptions: { verification_id: uuid('verification_id') },
    }),
    rowsOf('codes that can be confirmed by their number', 'code_by_number', {
      from: `verification WHERE by_number AND confirmed_at IS NULL AND ended_at IS NULL AND expires_at > ${now}`,
      exceptions: { verification_id: uuid('id') },
    }),
    rowsOf('ends of numbers that missed calls come from', 'used_ending', {
      from: `used_ending WHERE ends_at > ${now}`,
    }),
    rowsOf('people that messengers have names for', 'messenger_user', {
      from: `messenger_user WHERE ${kept}`,
      exceptions: { verification_id: uuid('verification_id') },
    }),
    rowsOf('idempotency keys', 'idempotency', {
      from: `idempotency WHERE created_at > ${now - DAY_MS}`,
      exceptions: { verification_id: uuid('verification_id') },
    }),
    rowsOf('early receipts', 'early_receipt', {
      from: `(SELECT DISTINCT * FROM early_receipt) AS early_receipt WHERE received_at > ${now - DAY_MS}`,
      exceptions: {
        spellings: `(
          SELECT json_group_array(DISTINCT reference) FROM early_receipt AS other
          WHERE other.receipt_id = early_receipt.receipt_id)`,
      },
      arrays: ['recipient_tags', 'spellings'],
    }),
    eventsOfDestinations(
      'sends in the windows of limits',
      'sends',
      `SELECT destination_hash AS hash, previous_destination_hash AS previous, created_at AS at
       FROM verification WHERE NOT test AND created_at > ${now - longestWindow(limits.sendsPerDestination)}`,
    ),
    eventsOfDestinations(
      'failed guesses in the windows of limits',
      'failures',
      `SELECT failed_guess.destination_hash AS hash, previous_destination_hash AS previous, failed_at AS at
       FROM failed_guess LEFT JOIN verification ON id = verification_id
       WHERE failed_at > ${now - longestWindow(limits.failedGuessesPerDestination)}
         -- Once each: while a secret is rotated one is written under the other hashes of its code, too.
         AND (id IS NULL OR failed_guess.destination_hash = verification.destination_hash)`,
    ),
    rowsOf('moments of requests in the windows of limits', 'request_log', { from: MERGED_REQUESTS }),
    rowsOf('requesters, such as API keys, with such requests', 'key_usage', {
      from: `${MERGED_REQUESTS} GROUP BY key_id`,
      exceptions: { requests: 'max(last_number)' },
    }),
    sameRows('webhooks', 'webhook'),
    messagesOfWebhooks(),
    rowsOf('codes whose end a webhook waits for', 'webhook_expiry', {
      from: 'webhook_expiry',
      exceptions: { verification_id: uuid('verification_id') },
    }),
    sameRows('alerts', 'alert'),
    sameRows('notices of alerts', 'alert_notice'),
    sameRows('members who want mail of alerts', 'alert_subscriber'),
    sameRows('webhooks of alerts', 'alert_webhook'),
    sameRows('tests of carriers', 'carrier_test'),
    sameRows('first steps that people put away', 'start_dismissal'),
    sameRows('counts of what became of verifications', 'tally'),
    sameRows('counts of latencies', 'latency_tally'),
    sameRows('quotas', 'quota'),
    sameRows('uses of budgets', 'budget_use'),
    sameRows('rules of the guard', 'guard_rule'),
    sameRows('what the guard learnt', 'guard_memory'),
    sameRows('what the guard refused', 'guard_refusal'),
    sameRows('days of the guard', 'guard_day'),
    sameRows('evidence of the guard', 'guard_evidence'),
    sameRows('events of the guard', 'guard_event'),
    rowsOf('reservations in budgets', 'reservation', {
      from: 'reservation',
      exceptions: { verification_id: uuid('verification_id') },
      arrays: ['charges', 'prices'],
    }),
  ];
}

/** A table with the same rows and columns in both stores: a column that the database lacks stops the move. */
function sameRows(name: string, target: string): Table {
  return { ...rowsOf(name, target, { from: target }), source: () => `SELECT * FROM ${target}` };
}

interface Rows {
  readonly from: string;
  /** SQL for the columns that the embedded store lacks, or has in another form. All others have the same name there. */
  readonly exceptions?: Readonly<Record<string, string>>;
  readonly arrays?: readonly string[];
}

/** A table whose rows are made of others. A column that the embedded store does not have stops the move. */
function rowsOf(name: string, target: string, { from, exceptions = {}, arrays = [] }: Rows): Table {
  const select = (column: string) => `${exceptions[column] ?? column} AS ${column}`;
  return {
    name,
    target,
    source: (columns) => `SELECT ${columns.map(select).join(', ')} FROM ${from}`,
    arrays,
    insert: (columns) =>
      `INSERT INTO ${target} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${target}, $1)`,
    count: `SELECT count(*) AS n FROM ${target}`,
  };
}

/**
 * What counts against a destination. The database keeps it as a list, newest first. An event from a rotation of the secret
 * counts under all its hashes.
 */
function eventsOfDestinations(name: string, list: 'sends' | 'failures', events: string): Table {
  return {
    name,
    target: 'destination',
    source: () => `
      SELECT hash, at FROM (
        SELECT hash, at FROM (${events})
        UNION ALL SELECT value, at FROM (${events}), ${hashesIn('previous')}
      ) ORDER BY at`,
    arrays: [],
    insert: () => `
      INSERT INTO destination AS held (hash, ${list === 'sends' ? '' : 'sends, '}${list}, last_day)
      SELECT hash, ${list === 'sends' ? '' : "'{}', "}array_agg(at ORDER BY at DESC), max(at) / ${DAY_MS}
      FROM json_to_recordset($1) AS event (hash text, at bigint) GROUP BY hash
      ON CONFLICT (hash) DO UPDATE SET
        ${list} = excluded.${list} || held.${list}, last_day = greatest(held.last_day, excluded.last_day)`,
    count: `SELECT coalesce(sum(cardinality(${list})), 0) AS n FROM destination`,
  };
}

/** The database numbers them again, in the same order. */
function messagesOfWebhooks(): Table {
  const from = 'webhook_message ORDER BY seq';
  const table = rowsOf('messages of webhooks', 'webhook_message', { from });
  return { ...table, source: (columns) => table.source(columns.filter((column) => column !== 'seq')) };
}

/** An id as the database keeps it: without `ver_`. */
function uuid(column: string): string {
  return `substr(${column}, 5)`;
}
