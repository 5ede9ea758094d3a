import type { QueryResultRow } from 'pg';
import type { Database } from '../connection/database.ts';
import type { PreparedStatement } from '../connection/session.ts';

/** Arguments by parameter name; always in the same order, because the statement is prepared once. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Calls a function of the schema and answers its rows. */
export function functionCall<Row extends QueryResultRow>(db: Database, schema: string, name: string) {
  let statement: PreparedStatement | undefined;
  return (args: Arguments, deadline?: number): Promise<Row[]> => {
    const named = () => Object.keys(args).map((parameter, index) => `${parameter} => $${index + 1}`);
    statement ??= { name, text: `SELECT * FROM ${schema}.${name}(${named().join(', ')})` };
    return db.query<Row>(statement, Object.values(args), deadline);
  };
}

/** Records as arguments: for each field a list of its values, under its name in `fields`. */
export function listsOf<T, Field extends keyof T & string>(
  fields: Readonly<Record<Field, string>>,
  records: readonly T[],
): Arguments {
  const lists: Record<string, unknown> = {};
  for (const field in fields) lists[fields[field]] = records.map((record) => record[field]);
  return lists;
}
