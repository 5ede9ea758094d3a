/** A table as a file for spreadsheets, sent in parts as they are read. */
import { Readable } from 'node:stream';
import Type from 'typebox';
import { type Cell, formatRow } from '../core/text/csv.ts';

/** How an operation describes its answer. */
export const CSV_ANSWER = { 200: { content: { 'text/csv': { schema: Type.String() } } } };

export const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8; header=present',
  'content-disposition': `attachment; filename="${name}.csv"`,
});

/** Reads the first slice, so that a store that does not answer fails before anything is sent. */
export async function csvFile<T>(
  columns: readonly string[],
  slices: AsyncIterable<readonly T[]>,
  rowOf: (each: T) => readonly Cell[],
): Promise<Readable> {
  const parts = (async function* () {
    for await (const slice of slices) yield slice.map((each) => formatRow(rowOf(each))).join('');
  })();
  const first = await parts.next();
  return Readable.from(
    (async function* () {
      yield formatRow(columns) + (first.done ? '' : first.value);
      yield* parts;
    })(),
  );
}
