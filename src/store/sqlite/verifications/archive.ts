/** Past verifications, read in a thread of its own. An index leads to those of a number. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { DAY_MS } from '../../../core/seams/spans.ts';
import type {
  ArchivedVerification,
  ArchivePage,
  ArchiveQuery,
  FoundVerification,
} from '../../../core/verification/reading/archive.ts';
import { type BothKinds, kindOf, type Scope } from '../../../core/verification/scope.ts';
import {
  attemptsAs,
  CARRIER,
  DETAIL_COLUMNS,
  filterKept,
  IS_QUEUED,
  idTimes,
  listColumnsAt,
  MOST_ROWS,
  pageOf,
  statusAt,
} from '../../shared/archive-page.ts';
import { isKept, pastUntil } from '../../shared/kept.ts';

type VerificationRow = Omit<ArchivedVerification, 'test' | 'brought'> & {
  readonly test: number;
  readonly brought: number;
};
type FoundRow = VerificationRow &
  Pick<FoundVerification, 'detailsSealed' | 'signals'> & {
    readonly attempts: string;
    readonly inQueue: number;
  };

export function createArchive(db: DatabaseSync, retentionMs: number) {
  const select = (source: string, isOurs: string, columns: readonly string[] = []) =>
    db.prepare(`
      SELECT ${[listColumnsAt(':now'), ...columns].join(', ')}
      FROM ${source} WHERE (:accountId IS NULL OR account_id = :accountId) AND ${isOurs}`);
  const wanted = `id < :before AND id >= :lowest
    AND (:channel IS NULL OR channel = :channel)
    AND (:country IS NULL OR country = :country)
    AND (:carrier IS NULL OR ${CARRIER} = :carrier)
    AND (:keyId IS NULL OR key_id = :keyId)
    AND (:test IS NULL OR test = :test)
    AND created_at >= :from AND (:to IS NULL OR created_at < :to)
    AND (:status IS NULL OR ${statusAt(':now')} = :status)
    ORDER BY id DESC LIMIT :limit`;

  const ofAccount = select('verification', wanted);
  const ofDestination = select(
    'verification INDEXED BY verification_destination',
    `created_at / ${DAY_MS} IN (SELECT value FROM json_each(:days))
      AND destination_hash IN (SELECT value FROM json_each(:hashes)) AND ${wanted}`,
  );
  const one = select('verification', `id = :id AND (:test IS NULL OR test = :test) AND ${isKept(':past')}`, [
    DETAIL_COLUMNS,
    `${IS_QUEUED} AS "inQueue"`,
    attemptsAs('json_group_array', 'json_object', 'fence, position'),
  ]);
  const earlyReceipts = db.prepare(`
    SELECT DISTINCT receipt_id FROM early_receipt, json_each(recipient_tags)
    WHERE value IN (SELECT value FROM json_each(?))`);
  const floorOf = db.prepare(`
    SELECT id, created_at FROM verification WHERE id < ? AND id >= ? ORDER BY id DESC LIMIT 1 OFFSET ${MOST_ROWS - 1}`);
  const oldest = db.prepare('SELECT created_at FROM verification ORDER BY rowid LIMIT 1');
  const newest = db.prepare('SELECT created_at FROM verification ORDER BY rowid DESC LIMIT 1');

  /** The days of all verifications, and one more at either end because clocks may be set. */
  function daysBetween(from: number, to: number): number[] {
    const first = Math.floor(Math.max(from, Number(oldest.get()?.created_at ?? 0)) / DAY_MS) - 1;
    const last = Math.floor(Math.min(to, Number(newest.get()?.created_at ?? 0)) / DAY_MS) + 1;
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, day) => first + day);
  }

  return {
    searchArchive(query: ArchiveQuery): ArchivePage {
      const { accountId, limit, now } = query;
      const filter = filterKept(query, retentionMs);
      const { from, to } = idTimes(filter);
      const end = lowestId(to);
      const before = query.before === null || query.before > end ? end : query.before;
      const { status = null, channel = null, country = null, carrier = null, keyId = null } = filter;
      const shared = {
        ...{ accountId, now, before, limit: limit + 1, status, channel, country, carrier, keyId },
        test: filter.test === undefined ? null : Number(filter.test),
        from: filter.from ?? 0,
        to: filter.to ?? null,
      };
      if (filter.destinationHashes !== undefined) {
        const hashes = JSON.stringify(filter.destinationHashes);
        const days = JSON.stringify(daysBetween(from, to));
        const found = read(ofDestination, { ...shared, lowest: lowestId(from), hashes, days });
        return pageOf(found, limit, undefined);
      }
      // The floor first, then the rows above it: a row written in between is in the page or newer.
      const row = floorOf.get(before, lowestId(from));
      const floor = row && { id: String(row.id), createdAt: Number(row.created_at) };
      return pageOf(read(ofAccount, { ...shared, lowest: floor?.id ?? lowestId(from) }), limit, floor);
    },

    findArchived(scope: Scope | BothKinds, id: string, now: number): FoundVerification | undefined {
      const kind = kindOf(scope);
      const test = kind === null ? null : Number(kind);
      const past = pastUntil(now, retentionMs);
      const row = one.get({ accountId: scope.accountId, test, id, now, past }) as FoundRow | undefined;
      if (row === undefined) return undefined;
      const { attempts, inQueue, detailsSealed, signals, ...found } = row;
      return {
        verification: archived(found),
        attempts: JSON.parse(attempts),
        ...{ detailsSealed, signals },
        inQueue: inQueue === 1,
      };
    },

    findEarlyReceipts: (recipientTags: readonly string[]): string[] =>
      earlyReceipts.all(JSON.stringify(recipientTags)).map((row) => String(row.receipt_id)),
  };
}

/** Ids are `ver_` and a UUIDv7 in hex, whose first twelve digits are the time. */
export function lowestId(at: number): string {
  return `ver_${at.toString(16).padStart(12, '0')}`;
}

function read(statement: StatementSync, values: Record<string, SQLInputValue>): ArchivedVerification[] {
  const rows = statement.all(values) as VerificationRow[];
  return rows.map(archived);
}

function archived(row: VerificationRow): ArchivedVerification {
  return { ...row, test: row.test === 1, brought: row.brought === 1 };
}
