/** What the guard did to one account, from what it has written down (src/guard/live/record.ts). */

import { readKeyNames } from '../../accounts/key-names.ts';
import type { Channel } from '../../core/destination/channel.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/seams/spans.ts';
import { query, type Records, type Row } from '../../core/sql/records.ts';
import { formatInstant, formatOptional } from '../../operations/instant.ts';
import type { Evidence, GuardView, RefusalPage, RefusalQuery } from './contract.ts';
import { readPlace, toldDetail, toldRule } from './place.ts';

const MILLIONTHS = 1_000_000;

/** How many lines are grouped: not every line of a day with a long flood. */
const MOST_LINES = 10_000;
/** Events of the installation that are looked at for those of one account: an attack on others may write thousands. */
const MOST_EVENTS = 2_000;
const PAGE = 50;
const DAYS_SHOWN = 30;
/** The evidence of a minute is there soon after it. */
const NOW_MS = 3 * MINUTE_MS;
const STEP_MS = 5 * MINUTE_MS;

/** One line for a number, whoever sent the codes that it did not confirm (`toldRule`). */
const REFUSED = `SELECT place, rule, last_at, hour, day, enforced, total,
    (SELECT detail FROM guard_refusal AS line WHERE line.account_id = $1 AND line.place = grouped.place
      AND line.rule = grouped.rule ORDER BY at DESC LIMIT 1) AS detail
  FROM (
    SELECT place, rule, max(at) AS last_at, count(*) AS day, sum(CASE WHEN at >= $3 THEN 1 ELSE 0 END) AS hour,
      max(enforced) AS enforced, sum(count(*)) OVER () AS total
    FROM (
      SELECT CASE WHEN place LIKE 'bombing %' THEN 'silent-number' || substr(place, 8) ELSE place END AS place,
        CASE WHEN rule = 'bombing' THEN 'silent-number' ELSE rule END AS rule, at, enforced
      FROM guard_refusal WHERE account_id = $1 AND at >= $2
      ORDER BY at DESC LIMIT ${MOST_LINES}
    ) AS recent
    GROUP BY place, rule
  ) AS grouped
  ORDER BY last_at DESC LIMIT ${PAGE}`;

const BRINGS =
  'SELECT 1 FROM api_key WHERE account_id = $1 AND custom_codes AND NOT test AND revoked_at IS NULL LIMIT 1';

const BY_DAY = `SELECT day, sum(CASE WHEN enforced = 1 THEN requests ELSE 0 END) AS refused,
    sum(CASE WHEN enforced = 0 THEN requests ELSE 0 END) AS observed,
    sum(CASE WHEN enforced = 1 THEN saved ELSE 0 END) AS saved
  FROM guard_day WHERE account_id = $1 AND day > $2 GROUP BY day ORDER BY day`;

/** Evidence crosses accounts, and is shown to those that it refused. */
const WAS_REFUSED = (place: string) =>
  `EXISTS (SELECT 1 FROM guard_refusal WHERE guard_refusal.account_id = $1 AND guard_refusal.place = ${place})`;

const CLOSED = `SELECT place, sent, confirmed, probes, next_probe_at FROM guard_evidence AS now
  WHERE minute >= $2 AND closed = 1
    AND minute = (SELECT max(minute) FROM guard_evidence WHERE place = now.place) AND ${WAS_REFUSED('now.place')}
  ORDER BY odds DESC LIMIT ${PAGE}`;

const EVENTS = `SELECT at, name, place, detail
  FROM (SELECT * FROM guard_event ORDER BY at DESC, id DESC LIMIT ${MOST_EVENTS}) AS event
  WHERE account_id = $1 OR (account_id IS NULL AND (name = 'budget.reached' OR ${WAS_REFUSED('event.place')}))
  ORDER BY at DESC, id DESC LIMIT ${PAGE}`;

const EVIDENCE = `SELECT minute - minute % ${STEP_MS} AS at, max(sent) AS sent, max(confirmed) AS confirmed,
    max(odds) AS odds, min(closes_at) AS closes_at, max(closed) AS closed, max(probes) AS probes
  FROM guard_evidence WHERE place = $2 AND minute >= $3 AND ${WAS_REFUSED('$2')}
  GROUP BY minute - minute % ${STEP_MS} ORDER BY at`;

