/**
 * What was counted of requests in the last hour and since the day began. Buckets older than ten minutes do not change any more, because
 * codes are over by then: each is read once, a minute at a look, and its sums are kept. Adding up an hour again at each look would
 * hold up the thread of the embedded store.
 */

import {
  DAY_WIDTH,
  FRESH_WIDTH,
  HOUR_WIDTH,
  mergeTimesAt,
  startOf,
} from '../../core/counting/tally-resolution.ts';
import { MINUTE_MS } from '../../core/seams/spans.ts';
import { query, type Records, type Row } from '../../core/sql/records.ts';

const OPEN_MS = 10 * MINUTE_MS;
/** What is read at once of the time before the last hour, after a start. The hour itself leaves memory by the minute. */
const SLICE_MS = 5 * MINUTE_MS;
/** Groups of one slice. */
const MOST_GROUPS = 20_000;

/** Of live keys. `confirmed`, `submitted` and `cost` have the carrier; `requested` has none. */
const SLICE = `
  SELECT account_id, country, carrier, sum(requested) AS requested, sum(submitted) AS submitted, sum(confirmed) AS confirmed,
    sum(cost) AS cost
  FROM tally WHERE width = ${FRESH_WIDTH} AND at >= CAST($2 AS BIGINT) AND at < CAST($3 AS BIGINT) AND test = (CAST($1 AS INTEGER) = 1)
  GROUP BY account_id, country, carrier LIMIT ${MOST_GROUPS}`;

const MERGED = `
  SELECT account_id, sum(submitted) AS submitted, sum(cost) AS cost FROM tally
  WHERE width IN (${FRESH_WIDTH}, ${HOUR_WIDTH}) AND at >= CAST($2 AS BIGINT) AND at < CAST($3 AS BIGINT)
    AND test = (CAST($1 AS INTEGER) = 1)
  GROUP BY account_id LIMIT ${MOST_GROUPS}`;

const IS_MERGED = `
  SELECT 1 AS merged FROM tally WHERE width = ${HOUR_WIDTH} AND at >= CAST($1 AS BIGINT) AND at < CAST($2 AS BIGINT) LIMIT 1`;

/** The sums of one country and carrier of an account. */
export interface Counts {
  readonly accountId: string;
  readonly country: string;
  /** Empty for what belongs to none. */
  readonly carrier: string;
  readonly requested: number;
  readonly submitted: number;
  readonly confirmed: number;
}

interface Spent {
  readonly cost: number;
  readonly submitted: number;
}

interface Slice {
  readonly from: number;
  readonly counts: readonly Counts[];
}

export class CountedTraffic {
  #slices: Slice[] = [];
  #spent = new Map<string, Spent>();
  /** Everything before is counted; undefined before the first look. */
  #until: number | undefined;

  /** The hour that is complete at a time. */
  static hourAt(now: number): { readonly from: number; readonly to: number } {
    const to = startOf(now - OPEN_MS, MINUTE_MS);
    return { from: to - HOUR_WIDTH, to };
  }

  /** Of the last complete hour. */
  get hour(): readonly Counts[] {
    return this.#slices.flatMap(({ counts }) => counts);
  }

  /** Since the day (UTC) began that the last complete moment is in. In millionths of the currency. */
  get spent(): ReadonlyMap<string, Spent> {
    return this.#spent;
  }

  /** Reads what has become complete. What was read stays if the next read fails. */
  async advance(records: Records, now: number): Promise<void> {
    const { from: hourFrom, to } = CountedTraffic.hourAt(now);
    const { intoHours } = mergeTimesAt(now);
    const isUsable = this.#until !== undefined && this.#until >= intoHours && this.#until <= to;
    if (!isUsable) await this.#begin(records, intoHours, to);
    for (let from = this.#until ?? to; from < to; ) {
      const day = startOf(from, DAY_WIDTH);
      const end = from < hourFrom ? Math.min(from + SLICE_MS, day + DAY_WIDTH, hourFrom) : from + MINUTE_MS;
      this.#add(from, await query(records, SLICE, 0, from, end));
      from = end;
      this.#until = end;
    }
    this.#slices = this.#slices.filter((slice) => slice.from >= hourFrom);
    // Hours are merged once the clock passes one: what was read around that moment may lack some.
    const start = Math.max(intoHours, startOf(to, DAY_WIDTH));
    if (!isUsable && (await query(records, IS_MERGED, start, to)).length > 0) this.#until = undefined;
  }

  /** Hours that are merged are read at once, and the later ones in slices. */
  async #begin(records: Records, intoHours: number, to: number): Promise<void> {
    const day = startOf(to, DAY_WIDTH);
    const rows = day < intoHours ? await query(records, MERGED, 0, day, intoHours) : [];
    this.#slices = [];
    this.#spent = new Map();
    for (const row of rows) this.#spend(row);
    this.#until = intoHours;
  }

  #add(from: number, rows: readonly Row[]): void {
    if (from === startOf(from, DAY_WIDTH)) this.#spent = new Map();
    for (const row of rows) this.#spend(row);
    const counts = rows.map((row) => ({
      ...{ accountId: String(row.account_id), country: String(row.country), carrier: String(row.carrier) },
      requested: Number(row.requested),
      submitted: Number(row.submitted),
      confirmed: Number(row.confirmed),
    }));
    if (counts.length > 0) this.#slices.push({ from, counts });
  }

  #spend(row: Row): void {
    const [accountId, cost, submitted] = [String(row.account_id), Number(row.cost), Number(row.submitted)];
    if (cost === 0 && submitted === 0) return;
    const before = this.#spent.get(accountId) ?? { cost: 0, submitted: 0 };
    this.#spent.set(accountId, { cost: before.cost + cost, submitted: before.submitted + submitted });
  }
}
