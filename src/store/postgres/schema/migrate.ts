/** Brings the database up to date: its tables by numbered upgrades, its functions by their content. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { StoreAbsent, StoreUnavailable } from '../../../core/errors/store-failure.ts';
import { type ReportProgress, UNWATCHED } from '../../../core/reporting/progress.ts';
import { mayBeOfFirstVersion, refuseFirstVersion, refuseUnpublished } from '../../shared/earlier-schemas.ts';
import { notUpgraded, olderSchema } from '../../shared/not-upgraded.ts';
import { newestSchema, readTables, readUpgrades, type Upgrade } from '../../shared/schema-files.ts';
import { isConflict, isLockTimeout } from '../connection/failure.ts';
import { inTransaction } from '../connection/transaction.ts';
import { findFunctions, installFunctions } from './functions.ts';
import { stepsOf, type UpgradeStep } from './steps.ts';

const FOLDER = new URL('./', import.meta.url);
/** The first version that can detach a partition without blocking readers. */
const OLDEST_SERVER = 14;
/** The advisory lock for changes of the schema. */
export const SCHEMA_LOCK = 0x436f_756e_7401;
/**
 * While a change of a table waits for its lock, all calls that need the table wait behind it. Also less than the
 * server's `deadlock_timeout`: of two that wait for each other we give up first, so it never ends a call of a node.
 */
const LOCK_MS = 300;
const BEGIN_CHANGE = `
  SET LOCAL statement_timeout = 0;
  SELECT pg_advisory_xact_lock(${SCHEMA_LOCK});
  SET LOCAL lock_timeout = ${LOCK_MS}`;
/** Between two tries, doubled each time: calls are answered meanwhile. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** How long one transaction is tried again. */
const TRIES_MS = 60_000;
/** What people who wait for a start are told. */
const STEP = 'migrating the store';

/** Lends a connection for one transaction. */
export type Lend = <T>(use: (client: ClientBase) => Promise<T>) => Promise<T>;

/**
 * Makes the tables of a new store or applies the upgrades that an older one lacks, and answers the schema that holds this version's
 * functions.
 *
 * Upgrades are append-only and additive, so that nodes of the version before go on working; for the same reason a newer
 * database is accepted. Functions live in a schema named after their text: each version calls its own, so a change never
 * affects a running node. They come when all tables are there.
 *
 * All tables of a new store come in one transaction. Each step of an upgrade is one, too, recorded in itself, so a start that was killed
 * goes on where it was. A step keeps calls from at most one table that they use: calls take tables in different orders, so whoever holds
 * one and waits for another may wait for them in a circle. Nodes that start together share an advisory lock of each transaction, because
 * behind a pooler a lock of the session would stay with whoever gets that session next; they may take turns.
 *
 * With `mustExist`, rejects with StoreAbsent if the database holds no store, and writes nothing; with `asIs`, with StoreUnusable if it
 * holds one that no service of this version has upgraded. Also with StoreUnusable if no upgrade begins at what the database holds, or
 * version 0.1 served from it last.
 */
export async function migrate(
  lend: Lend,
  report = UNWATCHED,
  { mustExist = false, asIs = false, triesMs = TRIES_MS } = {},
): Promise<string> {
  await lend(requireVersion);
  const upgrades = readUpgrades(FOLDER);
  const known = newestSchema(upgrades);
  const { schema, functions } = await lend(findState);
  if (schema === undefined && mustExist) throw new StoreAbsent();
  if (schema !== undefined && schema >= known && functions.areThere) return functions.schema;
  if (schema !== undefined) {
    refuseUnpublished(schema, upgrades);
    if (asIs) throw notUpgraded(schema < known ? olderSchema(schema, known) : 'its functions are missing');
    if (mayBeOfFirstVersion(schema)) refuseFirstVersion(schema, await lend(findNewestSealed));
  }
  while (await inTurn(lend, (client) => applyNext(client, upgrades, report), triesMs));
  return await inTurn(lend, installFunctions, triesMs);
}

async function requireVersion(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const version = rows[0]?.server_version ?? 'of unknown version';
  if (Number.parseInt(version, 10) >= OLDEST_SERVER) return;
  throw new Error(`the database is PostgreSQL ${version}; this program needs ${OLDEST_SERVER} or later`);
}

