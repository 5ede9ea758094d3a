/** What both stores share when they search past verifications. */
import type { FraudVerdict, GivenVerdict, VerdictWeight } from '../../core/guarding/verdict.ts';
import { NO_KEY } from '../../core/verification/carrier-test.ts';
import type {
  ArchivedVerification,
  ArchivePage,
  ArchiveQuery,
} from '../../core/verification/reading/archive.ts';
import { pastUntil } from './kept.ts';

/**
 * Rows read for one page. There is no index of an account's verifications, because it would cost every `/verify` a write:
 * rows are read in the order of their ids, which is the order of time.
 */
export const MOST_ROWS = 20_000;

/** An id is made a moment before its verification gets its time, and another node's clock may differ. */
const ID_SLACK_MS = 10_000;
const LAST_TIME = 2 ** 48 - 1;

/** The filter, but from no earlier than what is kept. */
export function filterKept(
  { filter, now, evenPast }: Pick<ArchiveQuery, 'filter' | 'now' | 'evenPast'>,
  retentionMs: number,
): ArchiveQuery['filter'] {
  if (evenPast) return filter;
  return { ...filter, from: Math.max(filter.from ?? 0, pastUntil(now, retentionMs) + 1) };
}

/** The range of times in the wanted ids, `to` exclusive. */
export function idTimes({ from = 0, to = LAST_TIME }: Pick<ArchiveQuery['filter'], 'from' | 'to'>): {
  readonly from: number;
  readonly to: number;
} {
  return { from: Math.max(0, from - ID_SLACK_MS), to: Math.min(LAST_TIME, to + ID_SLACK_MS) };
}

/** Where the search stopped because it had read enough rows. */
export interface Floor {
  readonly id: string;
  readonly createdAt: number;
}

/** Where a part ends that was searched to its floor. */
export const endAt = (floor: Floor | undefined): Pick<ArchivePage, 'next' | 'searchedTo'> => ({
  next: floor?.id ?? null,
  searchedTo: floor?.createdAt ?? null,
});

/** Makes a page, newest first, of rows that were read with one more than asked for. */
export function pageOf(
  found: readonly ArchivedVerification[],
  limit: number,
  floor: Floor | undefined,
): ArchivePage {
  const verifications = found.slice(0, limit);
  return { verifications, ...endAt(found.length > limit ? verifications.at(-1) : floor) };
}

/** The carriers in the order in which each was asked first, of the attempts in order. No name of a carrier has a comma. */
export const askedOf = (attempts: string | null): string[] => [...new Set(attempts?.split(',') ?? [])];

/** Columns of a verification, with the names of its fields. */
const VERIFICATION_COLUMNS = `id, account_id AS "accountId", key_id AS "keyId", test, brought, channel, country,
  destination_sealed AS "destinationSealed", guesses_left AS "guessesLeft", created_at AS "createdAt",
  coalesce(ended_at, expires_at) AS "expiresAt", ended_at AS "endedAt", confirmed_at AS "confirmedAt"`;

/** What only the page of one verification shows. */
export const DETAIL_COLUMNS = `details_sealed AS "detailsSealed", signals,
  verdict, verdict_at AS "verdictAt", verdict_weight AS "verdictWeight"`;

export interface VerdictColumns {
  readonly verdict: FraudVerdict | null;
  readonly verdictAt: number | null;
  readonly verdictWeight: VerdictWeight | null;
}

export const verdictOf = ({ verdict, verdictAt, verdictWeight }: VerdictColumns): GivenVerdict | null =>
  verdict && { verdict, at: verdictAt ?? 0, weight: verdictWeight ?? 0 };

/** SQL for the attempts of a verification as one JSON list; each store has its own functions that make JSON. */
export const attemptsAs = (list: string, object: string, order: string) => `(
  SELECT ${list}(${object}(
    'carrier', carrier, 'channel', coalesce(attempt.channel, verification.channel), 'choice', choice, 'startedAt', started_at, 'endedAt', ended_at, 'outcome', outcome,
    'reference', reference, 'reason', reason, 'cost', cost,
    'receipt', CASE WHEN receipt IS NOT NULL
      THEN ${object}('status', receipt, 'reason', receipt_reason, 'at', receipt_at, 'price', price, 'currency', currency,
        'network', network) END) ORDER BY ${order})
  FROM attempt WHERE verification_id = verification.id) AS attempts`;

