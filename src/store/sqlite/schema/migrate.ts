/** Brings a store's file up to date. A newer file is refused: only one version at a time works on it. */
import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreUnusable } from '../../../core/errors.ts';
import { UNWATCHED } from '../../../core/progress.ts';
import { mayBeOfFirstVersion, refuseFirstVersion } from '../../shared/first-version.ts';
import { notUpgraded, olderSchema } from '../../shared/not-upgraded.ts';
import { defineAuditHash } from './audit-hash.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

/** The newest schema that this version can work with. */
export const knownSchema = (): number => readdirSync(FOLDER).length;

/**
 * Brings the schema up to date, and gives the connection the function that a trigger calls. Migrations are numbered, append-only
 * files; `user_version` is the number of the last one applied. The write lock is taken first, so processes that start together
 * apply each exactly once. Throws StoreUnusable, and changes nothing, where this version cannot work with the store.
 */
export function migrate(db: DatabaseSync, report = UNWATCHED): void {
  const files = readdirSync(FOLDER).sort();
  defineAuditHash(db);
  db.exec('BEGIN IMMEDIATE');
  try {
    const applied = readSchema(db);
    if (mayBeOfFirstVersion(applied)) refuseFirstVersion(newestSealed(db));
    const missing = files.slice(applied);
    for (const [done, file] of missing.entries()) {
      report({ step: 'migrating the store', done, total: missing.length });
      db.exec(readFileSync(new URL(file, FOLDER), 'utf8'));
    }
    // A start that has nothing to migrate writes nothing.
    if (missing.length > 0) db.exec(`PRAGMA user_version = ${files.length}`);
    db.exec('COMMIT');
  } catch (error) {
    // After some errors, such as a full disk, SQLite has already rolled back.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Takes a store as it is: throws StoreUnusable, and writes nothing, where it is older. Gives the connection the trigger's function. */
export function requireCurrent(db: DatabaseSync): void {
  const [schema, known] = [readSchema(db), knownSchema()];
  if (schema < known) throw notUpgraded(olderSchema(schema, known));
  defineAuditHash(db);
}

function newestSealed(db: DatabaseSync): unknown {
  return db.prepare('SELECT destination_sealed FROM verification ORDER BY rowid DESC LIMIT 1').get()
    ?.destination_sealed;
}

/** The number of the last migration. */
function readSchema(db: DatabaseSync): number {
  const [schema, known] = [Number(db.prepare('PRAGMA user_version').get()?.user_version), knownSchema()];
  if (schema <= known) return schema;
  throw new StoreUnusable(
    `the database was written by a newer version (schema ${schema}, this version knows ${known}); upgrade the program`,
  );
}
