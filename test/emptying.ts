/** Makes of a database that was used what it was before. */
import pg from 'pg';

export interface Original {
  readonly tables: readonly string[];
  /** Of the tables that have any. */
  readonly rows: readonly { readonly table: string; readonly rows: readonly unknown[] }[];
}

export async function readOriginal(client: pg.Client): Promise<Original> {
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

/** Ends all other sessions: one works on for a moment after its client was killed. */
export const END_OTHERS = `
  SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;

/**
 * What has rows, or had some. As a replica: without triggers, which would count what goes, and without the order that references ask for.
 * Partitions of the days that a test played in go; one of the days ahead that is missing is made when a store opens.
 */
const EMPTY = `
  DO $$
  DECLARE each record;
  BEGIN
    SET session_replication_role = replica;
    FOR each IN SELECT oid, relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    LOOP
      IF each.name <> ALL (string_to_array(current_setting('original.tables'), ' '))
      THEN EXECUTE format('DROP TABLE %I', each.name);
      ELSIF pg_relation_size(each.oid) > 0
      THEN EXECUTE format('DELETE FROM %I', each.name);
      END IF;
    END LOOP;
    PERFORM setval(format('%I', sequencename)::regclass, 1, false) FROM pg_sequences WHERE schemaname = 'public';
  END $$`;

export async function empty(client: pg.Client, { tables, rows: all }: Original): Promise<void> {
  await client.query("SELECT set_config('original.tables', $1, false)", [tables.join(' ')]);
  await client.query(EMPTY);
  for (const { table, rows } of all) {
    const name = pg.escapeIdentifier(table);
    await client.query(`INSERT INTO ${name} SELECT * FROM jsonb_populate_recordset(NULL::${name}, $1)`, [
      JSON.stringify(rows),
    ]);
  }
}
