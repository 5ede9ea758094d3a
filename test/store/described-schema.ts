/** What a schema consists of, from the catalogs of its store, so that two can be compared. The order of columns is no part of it. */
import type { DatabaseSync } from 'node:sqlite';

/** By kind and name. */
export type Described = Readonly<Record<string, unknown>>;

/** A check, with brackets inside of it. */
const CHECK = /CHECK \((?:[^()]|\([^()]*\))*\)/g;

/** Space and comments mean nothing in SQL. */
const plain = (sql: unknown): string =>
  String(sql ?? '')
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\s+/g, ' ');

export function describeSqlite(db: DatabaseSync): Described {
  const all = (sql: string, ...values: string[]) => db.prepare(sql).all(...values);
  const found: Record<string, unknown> = {};
  const tables = all(
    `SELECT name, wr, strict, sql FROM pragma_table_list JOIN sqlite_schema USING (name)
     WHERE schema = 'main' AND pragma_table_list.type = 'table'`,
  );
  for (const { name, wr, strict, sql } of tables) {
    const table = String(name);
    found[`table ${table}`] = { wr, strict, checks: plain(sql).match(CHECK) };
    for (const { name: column, cid: _, ...facts } of all('SELECT * FROM pragma_table_xinfo(?)', table))
      found[`column ${table}.${column}`] = facts;
    for (const { id: _, ...facts } of all('SELECT * FROM pragma_foreign_key_list(?)', table))
      found[`reference ${table}.${facts.from}`] = facts;
    for (const { name: index, seq: _, ...facts } of all('SELECT * FROM pragma_index_list(?)', table)) {
      const key = 'SELECT name, "desc", coll FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno';
      const columns = all(key, String(index));
      const [made] = all('SELECT sql FROM sqlite_schema WHERE name = ?', String(index));
      // What a constraint makes has a number by the order of constraints.
      const known = facts.origin === 'c' ? index : `of ${table} ${columns.map((column) => column.name)}`;
      found[`index ${known}`] = { ...facts, columns, sql: plain(made?.sql) };
    }
  }
  for (const { name, sql } of all("SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')"))
    found[`trigger ${name}`] = plain(sql);
  return found;
}

/** One row, `described`. Days are left out: each database has its own. */
export const DESCRIBE_POSTGRES = `
  WITH home AS (SELECT current_schema()::regnamespace AS id), relation AS (
    SELECT pg_class.* FROM pg_class, home WHERE relnamespace = home.id AND NOT relispartition
  ), found (name, facts) AS (
    SELECT 'relation ' || relname, jsonb_build_object('kind', relkind, 'kept', relpersistence, 'options', reloptions,
      'partitions', pg_get_partkeydef(oid))
    FROM relation WHERE relkind <> 'i'
    UNION ALL
    SELECT 'column ' || relname || '.' || attname, jsonb_build_object('type', format_type(atttypid, atttypmod),
      'notNull', attnotnull, 'default', pg_get_expr(adbin, adrelid), 'identity', attidentity, 'generated', attgenerated,
      'collation', attcollation::regcollation::text)
    FROM relation JOIN pg_attribute ON attrelid = relation.oid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT 'constraint ' || relname || '.' || conname, to_jsonb(pg_get_constraintdef(pg_constraint.oid))
    FROM relation JOIN pg_constraint ON conrelid = relation.oid
    UNION ALL
    SELECT 'index ' || relname, jsonb_build_object('is', pg_get_indexdef(oid), 'options', reloptions)
    FROM relation WHERE relkind IN ('i', 'I')
    UNION ALL
    SELECT 'trigger ' || relname || '.' || tgname, jsonb_build_array(tgenabled, pg_get_triggerdef(pg_trigger.oid))
    FROM relation JOIN pg_trigger ON tgrelid = relation.oid WHERE NOT tgisinternal
    UNION ALL
    SELECT 'function ' || proname, to_jsonb(pg_get_functiondef(pg_proc.oid)) FROM pg_proc, home WHERE pronamespace = home.id
  )
  SELECT jsonb_object_agg(name, facts) AS described FROM found`;
