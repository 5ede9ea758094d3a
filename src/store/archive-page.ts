/** What both stores have in common in looking through past verifications. */
import type { ArchivedVerification, ArchivePage, ArchiveQuery } from '../core/archive.ts';

/**
 * Rows looked at for one page. No index leads to the verifications of an account, which would cost every `/verify` a
 * write: they are looked through in the order of their ids, which is that of time.
 */
export const MOST_ROWS = 20_000;

/** An id is made a moment before its verification is given its time, which another node's clock may tell otherwise. */
const ID_SLACK_MS = 10_000;
const LAST_TIME = 2 ** 48 - 1;

/** The times that ids may begin with, `to` exclusive. */
export function idTimes({ filter }: ArchiveQuery): { readonly from: number; readonly to: number } {
  const { from = 0, to = LAST_TIME } = filter;
  return { from: Math.max(0, from - ID_SLACK_MS), to: Math.min(LAST_TIME, to + ID_SLACK_MS) };
}

/** Where looking stopped for having seen enough rows. */
export interface Floor {
  readonly id: string;
  readonly createdAt: number;
}

/** A page of what was found, newest first, when one more than asked for was looked for. */
export function pageOf(
  found: readonly ArchivedVerification[],
  limit: number,
  floor: Floor | undefined,
): ArchivePage {
  const verifications = found.slice(0, limit);
  const last = found.length > limit ? verifications.at(-1) : floor;
  return { verifications, next: last?.id ?? null, searchedTo: last?.createdAt ?? null };
}

/** SQL for the status of a verification; `failed` is the store's own condition. */
export function statusCase(now: string, failed: string): string {
  return `CASE WHEN confirmed_at IS NOT NULL THEN 'confirmed'
    WHEN guesses_left <= 0 THEN 'locked'
    WHEN ${failed} THEN 'failed'
    WHEN expires_at <= ${now} THEN 'expired'
    ELSE 'pending' END`;
}

/** SQL that finds the attempts of a verification that a carrier took and did not report undelivered. */
export const HOPES = `SELECT 1 FROM attempt
  WHERE verification_id = verification.id AND outcome IN ('accepted', 'delivered')
    AND receipt IS DISTINCT FROM 'undelivered'`;
