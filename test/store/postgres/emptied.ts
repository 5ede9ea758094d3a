/**
 * Databases that one test after another is given. To empty one takes a tenth of the time that a new one takes: nothing
 * has to be copied, and the contract has hundreds of tests.
 */
import pg from 'pg';

interface Emptied {
  readonly url: string;
  /** Once nobody is connected any more. */
  giveBack(): Promise<void>;
}

/** All are as `original` is: its schema, and the rows that its migrations wrote. Tests must leave the schema alone. */
export function createEmptied(
  original: string,
  createDatabase: (original: string) => Promise<string>,
): () => Promise<Emptied> {
  const free: string[] = [];
  let first: Promise<Original> | undefined;
  return async () => {
    const url = free.pop() ?? (await createDatabase(original));
    return {
      url,
      async giveBack() {
        first ??= connected(original, readOriginal);
        const state = await first;
        await connected(url, (client) => empty(client, state));
        free.push(url);
      },
    };
  };
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
