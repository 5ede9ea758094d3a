/** Past verifications. Ids are UUIDs, and their time says which partitions are read. */
import type {
  Archive,
  ArchivedVerification,
  ArchiveQuery,
  CountQuery,
  FoundVerification,
} from '../../../core/verification/reading/archive.ts';
import { kindOf } from '../../../core/verification/scope.ts';
import {
  askedOf,
  attemptsAs,
  DETAIL_COLUMNS,
  endAt,
  type Floor,
  filterKept,
  IS_COUNTED,
  IS_QUEUED,
  idTimes,
  listColumnsAt,
  MOST_ROWS,
  pageOf,
  statusAt,
  type VerdictColumns,
  verdictOf,
  wasAsked,
} from '../../shared/archive-page.ts';
import { isKept, pastUntil } from '../../shared/kept.ts';
import type { Database } from '../connection/database.ts';
import { idOf, lowestUuid, ownUuidOf, uuidOf } from './verification-id.ts';

type VerificationRow = Omit<ArchivedVerification, 'asked'> & { readonly asked: string | null };
type FoundRow = VerificationRow &
  Pick<FoundVerification, 'inQueue' | 'detailsSealed' | 'signals'> &
  VerdictColumns & {
    readonly attempts: FoundVerification['attempts'] | null;
  };

export function createArchive(db: Database, retentionMs: number): Archive {
  const floor = {
    name: 'archive_floor',
    text: `
      SELECT id, created_at AS "createdAt" FROM verification WHERE id < $1 AND id >= $2
      ORDER BY id DESC LIMIT 1 OFFSET ${MOST_ROWS - 1}`,
  };
  const matches = `id < $1 AND id >= $2 AND ($3::text IS NULL OR account_id = $3)
        AND ($5::text IS NULL OR channel = $5)
        AND ($6::text IS NULL OR country = $6)
        AND ($7::text IS NULL OR key_id = $7)
        AND ($8::boolean IS NULL OR test = $8)
        AND created_at >= $9 AND ($10::bigint IS NULL OR created_at < $10)
        AND ($11::boolean IS NULL OR ${IS_COUNTED})
        AND (coalesce($12::text, $13::text) IS NULL OR ${wasAsked('$12', '$13')})
        AND ($14::text IS NULL OR ${statusAt('$4')} = $14)`;
  const page = {
    name: 'archive_page',
    text: `
      SELECT ${listColumnsAt('$4')} FROM verification
      WHERE ${matches} AND ($15::text[] IS NULL OR destination_hash = ANY ($15))
      ORDER BY id DESC LIMIT $16`,
  };
  const count = {
    name: 'archive_count',
    text: `SELECT count(*)::integer AS n FROM verification WHERE ${matches}`,
  };
  const one = {
    name: 'archive_one',
    text: `
      SELECT ${listColumnsAt('$3')}, ${DETAIL_COLUMNS}, ${IS_QUEUED} AS "inQueue",
        ${attemptsAs('json_agg', 'json_build_object', 'fence, position')}
      FROM verification WHERE id = $1 AND account_id = $2 AND ($4::boolean IS NULL OR test = $4)
        AND ${isKept('$5')}`,
  };

  // The ids leave out the days that are past, each of which has an index of its own.
  const lastConfirmed = {
    name: 'archive_last_confirmed',
    text: `
      SELECT max(confirmed_at) AS at FROM verification
      WHERE destination_hash = ANY ($1::text[]) AND confirmed_at IS NOT NULL AND account_id = $2 AND test = $3
        AND id >= $4 AND ${isKept('$5')}`,
  };

  const earlyReceipts = {
    name: 'archive_early_receipts',
    text: 'SELECT DISTINCT receipt_id FROM early_receipt WHERE recipient_tags && $1::text[]',
  };

  /** The values of `matches`, and where they end. */
  async function asked(query: ArchiveQuery | CountQuery) {
    const filter = filterKept(query, retentionMs);
    const { from, to } = idTimes(filter);
    const end = lowestUuid(to);
    const cursor = query.before === null ? end : ownUuidOf(query.before);
    const before = cursor < end ? cursor : end;
    // The floor first, then the rows above it: a row written in between is in the page or newer.
    const [row] = await db.read<Floor>(floor, [before, lowestUuid(from)]);
    const values = [
      before,
      row?.id ?? lowestUuid(from),
      query.accountId,
      query.now,
      filter.channel ?? null,
      filter.country ?? null,
      filter.keyId ?? null,
      filter.test ?? null,
      filter.from ?? 0,
      filter.to ?? null,
      filter.counted ?? null,
      filter.carrier ?? null,
      filter.attempt ?? null,
      filter.status ?? null,
    ];
    return { values, floor: row && withId(row) };
  }

  return {
    async searchArchive(query) {
      const { values, floor } = await asked(query);
      const own = [query.filter.destinationHashes ?? null, query.limit + 1];
      const rows = await db.read<VerificationRow>(page, [...values, ...own]);
      return pageOf(rows.map(archived), query.limit, floor);
    },

    async countArchive(query) {
      const { values, floor } = await asked(query);
      const [row] = await db.read<{ n: number }>(count, values);
      return { count: row?.n ?? 0, ...endAt(floor) };
    },

    async findArchived(scope, id, now) {
      const uuid = uuidOf(id);
      if (uuid === undefined) return undefined;
      const [row] = await db.read<FoundRow>(one, [
        ...[uuid, scope.accountId, now, kindOf(scope), pastUntil(now, retentionMs)],
      ]);
      if (row === undefined) return undefined;
      const { attempts, inQueue, detailsSealed, signals, verdict, verdictAt, verdictWeight, ...found } = row;
      return {
        verification: archived(found),
        // json_agg of no rows is null.
        attempts: attempts ?? [],
        ...{ inQueue, detailsSealed, signals },
        verdict: verdictOf({ verdict, verdictAt, verdictWeight }),
      };
    },

    async lastConfirmed({ accountId, test }, destinationHashes, now) {
      const past = pastUntil(now, retentionMs);
      const lowest = lowestUuid(idTimes({ from: past }).from);
      const values = [destinationHashes, accountId, test, lowest, past];
      const [row] = await db.read<{ at: number | null }>(lastConfirmed, values);
      return row?.at ?? null;
    },

    async findEarlyReceipts(recipientTags) {
      const rows = await db.read<{ receipt_id: string }>(earlyReceipts, [recipientTags]);
      return rows.map(({ receipt_id: id }) => id);
    },
  };
}

const archived = (row: VerificationRow): ArchivedVerification => ({
  ...withId(row),
  asked: askedOf(row.asked),
});

function withId<Row extends Floor>(row: Row): Row {
  return { ...row, id: idOf(row.id) };
}
