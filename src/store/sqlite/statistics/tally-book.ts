/** The counts of one transaction, added up in memory and written at its end, so that many calls touch few rows. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import {
  FRESH_WIDTH,
  type MergeTimes,
  mergedWidth,
  startOf,
} from '../../../core/counting/tally-resolution.ts';
import { NO_KEY } from '../../../core/verification/carrier-test.ts';
import type { NewVerification } from '../../../core/verification/verification.ts';
import {
  BIN_COLUMNS,
  binOf,
  MEASURES,
  type Measure,
  perMeasure,
  type Stage,
} from '../../shared/statistics.ts';

/** What a verification is counted by; `createdAt` is the time of its request. */
export type TallyCohort = Pick<
  NewVerification,
  'accountId' | 'keyId' | 'test' | 'channel' | 'country' | 'createdAt' | 'brought'
>;

/** Columns of `verification` that make a cohort. */
export const COHORT_COLUMNS = 'account_id, key_id, test, channel, country, created_at, brought';

type Row = Readonly<Record<string, SQLOutputValue>>;
type Values = readonly (string | number)[];

const BUCKET = ['width', 'at', 'account_id', 'test', 'channel', 'country', 'carrier'];
export const TALLY_KEY = [...BUCKET, 'key_id'];
export const LATENCY_KEY = [...BUCKET, 'stage'];
const MEASURE_COLUMNS = Object.values(MEASURES);
const POSITIONS = perMeasure((_, position) => position);

/** The counts of one bucket, carrier and key. */
interface Line {
  /** Values of BUCKET. */
  readonly bucket: Values;
  readonly keyId: string;
  readonly counts: number[];
  readonly histograms: Partial<Record<Stage, number[]>>;
}

export class TallyBook {
  readonly #addTally: StatementSync;
  readonly #addLatency: StatementSync;
  readonly #lines = new Map<string, Line>();
  /** Rows that the purge took from narrow buckets, to be added to wider ones. */
  #merged: { readonly add: StatementSync; readonly values: Values }[] = [];

  constructor(db: DatabaseSync) {
    this.#addTally = prepareAdding(db, 'tally', TALLY_KEY, MEASURE_COLUMNS);
    this.#addLatency = prepareAdding(db, 'latency_tally', LATENCY_KEY, BIN_COLUMNS);
  }

  /** Counts for a carrier, or for none (''). What no key asked for is no traffic: only what it costs counts. */
  count(cohort: TallyCohort, carrier: string, measure: Measure, amount = 1): void {
    if (cohort.keyId === NO_KEY && measure !== 'cost') return;
    increase(this.#line(cohort, carrier).counts, POSITIONS[measure], amount);
  }

  /** Counts that a carrier's message reached stages, and how long after the request. */
  reach(cohort: TallyCohort, carrier: string, stages: readonly Stage[], at: number): void {
    const { counts, histograms } = this.#line(cohort, carrier);
    const bin = binOf(at - cohort.createdAt);
    for (const stage of stages) {
      increase(counts, POSITIONS[stage], 1);
      let histogram = histograms[stage];
      if (histogram === undefined) {
        histogram = BIN_COLUMNS.map(() => 0);
        histograms[stage] = histogram;
      }
      increase(histogram, bin, 1);
    }
  }

  /** Adds rows of `tally` and `latency_tally` to wider buckets. */
  merge(tallies: readonly Row[], latencies: readonly Row[], times: MergeTimes): void {
    const wider = (row: Row, columns: readonly string[]) => {
      const width = mergedWidth(Number(row.at), times);
      const merged: Row = { ...row, width, at: startOf(Number(row.at), width) };
      return columns.map((column) => bindable(merged[column]));
    };
    for (const row of tallies) {
      this.#merged.push({ add: this.#addTally, values: wider(row, [...TALLY_KEY, ...MEASURE_COLUMNS]) });
    }
    for (const row of latencies) {
      this.#merged.push({ add: this.#addLatency, values: wider(row, [...LATENCY_KEY, ...BIN_COLUMNS]) });
    }
  }

  /** Writes the counts. Call it right before the commit: a failed call of the batch must not count. */
  write(): void {
    for (const { bucket, keyId, counts, histograms } of this.#lines.values()) {
      this.#addTally.run(...bucket, keyId, ...counts);
      for (const [stage, bins] of Object.entries(histograms)) this.#addLatency.run(...bucket, stage, ...bins);
    }
    for (const { add, values } of this.#merged) add.run(...values);
  }

  /** Forgets the counts after they were written or rolled back. */
  clear(): void {
    this.#lines.clear();
    this.#merged = [];
  }

  #line({ accountId, keyId, test, channel, country, createdAt }: TallyCohort, carrier: string): Line {
    const at = startOf(createdAt, FRESH_WIDTH);
    // Only a carrier may contain a space.
    const name = `${at} ${accountId} ${keyId} ${test} ${channel} ${country} ${carrier}`;
    let line = this.#lines.get(name);
    if (line === undefined) {
      const bucket = [FRESH_WIDTH, at, accountId, Number(test), channel, country, carrier];
      line = { bucket, keyId, counts: MEASURE_COLUMNS.map(() => 0), histograms: {} };
      this.#lines.set(name, line);
    }
    return line;
  }
}

export function cohortOf(row: Row): TallyCohort {
  return {
    accountId: String(row.account_id),
    keyId: String(row.key_id),
    test: row.test === 1,
    channel: row.channel as TallyCohort['channel'],
    country: String(row.country),
    createdAt: Number(row.created_at),
    brought: row.brought === 1,
  };
}

/** The cohort by the channel of an attempt; null is that of the verification. */
export function over(cohort: TallyCohort, channel: TallyCohort['channel'] | null): TallyCohort {
  return channel === null ? cohort : { ...cohort, channel };
}

/** Adds a row's counts to those of its key. */
function prepareAdding(db: DatabaseSync, table: string, key: readonly string[], columns: readonly string[]) {
  const all = [...key, ...columns];
  const additions = columns.map((column) => `${column} = ${column} + excluded.${column}`);
  return db.prepare(`
    INSERT INTO ${table} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})
    ON CONFLICT DO UPDATE SET ${additions.join(', ')}`);
}

function increase(counts: number[], position: number, amount: number): void {
  counts[position] = (counts[position] ?? 0) + amount;
}

function bindable(value: SQLOutputValue | undefined): string | number {
  return typeof value === 'number' ? value : String(value);
}
