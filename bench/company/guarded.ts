/** What the guard wrote down: a few refusals an hour for as long as they are kept, and a flood in the last hours. */
import type { DatabaseSync } from 'node:sqlite';
import { COUNTRIES, DAY_MS, type Extent, keyId, YEAR_MS } from './extent.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const AN_HOUR = 10;
const FLOOD = 20_000;
const FLOOD_MS = 3 * HOUR_MS;
/** Places that were refused in the flood, each with its evidence of a day. */
const PLACES = 40;
const EVENTS_A_DAY = 12;

const ID = "printf('ref_%012x%020x', at, number)";
const LINES = `
  WITH RECURSIVE line (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM line WHERE number + 1 < :count),
  dated AS (SELECT number, CAST(:from + number * :step AS INTEGER) AS at FROM line)
  INSERT INTO guard_refusal (id, account_id, key_id, at, channel, country, masked, place, rule, detail, enforced, saved)
  SELECT ${ID}, :accountId, '${keyId(1)}', at, 'sms', country, stem || '••••', 'range4 ' || stem || (number % ${PLACES}),
    'closed:range4', 'of 40 codes 1 was confirmed', 1, 60000
  FROM dated JOIN place ON place.n = number % ${COUNTRIES.length}`;

const EVIDENCE = `
  WITH RECURSIVE minute (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM minute WHERE n + 1 < ${DAY_MS / MINUTE_MS}),
  number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ${PLACES})
  INSERT INTO guard_evidence (place, minute, sent, confirmed, odds, closes_at, closed, probes, next_probe_at)
  SELECT 'range4 ' || stem || number.n, :now - :now % ${MINUTE_MS} - minute.n * ${MINUTE_MS}, 40, 1, 9.5, 4.6,
    minute.n < 180, 2, :now + ${MINUTE_MS}
  FROM minute CROSS JOIN number JOIN place ON place.n = number.n % ${COUNTRIES.length}`;

export function writeGuarded(db: DatabaseSync, { accountId, now, kept }: Extent): void {
  db.exec('BEGIN; CREATE TEMP TABLE place (n INTEGER PRIMARY KEY, country TEXT, stem TEXT)');
  const place = db.prepare('INSERT INTO place VALUES (?, ?, ?)');
  for (const [n, { country, stem }] of COUNTRIES.entries()) place.run(n, country, stem);
  const lines = db.prepare(LINES);
  const held = Math.min(kept.verifications, YEAR_MS);
  const step = HOUR_MS / AN_HOUR;
  lines.run({ accountId, count: Math.floor((held - FLOOD_MS) / step), from: now - held, step });
  lines.run({ accountId, count: FLOOD, from: now - FLOOD_MS, step: FLOOD_MS / FLOOD });
  db.prepare(EVIDENCE).run({ now });
  db.exec(`
    INSERT INTO guard_day (day, account_id, country, rule, enforced, requests, saved)
    SELECT at - at % ${DAY_MS}, account_id, country, rule, enforced, count(*), sum(saved) FROM guard_refusal
    GROUP BY 1, 2, 3, 4, 5`);
  const event = db.prepare(`
    INSERT INTO guard_event (id, at, name, account_id, place, detail) VALUES (?, ?, ?, NULL, ?, 'of 40 codes 1 was confirmed')`);
  for (let n = 0; n < (held / DAY_MS) * EVENTS_A_DAY; n++) {
    const at = Math.round(now - held + (n * DAY_MS) / EVENTS_A_DAY);
    const name = n % 2 === 0 ? 'guard.acting' : 'guard.recovered';
    // Half of them at places of other accounts.
    const where = n % 4 < 2 ? `range4 ${COUNTRIES[0]?.stem}0` : `range4 +99955${n}`;
    event.run(`evt_${at.toString(16).padStart(12, '0')}${String(n).padStart(8, '0')}`, at, name, where);
  }
  db.exec('COMMIT; DROP TABLE temp.place');
}
