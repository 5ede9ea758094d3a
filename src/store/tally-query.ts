/** Questions about what was counted, as SQL that both stores understand, and their answers. */
import type { Channel } from '../core/destination.ts';
import type { LatencyQuery, LatencyTally, Tally, TallyDimension, TallyQuery } from '../core/tally.ts';
import { WIDTHS } from '../core/tally-resolution.ts';
import { BIN_COLUMNS, MEASURES, type Measure, type Stage } from './statistics.ts';

/** How a store writes SQL, and where it keeps what it counted. */
export interface Dialect {
  /** The placeholder of the parameter with that number, from 1. */
  placeholder(number: number): string;
  /** Relations with the columns of `tally` and of `latency_tally`. */
  readonly tallies: string;
  readonly latencies: string;
}

export interface Question {
  readonly text: string;
  readonly values: readonly (string | number | boolean)[];
}

type Row = Readonly<Record<string, unknown>>;

const COLUMNS: Record<Exclude<TallyDimension, 'time'>, string> = {
  channel: 'channel',
  country: 'country',
  carrier: 'carrier',
  key: 'key_id',
};

/**
 * Buckets count whole, by their start. Steps begin at multiples of their width; where buckets are wider than a step,
 * each is in the step of its start.
 */
export function askTallies(query: TallyQuery, dialect: Dialect): Question {
  const sums = Object.values(MEASURES).map(sum);
  return ask(query, dialect, dialect.tallies, [], sums);
}

/** Throws for a query by or for a key. */
export function askLatencies(query: LatencyQuery, dialect: Dialect): Question {
  if (query.by.includes('key') || query.keyId !== undefined) {
    throw new Error('latencies are not kept by key: ask without it');
  }
  return ask(query, dialect, dialect.latencies, ['stage'], BIN_COLUMNS.map(sum), { stage: query.stage });
}

export function tallyOf(row: Row): Tally {
  const count = (measure: Measure) => Number(row[MEASURES[measure]]);
  return {
    ...groupOf(row),
    requested: count('requested'),
    submitted: count('submitted'),
    delivered: count('delivered'),
    undelivered: count('undelivered'),
    failed: count('failed'),
    confirmed: count('confirmed'),
    limitedByKey: count('limitedByKey'),
    limitedByDestination: count('limitedByDestination'),
    mismatched: count('mismatched'),
    cost: count('cost'),
  };
}

export function latencyOf(row: Row): LatencyTally {
  return {
    ...groupOf(row),
    stage: row.stage as Stage,
    bins: BIN_COLUMNS.map((column) => Number(row[column])),
  };
}

function ask(
  query: TallyQuery,
  { placeholder }: Dialect,
  source: string,
  always: readonly string[],
  sums: readonly string[],
  own: Readonly<Record<string, string | undefined>> = {},
): Question {
  const values: (string | number | boolean)[] = [];
  const parameter = (value: string | number | boolean) => placeholder(values.push(value));
  const time = (value: number) => `CAST(${parameter(value)} AS bigint)`;
  const groups: string[] = [...always];
  for (const dimension of new Set(query.by)) {
    if (dimension !== 'time') groups.push(COLUMNS[dimension]);
    else groups.push(`at - at % ${time(stepOf(query))} AS time`);
  }
  const { from, to, accountId, test, channel, country, carrier, keyId } = query;
  const filters = { account_id: accountId, test, channel, country, carrier, key_id: keyId, ...own };
  const conditions = [
    `width IN (${WIDTHS.join(', ')})`,
    `at >= ${time(from)}`,
    `at < ${time(to)}`,
    ...Object.entries(filters).flatMap(([column, value]) =>
      value === undefined ? [] : [`${column} = ${parameter(value)}`],
    ),
  ];
  const found = `${source} AS counted WHERE ${conditions.join(' AND ')}`;
  // Without another dimension, the buckets are first added up in the order of the primary key: that spares the embedded
  // store sorting all of their rows.
  const isCourse = query.by.every((dimension) => dimension === 'time');
  const bucket = ['width', 'at', ...always].join(', ');
  const rows = isCourse
    ? `(SELECT ${bucket}, ${sums.join(', ')} FROM ${found} GROUP BY ${bucket}) AS bucket`
    : found;
  const positions = groups.map((_, index) => index + 1).join(', ');
  const grouping =
    groups.length === 0 ? 'HAVING count(*) > 0' : `GROUP BY ${positions} ORDER BY ${positions}`;
  return { text: `SELECT ${[...groups, ...sums].join(', ')} FROM ${rows} ${grouping}`, values };
}

const sum = (column: string) => `CAST(sum(${column}) AS bigint) AS ${column}`;

function stepOf({ step }: TallyQuery): number {
  if (step === undefined || !Number.isSafeInteger(step) || step <= 0) {
    throw new Error('a query by time needs the width of its steps in whole ms');
  }
  return step;
}

function groupOf(row: Row) {
  return {
    time: row.time === undefined ? null : Number(row.time),
    channel: (row.channel as Channel | undefined) ?? null,
    country: textOf(row.country),
    carrier: textOf(row.carrier),
    keyId: textOf(row.key_id),
  };
}

/** Not asked for, or empty: what no carrier had. */
function textOf(value: unknown): string | null {
  return value === undefined || value === '' ? null : String(value);
}