export const IS_QUEUED = 'EXISTS (SELECT 1 FROM delivery WHERE verification_id = verification.id)';

/** SQL for whether some carrier took a message of it. */
export const WAS_TAKEN = `EXISTS (
  SELECT 1 FROM attempt WHERE verification_id = verification.id AND outcome IN ('accepted', 'delivered'))`;

/** SQL for the status of a verification. A test of a carrier never has guesses. */
export const statusAt = (now: string) => `CASE WHEN confirmed_at IS NOT NULL THEN 'confirmed'
    WHEN guesses_left <= 0 AND key_id <> '${NO_KEY}' THEN 'locked'
    WHEN (expires_at <= ${now} OR NOT ${IS_QUEUED}) AND NOT EXISTS (${HOPES})
      THEN CASE WHEN ${WAS_TAKEN} THEN 'undelivered' ELSE 'failed' END
    WHEN ended_at IS NOT NULL OR expires_at <= ${now} THEN 'expired'
    ELSE 'pending' END`;

/**
 * SQL that finds the attempt that a confirmation counts for: which delivered the message, or else the last that was taken and not
 * reported undelivered.
 */
export const attemptSent = (columns: string, id: string) => `SELECT ${columns} FROM attempt
  WHERE verification_id = ${id} AND outcome IN ('accepted', 'delivered')
  ORDER BY (outcome = 'delivered' OR receipt IS NOT DISTINCT FROM 'delivered') DESC,
    receipt IS DISTINCT FROM 'undelivered' DESC, fence DESC, position DESC LIMIT 1`;

/** SQL for the carrier of that attempt. */
const CARRIER = `(${attemptSent('attempt.carrier', 'verification.id')})`;

/** All columns of a row of the list. */
export const listColumnsAt = (now: string) =>
  `${VERIFICATION_COLUMNS}, ${statusAt(now)} AS status, CAST(${CARRIER} AS TEXT) AS carrier,
    (SELECT string_agg(carrier, ',' ORDER BY fence, position) FROM attempt
     WHERE verification_id = verification.id) AS asked`;

/**
 * SQL for whether a carrier was asked, or any if it is null, and an attempt of it ended so, if that is not null. No EXISTS: for
 * many rows PostgreSQL would answer that by reading the attempts of all verifications.
 */
export const wasAsked = (carrier: string, result: string) => `(SELECT 1 FROM attempt
    WHERE verification_id = verification.id AND (${carrier} IS NULL OR attempt.carrier = ${carrier})
      AND CASE ${result}
        WHEN 'accepted' THEN outcome IN ('accepted', 'delivered')
        WHEN 'delivered' THEN outcome = 'delivered' OR receipt IS NOT DISTINCT FROM 'delivered'
        WHEN 'undelivered' THEN receipt IS NOT DISTINCT FROM 'undelivered'
        WHEN 'unreported' THEN outcome = 'accepted' AND receipt IS NULL
        WHEN 'refused' THEN outcome NOT IN ('accepted', 'delivered')
        WHEN 'carried' THEN attempt.carrier IS NOT DISTINCT FROM ${CARRIER}
        ELSE true END
    LIMIT 1) IS NOT NULL`;

/** SQL for whether the figures count it: see `ArchiveFilter`. */
export const IS_COUNTED = `key_id <> '${NO_KEY}' AND (NOT brought OR confirmed_at IS NOT NULL)`;

/** SQL that finds the carriers that accepted a message and have not reported it undelivered. */
export const HOPES = `SELECT carrier FROM attempt
  WHERE verification_id = verification.id AND outcome IN ('accepted', 'delivered')
    AND receipt IS DISTINCT FROM 'undelivered'`;
