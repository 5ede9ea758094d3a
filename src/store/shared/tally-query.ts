/** Queries of the statistics in SQL that both stores understand, and their answers. */
import type {
  LatencyQuery,
  LatencyTally,
  Tally,
  TallyDimension,
  TallyQuery,
} from '../../core/counting/tally.ts';
import { DAY_WIDTH, FRESH_WIDTH, HOUR_WIDTH, startOf, WIDTHS } from '../../core/counting/tally-resolution.ts';
import type { Channel } from '../../core/destination/channel.ts';
import { BIN_COLUMNS, MEASURES, perMeasure, type Stage } from './statistics.ts';

/** How a store writes SQL, and where it keeps its counts. */
export interface Dialect {
  /** The placeholder of a parameter by its number, from 1. */
  placeholder(number: number): string;
  /** Relations with the columns of `tally` and of `latency_tally`. */
  readonly tallies: string;
  readonly latencies: string;
}

/** What is read from one of the two tables. */
interface Source extends Sums {
  readonly buckets: string;
  /** The columns that always group. */
  readonly always: readonly string[];
  readonly columns: readonly string[];
  readonly stage?: Stage | undefined;
}

interface Sums {
  /** The hours among the buckets, where they are kept apart. */
  readonly hours?: string;
  /** Hours and days of the buckets, added up by day. */
  readonly days: string;
}

export interface TallyQuestion {
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

/** Sums without some dimensions, fewest rows first; what such a table has for one account lies together. */
const NARROW: readonly (Sums & { readonly without: readonly (keyof typeof COLUMNS)[] })[] = [
  { without: ['key'], hours: 'tally_keyless_hour', days: 'tally_keyless_day' },
  { without: ['channel', 'country', 'carrier'], days: 'tally_key_day' },
];

/**
 * Buckets count whole, by their start. Steps begin at multiples of their width; where buckets are wider than a step,
 * each is in the step of its start.
 */
export function askTallies(query: TallyQuery, dialect: Dialect): TallyQuestion {
  const columns = Object.values(MEASURES);
  return ask(query, dialect, { buckets: dialect.tallies, ...sumsFor(query), always: [], columns });
}

/** Throws for a query by or for a key. */
export function askLatencies(query: LatencyQuery, dialect: Dialect): TallyQuestion {
  if (query.by.includes('key') || query.keyId !== undefined) {
    throw new Error('latencies are not kept by key: ask without it');
  }
  const source = { buckets: dialect.latencies, days: 'latency_tally_day', columns: BIN_COLUMNS };
  return ask(query, dialect, { ...source, always: ['stage'], stage: query.stage });
}

export function tallyOf(row: Row): Tally {
  return { ...groupOf(row), ...perMeasure((column) => Number(row[column])) };
}

export function latencyOf(row: Row): LatencyTally {
  return {
    ...groupOf(row),
    stage: row.stage as Stage,
    bins: BIN_COLUMNS.map((column) => Number(row[column])),
  };
}

/** The narrowest that have what the query asks for. */
function sumsFor({ by, accountId, channel, country, carrier, keyId }: TallyQuery): Sums {
  const filters = { channel, country, carrier, key: keyId };
  const asksFor = (dimension: keyof typeof COLUMNS) =>
    by.includes(dimension) || filters[dimension] !== undefined;
  const narrow = NARROW.find(({ without }) => !without.some(asksFor));
  return accountId === undefined || narrow === undefined ? { days: 'tally_day' } : narrow;
}

function ask(query: TallyQuery, { placeholder }: Dialect, source: Source): TallyQuestion {
  const values: (string | number | boolean)[] = [];
  const parameter = (value: string | number | boolean) => placeholder(values.push(value));
  const time = (value: number) => `CAST(${parameter(value)} AS bigint)`;
  const { accountId, test, channel, country, carrier, keyId } = query;
  const { stage } = source;
  const filters = { account_id: accountId, stage, test, channel, country, carrier, key_id: keyId };
  const conditions = Object.entries(filters).flatMap(([column, value]) =>
    value === undefined ? [] : [`${column} = ${parameter(value)}`],
  );
  const names = [...source.always];
  const groups = [...source.always];
  for (const dimension of new Set(query.by)) {
    const name = dimension === 'time' ? 'time' : COLUMNS[dimension];
    names.push(name);
    groups.push(dimension === 'time' ? `at - at % ${time(stepOf(query))} AS time` : name);
  }
  const sums = source.columns.map((column) => `CAST(sum(${column}) AS bigint) AS ${column}`);
  const select = (columns: readonly string[]) => `SELECT ${[...columns, ...sums].join(', ')} FROM`;
  const positions = groups.map((_, index) => index + 1).join(', ');
  // A query by time only adds up each part by bucket, in the order of its index, so that the embedded store need not sort
  // all rows.
  const isCourse = query.by.every((dimension) => dimension === 'time');
  const partGroups = isCourse ? ['at', ...source.always].join(', ') : positions;
  const parts = partsOf(query).map(({ width, from, to }) => {
    const found = [`at >= ${time(from)}`, `at < ${time(to)}`, ...conditions];
    const sums = width === undefined ? source.days : width === HOUR_WIDTH ? source.hours : undefined;
    if (sums === undefined) found.unshift(`width = ${width}`);
    const relation = sums ?? source.buckets;
    return `${select(groups)} ${relation} AS counted WHERE ${found.join(' AND ')} GROUP BY ${partGroups}`;
  });
  const grouping =
    groups.length === 0 ? 'HAVING count(*) > 0' : `GROUP BY ${positions} ORDER BY ${positions}`;
  return { text: `${select(names)} (${parts.join(' UNION ALL ')}) AS part ${grouping}`, values };
}

/** The buckets of the span. Whole days are read as sums, except the freshest buckets and where steps are narrower. */
function partsOf(query: TallyQuery) {
  const { from, to } = query;
  const wholeFrom = startOf(from + DAY_WIDTH - 1, DAY_WIDTH);
  const wholeTo = startOf(to, DAY_WIDTH);
  const hasFineSteps = query.by.includes('time') && stepOf(query) % DAY_WIDTH !== 0;
  if (hasFineSteps || wholeFrom >= wholeTo) return WIDTHS.map((width) => ({ width, from, to }));
  const edges = [
    { from, to: wholeFrom },
    { from: wholeTo, to },
  ];
  return [
    { width: FRESH_WIDTH, from, to },
    { width: undefined, from: wholeFrom, to: wholeTo },
    ...edges.flatMap((edge) => [HOUR_WIDTH, DAY_WIDTH].map((width) => ({ width, ...edge }))),
  ];
}

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

/** Null if it was not asked for, or is empty because no carrier was involved. */
function textOf(value: unknown): string | null {
  return value === undefined || value === '' ? null : String(value);
}
