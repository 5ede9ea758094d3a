/** Counts of a year with ten million verifications, as the purge leaves them; one SQL for both stores. */
import { FRESH_WIDTH, mergeTimesAt, WIDTHS } from '../../src/core/counting/tally-resolution.ts';
import { BIN_COLUMNS } from '../../src/store/shared/statistics.ts';

const [, HOUR, DAY] = WIDTHS;
const COUNTRIES = 'DEFRUSGBESITPLNLSEATCHBRINJPMXAUCAPTBEDK';
const KEYS = 5;
const YEAR = 365;

/** In the order in which to run them. `no` is how the store writes that a key is not a test key. */
export function yearOfCounts(accountId: string, no: '0' | 'false', now: number): string[] {
  const { intoHours, intoDays } = mergeTimesAt(now);
  const spans = [
    { width: DAY, from: intoDays - (YEAR - 60) * DAY, to: intoDays, each: 274 },
    { width: HOUR, from: intoDays, to: intoHours, each: 11 },
    { width: FRESH_WIDTH, from: intoHours, to: now, each: 1 },
  ];
  return spans.flatMap(({ width, from, to, each }) => {
    const buckets = Math.floor((to - from) / width);
    const countries = COUNTRIES.length / 2;
    // In ten seconds there are three verifications, and not one for each of a hundred combinations.
    const parts = width === FRESH_WIDTH ? 3 : countries * KEYS;
    const series = (name: string, count: number) =>
      `${name} (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM ${name} WHERE n < ${count - 1})`;
    const at = `${from} + bucket.n * CAST(${width} AS bigint)`;
    const country = `substr('${COUNTRIES}', 1 + 2 * (part.n % ${countries}), 2)`;
    const tally = (carrier: string, counts: string) => `
      WITH RECURSIVE ${series('bucket', buckets)}, ${series('part', parts)}
      INSERT INTO tally (width, at, account_id, test, channel, country, carrier, key_id, requested, submitted, delivered,
        undelivered, failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
      SELECT ${width}, ${at}, '${accountId}', ${no}, 'sms', ${country}, '${carrier}', 'key_' || (part.n / ${countries}),
        ${counts} FROM bucket CROSS JOIN part`;
    const latencies = `
      WITH RECURSIVE ${series('bucket', buckets)}, ${series('part', Math.min(parts, countries))}
      INSERT INTO latency_tally (width, at, stage, account_id, test, channel, country, carrier, ${BIN_COLUMNS.join(', ')})
      SELECT ${width}, ${at}, stage, '${accountId}', ${no}, 'sms', ${country}, carrier,
        ${BIN_COLUMNS.map((_, bin) => `(${each} * ${KEYS} + ${bin}) / ${BIN_COLUMNS.length}`).join(', ')}
      FROM bucket CROSS JOIN part
      CROSS JOIN (SELECT 'submitted' AS stage UNION ALL SELECT 'delivered' UNION ALL SELECT 'confirmed') AS stages
      CROSS JOIN (SELECT 'gateway' AS carrier UNION ALL SELECT 'smsc') AS carriers`;
    const half = Math.ceil(each / 2);
    return [
      tally('', `${each}, 0, 0, 0, 0, 0, 0, 0, ${each >> 2}, 0`),
      ...['gateway', 'smsc'].map((carrier) =>
        tally(carrier, `0, ${half}, ${half}, 0, 0, ${half}, 0, 0, 0, ${half * 7_500}`),
      ),
      latencies,
    ];
  });
}
