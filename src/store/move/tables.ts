/** What moves: the rows of the embedded store, and the rows of the database that they become. */
import type { Limit, Limits } from '../../core/verification/limits.ts';
import type { Retention } from '../port.ts';
import { DAY_MS } from '../postgres/schema/partitions.ts';
import { hashesIn } from '../sqlite/verifications/own-hashes.ts';
import { MERGED_REQUESTS } from './requests.ts';

export interface Table {
  /** The name of its rows in reports. */
  readonly name: string;
  /** The table of the database. */
  readonly target: string;
  /** Selects the rows from the embedded store, with the database's names for the columns. */
  readonly source: string;
  /** Columns that hold an array as JSON. */
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
    sameRows('settings of accounts', 'account_setting'),
    sameRows(
      'verifications',
      'verification',
      `SELECT ${uuid('id')} AS id, account_id, key_id, test, channel, country, destination_hash,
         previous_destination_hash, destination_sealed, code_mac, guesses_left, created_at, expires_at, confirmed_at
       FROM verification WHERE ${kept}`,
    ),
    // The database's fences begin at 1 with the first claim, so they cannot clash with these.
    sameRows(
      'attempts',
      'attempt',
      `SELECT ${uuid('verification_id')} AS verification_id, 0 AS fence, number AS position, attempt.carrier, started_at,
         ended_at, outcome, reference, recipient_tag, reason, receipt, receipt_reason, receipt_at, choice, cost
       FROM attempt JOIN verification ON id = verification_id WHERE ${kept}`,
    ),
    // The holders of leases are gone, and a retry can start at once: everything is due, the oldest first. A delivery that is
    // due at its expiry waits for a receipt and goes on waiting.
    sameRows(
      'waiting deliveries',
      'delivery',
      `SELECT ${uuid('id')} AS verification_id, code_sealed,
         CASE WHEN due_at < expires_at THEN created_at ELSE due_at END AS due_at, expires_at, fence, rounds
       FROM verification WHERE due_at IS NOT NULL AND ${kept}`,
    ),
    sameRows(
      'messages of the simulator',
      'inbox_message',
      `SELECT account_id, ${uuid('id')} AS verification_id, destination_hash, code_sealed, inbox_at AS received_at
       FROM verification WHERE inbox_at > ${now - retention.simulatorMessages} AND ${kept}`,
    ),
    sameRows(
      'idempotency keys',
      'idempotency',
      `SELECT account_id, key_hash, body_hash, ${uuid('verification_id')} AS verification_id, created_at,
         attempts_remaining
       FROM idempotency WHERE created_at > ${now - DAY_MS}`,
    ),
    {
      ...sameRows(
        'early receipts',
        'early_receipt',
        `SELECT DISTINCT carrier, reference, receipt_id, recipient_tags, status, reason, received_at, (
           SELECT json_group_array(DISTINCT reference) FROM early_receipt AS other
           WHERE other.receipt_id = early_receipt.receipt_id) AS spellings
         FROM early_receipt WHERE received_at > ${now - DAY_MS}`,
      ),
      arrays: ['recipient_tags', 'spellings'],
    },
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
       WHERE failed_at > ${now - longestWindow(limits.failedGuessesPerDestination)}`,
    ),
    sameRows(
      'moments of requests in the windows of limits',
      'request_log',
      `SELECT * FROM ${MERGED_REQUESTS}`,
    ),
    sameRows(
      'API keys with such requests',
      'key_usage',
      `SELECT key_id, max(last_number) AS requests FROM ${MERGED_REQUESTS} GROUP BY key_id`,
    ),
    sameRows('counts of what became of verifications', 'tally'),
    sameRows('counts of latencies', 'latency_tally'),
    sameRows('quotas', 'quota'),
  ];
}

/** A table with the same rows in both stores. */
function sameRows(name: string, target: string, source = `SELECT * FROM ${target}`): Table {
  return {
    name,
    target,
    source,
    arrays: [],
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
    source: `
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

/** An id as the database keeps it: without `ver_`. */
function uuid(column: string): string {
  return `substr(${column}, 5)`;
}

function longestWindow(limits: readonly Limit[]): number {
  return Math.max(0, ...limits.map(({ windowMs }) => windowMs));
}
