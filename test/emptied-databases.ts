/**
 * Databases with the service's schema that the tests of a file are given one after another. To empty one takes a tenth of
 * the time that a new one takes, which is a thousand files to copy, and the contract has hundreds of tests.
 */
import { after } from 'node:test';
import pg from 'pg';
import { startPostgres } from './postgres.ts';
import { openNode } from './store/postgres/rig.ts';

export interface LentDatabase {
  readonly url: string;
  /** Once nobody is connected any more. */
  giveBack(): Promise<void>;
}

const free: string[] = [];
let making: ReturnType<typeof prepare> | undefined;
/** Also those that a hook gives back which runs after ours. */
let lent = 0;
let isOver = false;
after(() => {
  isOver = true;
  return endIfUnused();
});

async function endIfUnused(): Promise<void> {
  if (isOver && lent === 0) await (await making)?.postgres.dispose();
}

/** The borrower may not change the schema. */
export async function lendDatabase(): Promise<LentDatabase> {
  making ??= prepare();
  const { postgres, schema, original } = await making;
  lent++;
  const url = free.pop() ?? (await postgres.createDatabase(schema));
  return {
    url,
    async giveBack() {
      await connected(url, (client) => empty(client, original));
      free.push(url);
      lent--;
      await endIfUnused();
    },
  };
}

async function prepare() {
  const postgres = await startPostgres();
  const schema = postgres.schema ?? (await postgres.createDatabase());
  if (postgres.schema === undefined) await (await openNode(schema)).close();
  const copy = await postgres.createDatabase(schema);
  const original = await connected(copy, readOriginal);
  free.push(copy);
  return { postgres, schema, original };
}

interface Original {
  readonly tables: readonly string[];
  /** Of the tables that have any. */
  readonly rows: readonly { readonly table: string; readonly rows: readonly unknown[] }[];
}

async function readOriginal(client: pg.Client): Promise<Original> {
  const { rows: found } = await client.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
  );
  const tables = found.map(({ tablename }) => tablename);
  const all = [];
  for (const table of tables) {
    const { rows } = await client.query<{ row: unknown }>(
      `SELECT to_jsonb(each) AS row FROM ${pg.escapeIdentifier(table)} AS each`,
    );
    if (rows.length > 0) all.push({ table, rows: rows.map(({ row }) => row) });
  }
  return { tables, rows: all };
}

/** A session works on for a moment after its client was killed. */
const END_OTHERS = `
  SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;

/**
 * As a replica: without triggers, which would count what goes, and without the order that references ask for. Partitions
 * of the days that a test played in go; one of the days ahead that is missing is made when a store opens.
 */
const EMPTY = `
  DO $$
  DECLARE name text;
  BEGIN
    SET session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
      IF name = ANY (string_to_array(current_setting('original.tables'), ' '))
      THEN EXECUTE format('DELETE FROM %I', name);
      ELSE EXECUTE format('DROP TABLE %I', name);
      END IF;
    END LOOP;
    PERFORM setval(format('%I', sequencename)::regclass, 1, false) FROM pg_sequences WHERE schemaname = 'public';
  END $$`;

async function empty(client: pg.Client, { tables, rows: all }: Original): Promise<void> {
  await client.query(END_OTHERS);
  await client.query("SELECT set_config('original.tables', $1, false)", [tables.join(' ')]);
  await client.query(EMPTY);
  for (const { table, rows } of all) {
    const name = pg.escapeIdentifier(table);
    await client.query(`INSERT INTO ${name} SELECT * FROM jsonb_populate_recordset(NULL::${name}, $1)`, [
      JSON.stringify(rows),
    ]);
  }
}

async function connected<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
