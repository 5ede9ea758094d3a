/** The counts of the whole year, as the purge leaves them, made from the same draw as the rows. */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { mergeTimesAt, startOf, WIDTHS } from '../../src/core/counting/tally-resolution.ts';
import { BIN_COLUMNS } from '../../src/store/shared/statistics.ts';
import { DAY_MS, type Extent, requestAt, requestsOf, YEAR_MS } from './extent.ts';

const [FRESH, HOUR, DAY] = WIDTHS;
const STAGES = ['submitted', 'delivered', 'confirmed'] as const;

export async function writeCounts(db: DatabaseSync, extent: Extent): Promise<void> {
  const { intoHours, intoDays } = mergeTimesAt(extent.now);
  const bounds = [intoDays, intoHours, extent.now + 1];
  // By the day: all buckets of a request begin on its day.
  for (let day = startOf(extent.now - YEAR_MS, DAY_MS); day <= extent.now; day += DAY_MS) {
    const edges = [day, ...bounds.filter((at) => at > day && at < day + DAY_MS), day + DAY_MS];
    db.exec('BEGIN');
    for (const [index, from] of edges.slice(0, -1).entries()) {
      const width = from < intoDays ? DAY : from < intoHours ? HOUR : FRESH;
      const [first, last] = [requestAt(extent, from), requestAt(extent, edges[index + 1] ?? from)];
      if (first < last) count(db, extent, { width, first, last });
    }
    db.exec('COMMIT');
    await nextTurn();
  }
}

function count(
  db: DatabaseSync,
  extent: Extent,
  { width, first, last }: { readonly width: number; readonly first: number; readonly last: number },
): void {
  const cohort = `${width}, at - at % ${width}, '${extent.accountId}', 0, channel, country`;
  const tally = (carrier: string, counts: string, which: string) => `${requestsOf(extent)}
    INSERT INTO tally (width, at, account_id, test, channel, country, carrier, key_id, requested, failed_attempts,
      submitted, delivered, undelivered, failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
    SELECT ${cohort}, ${carrier}, key_id, ${counts} FROM drawn WHERE ${which} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`;
  const sum = (condition: string) => `count(*) FILTER (WHERE ${condition})`;
  const requested = `count(*), 0, 0, 0, 0, ${sum("outcome = 'failed'")}, 0, 0, 0,
    ${sum('number % 25 = 0')}, 0`;
  const carried = `0, ${sum("outcome = 'failed'")}, ${sum("outcome <> 'failed'")},
    ${sum("outcome IN ('confirmed', 'delivered')")}, ${sum("outcome = 'undelivered'")}, 0,
    ${sum("outcome = 'confirmed'")}, 0, 0, 0, sum(iif(outcome = 'failed', 0, cost))`;
  db.prepare(tally(`''`, requested, 'true')).run({ first, last });
  db.prepare(tally('carrier', carried, 'true')).run({ first, last });
  for (const stage of STAGES) {
    const bins = BIN_COLUMNS.map((_, bin) => sum(`${stage}_bin = ${bin}`));
    db.prepare(`${requestsOf(extent)}
      INSERT INTO latency_tally (width, at, account_id, test, channel, country, stage, carrier, ${BIN_COLUMNS.join(', ')})
      SELECT ${cohort}, '${stage}', carrier, ${bins.join(', ')} FROM drawn
      WHERE ${REACHED[stage]} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`).run({ first, last });
  }
}

const REACHED: Readonly<Record<(typeof STAGES)[number], string>> = {
  submitted: "outcome <> 'failed'",
  delivered: "outcome IN ('confirmed', 'delivered')",
  confirmed: "outcome = 'confirmed'",
};
