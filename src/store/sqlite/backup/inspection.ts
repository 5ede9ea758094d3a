/** What a store's file holds, and whether it is sound. */
import { DatabaseSync } from 'node:sqlite';
import { hasNoBytes, hasNoTables } from '../file/emptied.ts';
import { knownSchema } from '../schema/migrate.ts';
import { isDamage } from '../thread/result-code.ts';
import { IS_LEFT } from '../verifications/erase.ts';

/** The latest verification; its destination shows whether a secret is the right one. */
export interface NewestVerification {
  readonly id: string;
  /** Unix ms. */
  readonly createdAt: number;
  readonly destinationSealed: string;
}

export interface Contents {
  readonly verifications: number;
  readonly newest: NewestVerification | undefined;
}

export type FileFault =
  | { readonly kind: 'damaged'; readonly detail: string }
  /** It holds no store. */
  | { readonly kind: 'empty' }
  /** Written by a later version of the program. */
  | { readonly kind: 'newer'; readonly schema: number; readonly known: number };

export type Inspection =
  /** `schema` may be that of an older version. */
  { readonly kind: 'sound'; readonly schema: number; readonly contents: Contents } | FileFault;

/** Reads the whole file: some seconds for a million verifications. */
export function inspect(file: string): Inspection {
  if (hasNoBytes(file)) return { kind: 'empty' };
  return unlessDamaged(() => {
    using db = new DatabaseSync(file, { readOnly: true });
    if (hasNoTables(db)) return { kind: 'empty' };
    const schema = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    const known = knownSchema();
    if (schema > known) return { kind: 'newer', schema, known };
    const finding = String(db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check);
    if (finding !== 'ok') return { kind: 'damaged', detail: finding };
    return { kind: 'sound', schema, contents: readContents(db) };
  });
}

/** The result of a check; `size` is in bytes. */
export type Soundness =
  | { readonly kind: 'sound'; readonly size: number }
  | (FileFault & { readonly kind: 'damaged' });

/**
 * Checks the structure of a file, but not its indexes against their rows: half the work of `inspect`, but it still reads the
 * whole file. Writers go on meanwhile; only the log cannot be emptied.
 */
export function quickCheck(file: string): Soundness {
  return unlessDamaged(() => {
    using db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const finding = String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check);
    const size = db
      .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
      .get();
    return finding === 'ok'
      ? { kind: 'sound', size: Number(size?.bytes) }
      : { kind: 'damaged', detail: finding };
  });
}

function unlessDamaged<T>(look: () => T): T | { readonly kind: 'damaged'; readonly detail: string } {
  try {
    return look();
  } catch (error) {
    if (isDamage(error)) return { kind: 'damaged', detail: error.message };
    throw error;
  }
}

function readContents(db: DatabaseSync): Contents {
  const row = db
    .prepare(
      `SELECT id, created_at, destination_sealed FROM verification WHERE NOT ${IS_LEFT} ORDER BY rowid DESC LIMIT 1`,
    )
    .get();
  return {
    verifications: Number(db.prepare(`SELECT count(*) AS n FROM verification WHERE NOT ${IS_LEFT}`).get()?.n),
    newest: row && {
      id: String(row.id),
      createdAt: Number(row.created_at),
      destinationSealed: String(row.destination_sealed),
    },
  };
}