export async function readGuard(
  records: Records,
  accountId: string,
  now: number,
): Promise<Omit<GuardView, 'mode' | 'currency'>> {
  const [names, brings, refused, days, closed, events] = await Promise.all([
    readKeyNames(records, accountId),
    query(records, BRINGS, accountId),
    query(records, REFUSED, accountId, now - DAY_MS, now - HOUR_MS),
    query(records, BY_DAY, accountId, now - DAYS_SHOWN * DAY_MS),
    query(records, CLOSED, accountId, now - NOW_MS),
    query(records, EVENTS, accountId),
  ]);
  return {
    brings: brings.length > 0,
    refused: refused.map((row) => ({
      place: readPlace(String(row.place), names),
      ...told(row),
      ...{ hour: Number(row.hour), day: Number(row.day), enforced: row.enforced === 1 },
      last_at: formatInstant(Number(row.last_at)),
    })),
    more: Number(refused[0]?.total ?? 0) >= MOST_LINES,
    days: days.map((row) => ({
      day: formatInstant(Number(row.day)),
      refused: Number(row.refused),
      observed: Number(row.observed),
      saved: Number(row.saved) / MILLIONTHS,
    })),
    closed: closed.map((row) => ({
      place: readPlace(String(row.place), names),
      sent: Number(row.sent),
      confirmed: Number(row.confirmed),
      probes: Number(row.probes),
      next_probe_at: formatOptional(row.next_probe_at === null ? null : Number(row.next_probe_at)),
    })),
    events: events.map((row) => eventOf(row, names)),
  };
}

const told = ({ rule, detail }: Row) => ({
  rule: toldRule(String(rule)),
  detail: toldDetail(String(rule), String(detail)),
});

function eventOf(row: Row, names: ReadonlyMap<string, string>): GuardView['events'][number] {
  const [at, place, detail] = [formatInstant(Number(row.at)), String(row.place), String(row.detail)];
  if (row.name === 'budget.reached') return { at, name: row.name, place: null, budget: place, detail };
  const name = row.name === 'guard.recovered' ? row.name : 'guard.acting';
  const [rule = ''] = place.split(' ');
  const why = name === 'guard.acting' ? toldDetail(rule, detail) : detail;
  return { at, name, place: readPlace(place, names), budget: null, detail: why };
}

export async function readEvidence(
  records: Records,
  accountId: string,
  place: string,
  now: number,
): Promise<Evidence> {
  const rows = await query(records, EVIDENCE, accountId, place, now - DAY_MS);
  return rows.map((row) => ({
    at: formatInstant(Number(row.at)),
    ...{ sent: Number(row.sent), confirmed: Number(row.confirmed) },
    ...{ odds: Number(row.odds), closes_at: Number(row.closes_at) },
    ...{ closed: row.closed === 1, probes: Number(row.probes) },
  }));
}

const LINES = `SELECT id, at, masked, country, channel, key_id, rule, detail, enforced FROM guard_refusal
  WHERE account_id = $1 AND at >= $2 AND at < $3 AND id < $4
    AND (CAST($5 AS TEXT) IS NULL OR channel = $5) AND (CAST($6 AS TEXT) IS NULL OR country = $6)
    AND (CAST($7 AS TEXT) IS NULL OR key_id = $7)
  ORDER BY at DESC, id DESC LIMIT ${PAGE + 1}`;

/** Ids are in order of time, and this one is after them all. */
const LAST_ID = '~';
const LAST_TIME = Number.MAX_SAFE_INTEGER;

export async function readRefusals(
  records: Records,
  accountId: string,
  { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
  { before = LAST_ID, ...only }: RefusalQuery,
): Promise<RefusalPage> {
  const span = [from ?? 0, to ?? LAST_TIME];
  const filter = [only.channel ?? null, only.country ?? null, only.key ?? null];
  const [names, rows] = await Promise.all([
    readKeyNames(records, accountId),
    query(records, LINES, accountId, ...span, before, ...filter),
  ]);
  const shown = rows.slice(0, PAGE);
  return {
    refusals: shown.map((row) => ({
      id: String(row.id),
      at: formatInstant(Number(row.at)),
      ...{ number: String(row.masked), country: String(row.country), channel: row.channel as Channel },
      key: { id: String(row.key_id), name: names.get(String(row.key_id)) ?? String(row.key_id) },
      ...{ ...told(row), enforced: row.enforced === 1 },
    })),
    next: rows.length > PAGE ? String(shown.at(-1)?.id) : null,
  };
}
