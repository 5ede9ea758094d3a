/** Options of several values: from the rows that were filled in to what the configuration holds, and what is wrong with which row. */
import type { Field } from '#contract/configuration.ts';
import type { Value } from './yaml.ts';

export type Pair = readonly [name: string, value: string];

/** What is wrong, with all of an option or with one of its rows. */
interface Wrong {
  readonly row?: number;
  readonly detail: string;
}

export type Read = { readonly value: Value | undefined } | { readonly wrong: readonly Wrong[] };

const NUMBER = /^-?\d+(\.\d+)?$/;

/** Undefined for what is no number as people write it. */
export const readNumber = (text: string): number | undefined =>
  NUMBER.test(text) ? Number(text) : undefined;

export const fits = (pattern: string | null, text: string): boolean =>
  pattern === null || new RegExp(pattern).test(text);

/** Whether a group whose names are free takes this one. */
export const takesName = ({ key }: Field, name: string): boolean => name !== '' && fits(key, name);

/** How a form holds pairs, each in its row. */
export const writePair = (pair: Pair): string => JSON.stringify(pair);

export function readRows(field: Field, rows: readonly string[]): Read {
  if (rows.length === 0)
    return field.required ? { wrong: [{ detail: 'is required' }] } : { value: undefined };
  if (field.kind === 'list') {
    const wrong = rows.flatMap((text, row) => place(row, wrongWith(field, text)));
    return wrong.length > 0 ? { wrong } : { value: rows };
  }
  const pairs: Pair[] = rows.map((row) => JSON.parse(row));
  const names = pairs.map(([name]) => name);
  const wrong = pairs.flatMap(([name, value], row) => {
    const isTwice = names.indexOf(name) < row;
    const detail = isTwice ? 'is there already' : (wrongWithName(field, name) ?? wrongWith(field, value));
    return place(row, detail);
  });
  if (wrong.length > 0) return { wrong };
  const read = field.kind === 'numbers' ? Number : String;
  return { value: Object.fromEntries(pairs.map(([name, value]) => [name, read(value)])) };
}

const place = (row: number, detail: string | undefined): Wrong[] =>
  detail === undefined ? [] : [{ row, detail }];

function wrongWith({ kind, entry }: Field, text: string): string | undefined {
  if (text === '') return 'is required';
  const isTaken = kind === 'numbers' ? readNumber(text) !== undefined : fits(entry?.pattern ?? null, text);
  return isTaken ? undefined : `must be ${entry?.expected.replaceAll('"', '')}`;
}

function wrongWithName(field: Field, name: string): string | undefined {
  if (name === '') return 'is required';
  return takesName(field, name) ? undefined : `must be a ${nameWords(field)}`;
}

/** What the names are. */
export function nameWords(field: Field): string {
  if (field.names === 'country') return takesName(field, '+49170') ? 'country or prefix' : 'country';
  return field.names ?? 'name';
}
