/**
 * Reads a file of prices: lines of `carrier,channel,to,price` below a line that names the columns. Nothing in it needs quotes or
 * commas, so splitting is enough; quotes that a spreadsheet puts around a field are taken off.
 */
import type { Channel } from '../core/destination/channel.ts';
import type { PriceRow } from '../core/sending/prices.ts';
import { withoutUnseen } from '../core/text/unseen.ts';
import type { ConfigProblem } from './problem.ts';
import { findCountryFault } from './rules/country.ts';
import { findNearest, listChoices } from './suggestion.ts';

/** The channels of each carrier. */
type Served = ReadonlyMap<string, readonly Channel[]>;
type Fault = Omit<ConfigProblem, 'key'>;
type Column = (typeof COLUMNS)[number];

const COLUMNS = ['carrier', 'channel', 'to', 'price'] as const;
const OPTIONAL: readonly Column[] = ['channel'];
const EXAMPLE = 'a first line such as carrier,channel,to,price';
/** Spreadsheets take `+4915` for a number and drop the sign. No country has digits in its code. */
const PREFIX = /^\+?([1-9]\d{0,14})$/;
const PRICE = /^\d{1,4}(?:\.\d{1,6})?$/;
const HIGHEST = 1_000;
/** A file with the wrong columns is wrong in every line. */
const MOST_PROBLEMS = 20;

/** The rows of the file's text. Every problem is reported with its line and column. */
export function parsePrices(
  text: string,
  path: string,
  served: Served,
  report: (problem: ConfigProblem) => void,
): PriceRow[] {
  let problems = 0;
  const refuse = (line: number, column: string, fault: Fault) => {
    if (problems++ < MOST_PROBLEMS) report({ key: `${column} (${path}:${line})`, ...fault });
  };
  const [first = { line: 1, fields: [] }, ...lines] = split(text);
  const columns = readColumns(first.fields);
  if (typeof columns === 'string') {
    refuse(first.line, 'columns', { wrong: columns, expected: EXAMPLE, fix: 'correct it' });
    return [];
  }
  const rows: PriceRow[] = [];
  const listed = new Map<string, number>();
  for (const { line, fields } of lines) {
    const row = readRow(columns, fields, served);
    if ('column' in row) {
      refuse(line, row.column, row.fault);
      continue;
    }
    const place = `${row.carrier} ${row.channel ?? ''} ${row.to}`;
    const before = listed.get(place);
    if (before === undefined) listed.set(place, line);
    else {
      const wrong = `${row.to} is in line ${before} already`;
      refuse(line, 'to', { wrong, expected: 'one price for each', fix: 'remove one of the two' });
    }
    rows.push(row);
  }
  if (problems > MOST_PROBLEMS) {
    const wrong = `${problems - MOST_PROBLEMS} more lines are wrong`;
    report({ key: path, wrong, expected: 'lines as its first names them', fix: 'correct those above first' });
  }
  return rows;
}

/** The fields of each line that is neither empty nor a comment. */
function split(text: string) {
  return withoutUnseen(text)
    .split(/\r?\n/)
    .map((content, index) => ({ content, line: index + 1 }))
    .filter(({ content }) => !/^\s*(#|$)/.test(content))
    .map(({ content, line }) => ({
      line,
      fields: content.split(',').map((field) => field.trim().replace(/^"([^"]*)"$/, '$1')),
    }));
}

/** What the first line names, or what is wrong with it. */
function readColumns(fields: readonly string[]): readonly Column[] | string {
  if (fields.length === 0) return 'the file is empty';
  const columns = fields.flatMap((field) => COLUMNS.filter((column) => column === field.toLowerCase()));
  const unknown = fields.find((field) => !COLUMNS.some((column) => column === field.toLowerCase()));
  const missing = COLUMNS.find((column) => !columns.includes(column) && !OPTIONAL.includes(column));
  if (unknown !== undefined) return `${JSON.stringify(unknown.slice(0, 40))} is not a column`;
  if (missing !== undefined) return `the column ${missing} is missing`;
  return new Set(columns).size < columns.length ? 'a column is named twice' : columns;
}

function readRow(
  columns: readonly Column[],
  fields: readonly string[],
  served: Served,
): PriceRow | { readonly column: Column | 'line'; readonly fault: Fault } {
  if (fields.length !== columns.length) {
    const wrong = `has ${fields.length} fields, and the first line names ${columns.length}`;
    const fix = 'write prices with a point, as 0.0075, and no commas inside of fields';
    return { column: 'line', fault: { wrong, expected: columns.join(','), fix } };
  }
  const named = new Map(columns.map((column, index) => [column, fields[index] ?? '']));
  const [carrier = '', to = '', price = ''] = [named.get('carrier'), named.get('to'), named.get('price')];
  const channels = served.get(carrier);
  if (channels === undefined) {
    const nearest = findNearest(carrier, served.keys());
    const fix = nearest === undefined ? 'correct it, or remove the line' : `did you mean ${nearest}?`;
    return refuseField('carrier', carrier, 'not a carrier', [...served.keys()].join(', '), fix);
  }
  const over = named.get('channel');
  const channel = channels.find((name) => name === over);
  if (over !== undefined && channel === undefined) {
    return refuseField('channel', over, `not a channel of ${carrier}`, listChoices(channels), 'correct it');
  }
  const [, digits] = PREFIX.exec(to) ?? [];
  if (digits === undefined && to !== 'default') {
    const fault = findCountryFault(to);
    if (fault !== undefined) return { column: 'to', fault };
  }
  if (!PRICE.test(price) || Number(price) > HIGHEST) {
    const expected = `a number from 0 to ${HIGHEST} with at most six decimals, such as 0.0075`;
    return refuseField('price', price, 'not a price', expected, 'correct it');
  }
  return { carrier, channel, to: digits === undefined ? to : `+${digits}`, price: Number(price) };
}

function refuseField(column: Column, value: string, what: string, expected: string, fix: string) {
  return { column, fault: { wrong: `${JSON.stringify(value.slice(0, 40))} is ${what}`, expected, fix } };
}
