import type {
  Archive,
  ArchivedAttempt,
  ArchivedVerification,
  VerificationStatus,
} from '../../core/archive.ts';
import type { Channel } from '../../core/destination/channel.ts';
import { HOPES, idTimes, MOST_ROWS, pageOf, statusCase } from '../archive-page.ts';
import type { Database } from './database.ts';
import { idOf, lowestUuid, ownUuidOf, uuidOf } from './verification-id.ts';

interface VerificationRow {
  readonly id: string;
  readonly key_id: string;
  readonly test: boolean;
  readonly channel: Channel;
  readonly country: string;
  readonly destination_sealed: string;
  readonly status: VerificationStatus;
  readonly carrier: string | null;
  readonly guesses_left: number;
  readonly created_at: number;
  readonly expires_at: number;
  readonly confirmed_at: number | null;
}

interface AttemptRow {
  readonly carrier: string;
  readonly choice: string | null;
  readonly started_at: number;
  readonly ended_at: number;
  readonly outcome: ArchivedAttempt['outcome'];
  readonly reason: string | null;
  readonly cost: number;
  readonly receipt: 'delivered' | 'undelivered' | null;
  readonly receipt_reason: string | null;
  readonly receipt_at: number | null;
}

const IS_QUEUED = 'EXISTS (SELECT FROM delivery WHERE verification_id = verification.id)';
const statusAt = (now: string) =>
  statusCase(now, `(expires_at <= ${now} OR NOT ${IS_QUEUED}) AND NOT EXISTS (${HOPES})`);

/** The same that a confirmation is counted for. */
const CARRIER = `(
  SELECT attempt.carrier FROM attempt
  WHERE verification_id = verification.id AND outcome IN ('accepted', 'delivered')
  ORDER BY receipt IS NOT DISTINCT FROM 'delivered' DESC, fence DESC, position DESC LIMIT 1)`;

const columnsAt = (now: string) => `
  id, key_id, test, channel, country, destination_sealed, guesses_left, created_at, expires_at, confirmed_at,
  ${statusAt(now)} AS status, ${CARRIER}::text AS carrier`;

export function createArchive(db: Database): Archive {
  const floor = {
    name: 'archive_floor',
    text: `
      SELECT id, created_at FROM verification WHERE id < $1 AND id >= $2
      ORDER BY id DESC LIMIT 1 OFFSET ${MOST_ROWS - 1}`,
  };
  const page = {
    name: 'archive_page',
    text: `
      SELECT ${columnsAt('$4')} FROM verification
      WHERE id < $1 AND id >= $2 AND account_id = $3
        AND ($6::text IS NULL OR channel = $6)
        AND ($7::text IS NULL OR country = $7)
        AND ($8::text IS NULL OR key_id = $8)
        AND ($9::boolean IS NULL OR test = $9)
        AND created_at >= $10 AND ($11::bigint IS NULL OR created_at < $11)
        AND ($12::text[] IS NULL OR destination_hash = ANY ($12))
        AND ($13::text IS NULL OR ${CARRIER} = $13)
        AND ($14::text IS NULL OR ${statusAt('$4')} = $14)
      ORDER BY id DESC LIMIT $5`,
  };
  const one = {
    name: 'archive_one',
    text: `SELECT ${columnsAt('$3')} FROM verification WHERE id = $1 AND account_id = $2`,
  };
  const attempts = {
    name: 'archive_attempts',
    text: `
      SELECT carrier, choice, started_at, ended_at, outcome, reason, cost, receipt, receipt_reason, receipt_at
      FROM attempt WHERE verification_id = $1 ORDER BY fence, position`,
  };

  return {
    async searchArchive(query) {
      const { accountId, filter, limit, now } = query;
      const { from, to } = idTimes(query);
      const end = lowestUuid(to);
      const cursor = query.before === null ? end : ownUuidOf(query.before);
      const before = cursor < end ? cursor : end;
      // First the floor, then the rows above it: what is written between the two is in the page or newer than it.
      const [row] = await db.read<{ id: string; created_at: number }>(floor, [before, lowestUuid(from)]);
      const rows = await db.read<VerificationRow>(page, [
        before,
        row?.id ?? lowestUuid(from),
        accountId,
        now,
        limit + 1,
        filter.channel ?? null,
        filter.country ?? null,
        filter.keyId ?? null,
        filter.test ?? null,
        filter.from ?? 0,
        filter.to ?? null,
        filter.destinationHashes ?? null,
        filter.carrier ?? null,
        filter.status ?? null,
      ]);
      return pageOf(rows.map(verificationOf), limit, row && { id: idOf(row.id), createdAt: row.created_at });
    },

    async findArchived(accountId, id, now) {
      const uuid = uuidOf(id);
      if (uuid === undefined) return undefined;
      const [row] = await db.read<VerificationRow>(one, [uuid, accountId, now]);
      if (row === undefined) return undefined;
      const made = await db.read<AttemptRow>(attempts, [uuid]);
      return { verification: verificationOf(row), attempts: made.map(attemptOf) };
    },
  };
}

function verificationOf(row: VerificationRow): ArchivedVerification {
  return {
    id: idOf(row.id),
    keyId: row.key_id,
    test: row.test,
    channel: row.channel,
    country: row.country,
    destinationSealed: row.destination_sealed,
    status: row.status,
    carrier: row.carrier,
    guessesLeft: row.guesses_left,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    confirmedAt: row.confirmed_at,
  };
}

function attemptOf(row: AttemptRow): ArchivedAttempt {
  const {
    carrier,
    choice,
    started_at,
    ended_at,
    outcome,
    reason,
    cost,
    receipt,
    receipt_reason,
    receipt_at,
  } = row;
  return {
    carrier,
    choice,
    startedAt: started_at,
    endedAt: ended_at,
    outcome,
    reason,
    cost,
    receipt:
      receipt === null || receipt_at === null
        ? null
        : { status: receipt, reason: receipt_reason, at: receipt_at },
  };
}
