/** The counts of one transaction, added up in memory and written at its end: however many calls, few rows are touched. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { NewVerification } from '../../core/verification.ts';
import {
  BIN_COLUMNS,
  binOf,
  FRESH_WIDTH,
  MEASURES,
  type Measure,
  type MergeTimes,
  mergedWidth,
  type Stage,
  startOf,
} from '../statistics.ts';

/** What the counts of a verification are kept by; `createdAt` is the time of its request. */
export type Cohort = Pick<
  NewVerification,
  'accountId' | 'keyId' | 'test' | 'channel' | 'country' | 'createdAt'
>;

/** Columns of `verification` that make a cohort. */
export const COHORT_COLUMNS = 'account_id, key_id, test, channel, country, created_at';

type Key = readonly (string | number)[];
type Row = Readonly<Record<string, SQLOutputValue>>;

const BUCKET = ['width', 'at', 'account_id', 'test', 'channel', 'country', 'carrier'];
export const TALLY_KEY = [...BUCKET, 'key_id'];
export const LATENCY_KEY = [...BUCKET, 'stage'];
const MEASURE_COLUMNS = Object.values(MEASURES);
const POSITIONS = Object.fromEntries(
  Object.keys(MEASURES).map((measure, position) => [measure, position]),
) as Record<Measure, number>;

export class TallyBook {
  readonly #tallies: Sheet;
  readonly #latencies: Sheet;

  constructor(db: DatabaseSync) {
    this.#tallies = new Sheet(db, 'tally', TALLY_KEY, MEASURE_COLUMNS);
    this.#latencies = new Sheet(db, 'latency_tally', LATENCY_KEY, BIN_COLUMNS);
  }

  /** Counts for a carrier, or for none (''). */
  count(cohort: Cohort, carrier: string, measure: Measure, amount = 1): void {
    this.#tallies.add([...bucketOf(cohort, carrier), cohort.keyId], POSITIONS[measure], amount);
  }

  /** Counts that a carrier's message came to a stage, and how long after the request. */
  reach(cohort: Cohort, carrier: string, stage: Stage, at: number): void {
    this.count(cohort, carrier, stage);
    this.#latencies.add([...bucketOf(cohort, carrier), stage], binOf(at - cohort.createdAt), 1);
  }

  /** Adds rows of `tally` and `latency_tally` to wider buckets. */
  merge(tallies: readonly Row[], latencies: readonly Row[], times: MergeTimes): void {
    for (const row of tallies) this.#tallies.addRow(row, times);
    for (const row of latencies) this.#latencies.addRow(row, times);
  }

  /** Writes what was counted. Belongs right before the commit: a call of the batch that failed must not be counted. */
  write(): void {
    this.#tallies.write();
    this.#latencies.write();
  }

  /** Forgets what was counted: it is written, or was rolled back. */
  clear(): void {
    this.#tallies.clear();
    this.#latencies.clear();
  }
}

export function cohortOf(row: Row): Cohort {
  return {
    accountId: String(row.account_id),
    keyId: String(row.key_id),
    test: row.test === 1,
    channel: row.channel as Cohort['channel'],
    country: String(row.country),
    createdAt: Number(row.created_at),
  };
}

function bucketOf({ accountId, test, channel, country, createdAt }: Cohort, carrier: string): Key {
  return [FRESH_WIDTH, startOf(createdAt, FRESH_WIDTH), accountId, Number(test), channel, country, carrier];
}

/** The rows of one table that are to be added to. */
class Sheet {
  readonly #key: readonly string[];
  readonly #columns: readonly string[];
  readonly #upsert: ReturnType<DatabaseSync['prepare']>;
  readonly #rows = new Map<string, { readonly key: Key; readonly counts: number[] }>();

  constructor(db: DatabaseSync, table: string, key: readonly string[], columns: readonly string[]) {
    this.#key = key;
    this.#columns = columns;
    const all = [...key, ...columns];
    const additions = columns.map((column) => `${column} = ${column} + excluded.${column}`);
    this.#upsert = db.prepare(`
      INSERT INTO ${table} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})
      ON CONFLICT DO UPDATE SET ${additions.join(', ')}`);
  }

  add(key: Key, position: number, amount: number): void {
    const { counts } = this.#row(key);
    counts[position] = (counts[position] ?? 0) + amount;
  }

  addRow(row: Row, times: MergeTimes): void {
    const width = mergedWidth(Number(row.at), times);
    const wider = { ...row, width, at: startOf(Number(row.at), width) };
    const { counts } = this.#row(this.#key.map((column) => bindable(wider, column)));
    for (const [position, column] of this.#columns.entries()) {
      counts[position] = (counts[position] ?? 0) + Number(row[column]);
    }
  }

  write(): void {
    for (const { key, counts } of this.#rows.values()) this.#upsert.run(...key, ...counts);
  }

  clear(): void {
    this.#rows.clear();
  }

  #row(key: Key) {
    const name = key.join('\0');
    let row = this.#rows.get(name);
    if (row === undefined) {
      row = { key, counts: this.#columns.map(() => 0) };
      this.#rows.set(name, row);
    }
    return row;
  }
}

function bindable(row: Row, column: string): string | number {
  const value = row[column];
  return typeof value === 'number' ? value : String(value);
}
