/** Past verifications, read in a thread of its own. An index leads to those of a number. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { DAY_MS } from '../../../core/seams/spans.ts';
import type {
  ArchivedVerification,
  ArchivePage,
  ArchiveQuery,
  CountPart,
  CountQuery,
  FoundVerification,
} from '../../../core/verification/reading/archive.ts';
import { type BothKinds, kindOf, type Scope } from '../../../core/verification/scope.ts';
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

type VerificationRow = Omit<ArchivedVerification, 'test' | 'brought' | 'asked'> & {
  readonly test: number;
  readonly brought: number;
  readonly asked: string | null;
};
type FoundRow = VerificationRow &
  Pick<FoundVerification, 'detailsSealed' | 'signals'> &
  VerdictColumns & {
    readonly attempts: string;
    readonly inQueue: number;
  };

export function createArchive(db: DatabaseSync, retentionMs: number) {
  const isOfAccount = '(:accountId IS NULL OR account_id = :accountId)';
  const select = (source: string, isOurs: string, columns: readonly string[] = []) =>
    db.prepare(`
      SELECT ${[listColumnsAt(':now'), ...columns].join(', ')}
      FROM ${source} WHERE ${isOfAccount} AND ${isOurs}`);
  const matches = `id < :before AND id >= :lowest
    AND (:channel IS NULL OR channel = :channel)
    AND (:country IS NULL OR country = :country)
    AND (:keyId IS NULL OR key_id = :keyId)
    AND (:test IS NULL OR test = :test)
    AND (:counted IS NULL OR ${IS_COUNTED})
    AND created_at >= :from AND (:to IS NULL OR created_at < :to)
    AND (coalesce(:carrier, :attempt) IS NULL OR ${wasAsked(':carrier', ':attempt')})
    AND (:status IS NULL OR ${statusAt(':now')} = :status)`;
  const wanted = `${matches} ORDER BY id DESC LIMIT :limit`;

  const ofAccount = select('verification', wanted);
  const count = db.prepare(`SELECT count(*) AS n FROM verification WHERE ${isOfAccount} AND ${matches}`);
  const ofDestination = select(
    'verification INDEXED BY verification_destination',
    `created_at / ${DAY_MS} IN (SELECT value FROM json_each(:days))
      AND destination_hash IN (SELECT value FROM json_each(:hashes)) AND ${wanted}`,
  );
  const lastConfirmed = db.prepare(`
    SELECT max(confirmed_at) AS at FROM verification INDEXED BY verification_destination
    WHERE created_at / ${DAY_MS} IN (SELECT value FROM json_each(:days))
      AND destination_hash IN (SELECT value FROM json_each(:hashes))
      AND account_id = :accountId AND test = :test AND ${isKept(':past')}`);
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

  function asked(query: ArchiveQuery | CountQuery) {
    const { accountId, now } = query;
    const filter = filterKept(query, retentionMs);
    const { from, to } = idTimes(filter);
    const end = lowestId(to);
    const before = query.before === null || query.before > end ? end : query.before;
    const { status = null, channel = null, country = null, carrier = null, keyId = null } = filter;
    return {
      days: () => daysBetween(from, to),
      hashes: filter.destinationHashes,
      values: {
        ...{ accountId, now, before, lowest: lowestId(from), status, channel, country, carrier, keyId },
        attempt: filter.attempt ?? null,
        counted: filter.counted ? 1 : null,
        test: filter.test === undefined ? null : Number(filter.test),
        from: filter.from ?? 0,
        to: filter.to ?? null,
      },
    };
  }

  /** The floor first, then the rows above it: a row written in between is in the page or newer. */
  function floorUnder({ before, lowest }: { before: string; lowest: string }): Floor | undefined {
    const row = floorOf.get(before, lowest);
    return row && { id: String(row.id), createdAt: Number(row.created_at) };
  }

  return {
    searchArchive(query: ArchiveQuery): ArchivePage {
      const { limit } = query;
      const { days, hashes, values } = asked(query);
      const limited = { ...values, limit: limit + 1 };
      if (hashes !== undefined) {
        const places = { hashes: JSON.stringify(hashes), days: JSON.stringify(days()) };
        return pageOf(read(ofDestination, { ...limited, ...places }), limit, undefined);
      }
      const floor = floorUnder(values);
      return pageOf(read(ofAccount, { ...limited, lowest: floor?.id ?? values.lowest }), limit, floor);
    },

    countArchive(query: CountQuery): CountPart {
      const { values } = asked(query);
      const floor = floorUnder(values);
      const row = count.get({ ...values, lowest: floor?.id ?? values.lowest });
      return { count: Number(row?.n), ...endAt(floor) };
    },

    findArchived(scope: Scope | BothKinds, id: string, now: number): FoundVerification | undefined {
      const kind = kindOf(scope);
      const test = kind === null ? null : Number(kind);
      const past = pastUntil(now, retentionMs);
      const row = one.get({ accountId: scope.accountId, test, id, now, past }) as FoundRow | undefined;
      if (row === undefined) return undefined;
      const { attempts, inQueue, detailsSealed, signals, verdict, verdictAt, verdictWeight, ...found } = row;
      return {
        verification: archived(found),
        attempts: JSON.parse(attempts),
        ...{ detailsSealed, signals },
        inQueue: inQueue === 1,
        verdict: verdictOf({ verdict, verdictAt, verdictWeight }),
      };
    },

    lastConfirmed({ accountId, test }: Scope, hashes: readonly string[], now: number): number | null {
      const past = pastUntil(now, retentionMs);
      const days = JSON.stringify(daysBetween(past, now));
      const places = { days, hashes: JSON.stringify(hashes) };
      const row = lastConfirmed.get({ ...places, accountId, test: Number(test), past });
      return typeof row?.at === 'number' ? row.at : null;
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
  return { ...row, test: row.test === 1, brought: row.brought === 1, asked: askedOf(row.asked) };
}