/** What is there of a store: the number of its schema, undefined where there is none. */
async function findState(client: ClientBase) {
  const functions = await findFunctions(client);
  // The tables of a store and this one come in one transaction.
  const { rowCount } = await client.query("SELECT WHERE to_regclass('schema_migration') IS NOT NULL");
  if (rowCount === 0) return { schema: undefined, functions };
  return { schema: await readSchema(client), functions };
}

/** The number of the last upgrade that was applied completely; 0 where there is no store. */
async function readSchema(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ schema: number }>(
    'SELECT coalesce(max(number), 0) AS schema FROM schema_migration',
  );
  return rows[0]?.schema ?? 0;
}

async function findNewestSealed(client: ClientBase): Promise<unknown> {
  const { rows } = await client.query<{ sealed: string }>(
    'SELECT destination_sealed AS sealed FROM verification ORDER BY id DESC LIMIT 1',
  );
  return rows[0]?.sealed;
}

/** Runs `work` as one transaction that changes the schema, again and again if it does not get its locks. */
export async function inTurn<T>(
  lend: Lend,
  work: (client: ClientBase) => Promise<T>,
  triesMs = TRIES_MS,
): Promise<T> {
  const begun = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const tried = await lend((client) => tryOnce(client, work));
    if (tried.isDone) return tried.result;
    if (performance.now() - begun > triesMs) {
      throw new StoreUnavailable(
        `the upgrade waits for a table that a long transaction holds, such as pg_dump (${tried.reason}); ` +
          'what is done stays done, and the next start goes on',
      );
    }
    await sleep(pauseMs * (0.5 + Math.random() / 2));
  }
}

type Tried<T> =
  | { readonly isDone: true; readonly result: T }
  | { readonly isDone: false; readonly reason: string };

async function tryOnce<T>(client: ClientBase, work: (client: ClientBase) => Promise<T>): Promise<Tried<T>> {
  try {
    const result = await inTransaction(client, async () => {
      await client.query(BEGIN_CHANGE);
      return await work(client);
    });
    return { isDone: true, result };
  } catch (error) {
    if (!isConflict(error) && !isLockTimeout(error)) throw error;
    return { isDone: false, reason: error.message };
  }
}

/** Makes the tables, or applies the next step that nobody has applied; false if there is none. */
async function applyNext(
  client: ClientBase,
  upgrades: readonly Upgrade[],
  report: ReportProgress,
): Promise<boolean> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_migration (
      number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE IF NOT EXISTS schema_migration_step (number integer PRIMARY KEY, applied integer NOT NULL)`);
  // Read under the lock: another node may have applied what this one saw missing.
  const schema = await readSchema(client);
  if (schema === 0) {
    report({ step: STEP, done: 0, total: 1 });
    await client.query(readTables(FOLDER));
    await record(client, newestSchema(upgrades), 'tables');
    return false;
  }
  const upgrade = upgrades.find(({ number }) => number > schema);
  if (upgrade === undefined) return false;
  const { number, name } = upgrade;
  const steps = stepsOf(upgrade);
  const { rows } = await client.query<{ applied: number }>(
    'SELECT applied FROM schema_migration_step WHERE number = $1',
    [number],
  );
  const applied = rows[0]?.applied ?? 0;
  report({ step: STEP, done: applied, total: steps.length });
  const step = steps[applied];
  if (step !== undefined && (await hasMoreAfter(client, step))) return true;
  if (applied + 1 < steps.length) {
    await client.query(
      `INSERT INTO schema_migration_step (number, applied) VALUES ($1, $2)
       ON CONFLICT (number) DO UPDATE SET applied = excluded.applied`,
      [number, applied + 1],
    );
    return true;
  }
  await client.query('DELETE FROM schema_migration_step WHERE number = $1', [number]);
  await record(client, number, name);
  return true;
}

async function record(client: ClientBase, schema: number, name: string): Promise<void> {
  await client.query('INSERT INTO schema_migration (number, name) VALUES ($1, $2)', [schema, name]);
}

/** Whether a step that repeats has more to do. */
async function hasMoreAfter(client: ClientBase, { text, repeats }: UpgradeStep): Promise<boolean> {
  if (!repeats) {
    await client.query(text);
    return false;
  }
  const { rows } = await client.query<{ more: boolean }>(text);
  return rows[0]?.more ?? false;
}
