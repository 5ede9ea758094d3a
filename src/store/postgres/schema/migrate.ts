/** Brings the database up to date: its tables by numbered migrations, its functions by their content. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { ClientBase } from 'pg';
import { StoreAbsent } from '../../../core/errors.ts';
import { type ReportProgress, UNWATCHED } from '../../../core/progress.ts';
import { inTransaction } from '../connection/transaction.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);
const FUNCTIONS = new URL('./functions/', import.meta.url);
/** The first version that can detach a partition without blocking readers. */
const OLDEST_SERVER = 14;
/** The advisory lock for changes of the schema. */
export const SCHEMA_LOCK = 0x436f_756e_7401;

/**
 * Applies missing migrations and answers the schema that holds this version's functions. Nodes that start together wait for
 * the first.
 *
 * Migrations are append-only and additive, so that nodes of the version before go on working; for the same reason a newer
 * database is accepted. Functions live in a schema named after their text: each version calls its own, so a change never
 * affects a running node.
 *
 * With `mustExist`, rejects with StoreAbsent if the database holds no store, and writes nothing.
 */
export async function migrate(
  client: ClientBase,
  report = UNWATCHED,
  { mustExist = false } = {},
): Promise<string> {
  return await inTransaction(client, async () => {
    await client.query('SET LOCAL statement_timeout = 0');
    await requireVersion(client);
    await client.query('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    if (mustExist && !(await holdsStore(client))) throw new StoreAbsent();
    await applyMigrations(client, report);
    return await installFunctions(client);
  });
}

async function requireVersion(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const version = rows[0]?.server_version ?? 'of unknown version';
  if (Number.parseInt(version, 10) >= OLDEST_SERVER) return;
  throw new Error(`the database is PostgreSQL ${version}; this program needs ${OLDEST_SERVER} or later`);
}

/** The first migration and this table come in one transaction. */
async function holdsStore(client: ClientBase): Promise<boolean> {
  const { rowCount } = await client.query("SELECT WHERE to_regclass('schema_migration') IS NOT NULL");
  return rowCount !== 0;
}

async function applyMigrations(client: ClientBase, report: ReportProgress): Promise<void> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_migration (
      number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  const { rows } = await client.query<{ applied: number }>(
    'SELECT coalesce(max(number), 0) AS applied FROM schema_migration',
  );
  const files = readdirSync(MIGRATIONS).sort();
  const applied = rows[0]?.applied ?? 0;
  for (const [index, name] of files.entries()) {
    if (index < applied) continue;
    report({ step: 'migrating the store', done: index - applied, total: files.length - applied });
    await client.query(readFileSync(new URL(name, MIGRATIONS), 'utf8'));
    await client.query('INSERT INTO schema_migration (number, name) VALUES ($1, $2)', [index + 1, name]);
  }
}

async function installFunctions(client: ClientBase): Promise<string> {
  const text = readdirSync(FUNCTIONS)
    .sort()
    .map((name) => readFileSync(new URL(name, FUNCTIONS), 'utf8'))
    .join('\n');
  const { rows } = await client.query<{ home: string; path: string }>(
    "SELECT current_schema() AS home, current_setting('search_path') AS path",
  );
  const [{ home, path } = { home: 'public', path: 'public' }] = rows;
  // The name includes the home schema: functions find tables by the path they were made with, so two installations in one
  // database must not share them.
  const hash = createHash('sha256').update(`${home}\n${text}`).digest('hex').slice(0, 16);
  const schema = `countersign_${hash}`;
  const found = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
  if (found.rowCount !== 0) return schema;
  await client.query(`CREATE SCHEMA ${schema}`);
  await client.query("SELECT set_config('search_path', $1, true)", [`${schema}, ${path}`]);
  // Functions call one another, so they can be checked only when all are there.
  await client.query('SET LOCAL check_function_bodies = off');
  await client.query(text.replaceAll(/^LANGUAGE (\w+)/gm, 'SET search_path FROM CURRENT LANGUAGE $1'));
  return schema;
}
