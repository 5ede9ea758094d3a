/** Brings a store's file up to date. A newer file is refused: only one version at a time works on it. */
import type { DatabaseSync } from 'node:sqlite';
import { StoreUnusable } from '../../../core/errors/store-failure.ts';
import { UNWATCHED } from '../../../core/reporting/progress.ts';
import { mayBeOfFirstVersion, refuseFirstVersion, refuseUnpublished } from '../../shared/earlier-schemas.ts';
import { notUpgraded, olderSchema } from '../../shared/not-upgraded.ts';
import { newestSchema, readTables, readUpgrades, type Upgrade } from '../../shared/schema-files.ts';
import { defineAuditHash } from './audit-hash.ts';

const FOLDER = new URL('./', import.meta.url);

/** The newest schema that this version can work with. */
export const knownSchema = (): number => newestSchema(readUpgrades(FOLDER));

/**
 * Makes the tables of a new store, or applies the upgrades that an older one lacks, and gives the connection the function that a trigger
 * calls. `user_version` is the number of the newest upgrade. The write lock is taken first, so processes that start together apply each
 * exactly once. Throws StoreUnusable, and changes nothing, where this version cannot work with the store.
 */
export function migrate(db: DatabaseSync, report = UNWATCHED): void {
  const upgrades = readUpgrades(FOLDER);
  defineAuditHash(db);
  db.exec('BEGIN IMMEDIATE');
  try {
    const schema = readUsableSchema(db, upgrades);
    const missing =
      schema === 0
        ? [readTables(FOLDER)]
        : upgrades.filter(({ number }) => number > schema).map(({ text }) => text);
    for (const [done, text] of missing.entries()) {
      report({ step: 'migrating the store', done, total: missing.length });
      db.exec(text);
    }
    // A start that has nothing to migrate writes nothing.
    if (missing.length > 0) db.exec(`PRAGMA user_version = ${newestSchema(upgrades)}`);
    db.exec('COMMIT');
  } catch (error) {
    // After some errors, such as a full disk, SQLite has already rolled back.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Why `migrate` refuses a store; undefined if it does not. */
export function whyRefused(db: DatabaseSync): string | undefined {
  try {
    readUsableSchema(db, readUpgrades(FOLDER));
    return undefined;
  } catch (error) {
    if (error instanceof StoreUnusable) return error.message;
    throw error;
  }
}

/** Takes a store as it is: throws StoreUnusable, and writes nothing, where it is older. Gives the connection the trigger's function. */
export function requireCurrent(db: DatabaseSync): void {
  const upgrades = readUpgrades(FOLDER);
  const [schema, known] = [readSchema(db, upgrades), newestSchema(upgrades)];
  if (schema < known) throw notUpgraded(olderSchema(schema, known));
  defineAuditHash(db);
}

function newestSealed(db: DatabaseSync): unknown {
  return db.prepare('SELECT destination_sealed FROM verification ORDER BY rowid DESC LIMIT 1').get()
    ?.destination_sealed;
}

/** The number of the file's schema: 0 where it is empty, or one that this version works with or upgrades. */
function readSchema(db: DatabaseSync, upgrades: readonly Upgrade[]): number {
  const schema = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  const known = newestSchema(upgrades);
  if (schema > known) {
    throw new StoreUnusable(
      `the database was written by a newer version (schema ${schema}, this version knows ${known}); upgrade the program`,
    );
  }
  refuseUnpublished(schema, upgrades);
  return schema;
}

/** The same, but throws StoreUnusable where version 0.1 left the store, too. */
function readUsableSchema(db: DatabaseSync, upgrades: readonly Upgrade[]): number {
  const schema = readSchema(db, upgrades);
  if (mayBeOfFirstVersion(schema)) refuseFirstVersion(schema, newestSealed(db));
  return schema;
}
