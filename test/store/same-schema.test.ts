/** A store brought over from 0.2.0 has the same tables as a new one, and the same rows that every store has. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import pg from 'pg';
import { migrate as migratePostgres } from '../../src/store/postgres/schema/migrate.ts';
import { migrate as migrateSqlite } from '../../src/store/sqlite/schema/migrate.ts';
import { startPostgres } from '../postgres.ts';
import { DESCRIBE_POSTGRES, describeSqlite } from './described-schema.ts';
import { makeTablesBefore } from './postgres/before.ts';
import { makeEmbeddedTables } from './version-before/embedded.ts';

test('in SQLite', () => {
  const [fresh, upgraded] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')];
  makeEmbeddedTables(upgraded);
  const [made, broughtOver] = [fresh, upgraded].map((db) => {
    migrateSqlite(db);
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const rows = tables.map(({ name }) => [name, db.prepare(`SELECT * FROM ${name}`).all()]);
    return { schema: describeSqlite(db), rows: Object.fromEntries(rows) };
  });
  assert.deepEqual(broughtOver, made);
  assert.ok(made !== undefined && Object.keys(made.schema).length > 500);
  fresh.close();
  upgraded.close();
});

test('in PostgreSQL', async (t) => {
  const postgres = await startPostgres();
  t.after(() => postgres.dispose());
  const [fresh, upgraded] = [await postgres.createDatabase(), await postgres.createDatabase()];
  await makeTablesBefore(upgraded);
  const migrated = async (url: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await migratePostgres((use) => use(client));
    const found = await client.query(DESCRIBE_POSTGRES);
    const tables = await client.query(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND relname <> 'schema_migration'`,
    );
    const rows: Record<string, object[]> = {};
    for (const { name } of tables.rows) rows[name] = (await client.query(`SELECT * FROM ${name}`)).rows;
    await client.end();
    return { schema: found.rows[0].described, rows };
  };
  const made = await migrated(fresh);
  assert.deepEqual(await migrated(upgraded), made);
  assert.ok(Object.keys(made.schema).length > 1_000);
});
