/** The functions of this version, in a schema named after their text. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { ClientBase } from 'pg';

const FOLDER = new URL('./functions/', import.meta.url);

interface Functions {
  readonly schema: string;
  readonly text: string;
  /** The `search_path` in which they find the tables. */
  readonly path: string;
  readonly areThere: boolean;
}

export async function findFunctions(client: ClientBase): Promise<Functions> {
  const text = readdirSync(FOLDER)
    .sort()
    .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
    .join('\n');
  const { rows } = await client.query<{ home: string; path: string }>(
    "SELECT current_schema() AS home, current_setting('search_path') AS path",
  );
  const [{ home, path } = { home: 'public', path: 'public' }] = rows;
  // The name includes the home schema: functions find tables by the path they were made with, so two installations in one
  // database must not share them.
  const hash = createHash('sha256').update(`${home}\n${text}`).digest('hex').slice(0, 16);
  const schema = `countersign_${hash}`;
  const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
  return { schema, text, path, areThere: rowCount !== 0 };
}

/** Makes them, in a transaction of the caller's, where they are missing. */
export async function installFunctions(client: ClientBase): Promise<string> {
  const { schema, text, path, areThere } = await findFunctions(client);
  if (areThere) return schema;
  await client.query(`CREATE SCHEMA ${schema}`);
  await client.query("SELECT set_config('search_path', $1, true)", [`${schema}, ${path}`]);
  // Functions call one another, so they can be checked only when all are there.
  await client.query('SET LOCAL check_function_bodies = off');
  await client.query(text.replaceAll(/^LANGUAGE (\w+)/gm, 'SET search_path FROM CURRENT LANGUAGE $1'));
  return schema;
}
