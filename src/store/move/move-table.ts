/** Copies the rows of one table a chunk at a time, so that few of them are in memory. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { ClientBase } from 'pg';
import type { ReportProgress } from '../../core/reporting/progress.ts';
import { storable } from '../postgres/messages/receipts.ts';
import type { Table } from './tables.ts';

const CHUNK = 2_000;

/** Copies the rows in chunks and counts them on both sides. Answers how many they are. */
export async function moveTable(
  source: DatabaseSync,
  client: ClientBase,
  table: Table,
  report: ReportProgress,
): Promise<number> {
  const { name, target, arrays } = table;
  const { fields } = await client.query(`SELECT * FROM ${target} LIMIT 0`);
  const select = table.source(fields.map((field) => field.name));
  const total = Number(source.prepare(`SELECT count(*) AS n FROM (${select})`).get()?.n);
  const rows = source.prepare(select);
  const columns = rows.columns().map((column) => column.name);
  const insert = table.insert(columns.join(', '));
  let copied = 0;
  for (const chunk of chunksOf(rows.iterate(), CHUNK)) {
    await client.query(insert, [toJson(chunk, arrays)]);
    copied += chunk.length;
    report({ step: `copying ${name}`, done: copied, total });
  }
  const { rows: counted } = await client.query<{ n: string }>(table.count);
  const arrived = Number(counted[0]?.n);
  if (copied !== total || arrived !== total) {
    throw new Error(
      `${name}: the store has ${total}, ${copied} were copied, and the database has ${arrived}`,
    );
  }
  return total;
}

type Row = Record<string, SQLOutputValue>;

function* chunksOf(rows: Iterable<Row>, size: number): Iterable<Row[]> {
  let chunk: Row[] = [];
  for (const row of rows) {
    if (chunk.push(row) < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

function toJson(rows: readonly Row[], arrays: readonly string[]): string {
  const parsed = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(arrays.map((column) => [column, JSON.parse(String(row[column]))])),
  }));
  return JSON.stringify(parsed, (_, value) => (typeof value === 'string' ? storable(value) : value));
}
