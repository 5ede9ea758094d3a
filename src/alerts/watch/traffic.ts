/** What the counts of requests say: conversion that fell, and spend. The counts of an hour are read from buckets, never from rows. */
import { query, type Records, type Row } from '../../core/accounts/records.ts';
import { type Counted, judgeFall, LEAST_NOW, LEAST_USUAL, shareOf } from '../../core/alerts/fall.ts';
import type { Finding } from '../../core/alerts/judge.ts';
import { DAY_WIDTH, FRESH_WIDTH, HOUR_WIDTH, startOf } from '../../core/counting/tally-resolution.ts';
import { MOST_FOUND, type Source } from './source.ts';
import { formatMoney, formatShare, nameCountry } from './words.ts';

/** Codes are valid for ten minutes: those of the last ten may still be confirmed. */
const OPEN_MS = 10 * 60_000;
const DAYS = 7;

/** Groups that are compared. */
const MOST_GROUPS = 20_000;

/** Of live keys. `confirmed` and `submitted` have the carrier; `requested` has none. */
const FUNNEL = (where: string) => `
  SELECT account_id, country, carrier, sum(requested) AS requested, sum(submitted) AS submitted, sum(confirmed) AS confirmed
  FROM tally WHERE ${where} AND test = (CAST($1 AS INTEGER) = 1) GROUP BY account_id, country, carrier LIMIT ${MOST_GROUPS}`;

const HOUR = FUNNEL(`width = ${FRESH_WIDTH} AND at >= CAST($2 AS BIGINT) AND at < CAST($3 AS BIGINT)`);

/** The hours that the compared one touches, of each of the last days. */
const TIMES = Array.from({ length: 2 * DAYS }, (_, index) => `CAST($${index + 2} AS BIGINT)`).join(', ');
const USUAL = FUNNEL(`width = ${HOUR_WIDTH} AND at IN (${TIMES})`);

interface Group {
  readonly accountId: string;
  readonly kind: 'country' | 'carrier';
  readonly name: string;
  readonly counted: Counted;
}

export function createConversionWatch(): Source {
  let usual: { readonly at: string; readonly groups: ReadonlyMap<string, Group> } | undefined;

  /** Changes once an hour only. */
  async function usualOf(records: Records, from: number, to: number): Promise<ReadonlyMap<string, Group>> {
    const hours = [startOf(from, HOUR_WIDTH), startOf(to - 1, HOUR_WIDTH)];
    const at = hours.join();
    if (usual?.at === at) return usual.groups;
    const times = Array.from({ length: DAYS }, (_, day) =>
      hours.map((hour) => hour - (day + 1) * DAY_WIDTH),
    ).flat();
    const groups = groupsOf(await query(records, USUAL, 0, ...times));
    usual = { at, groups };
    return groups;
  }

  return async ({ records, now, inForce }) => {
    const to = startOf(now - OPEN_MS, FRESH_WIDTH);
    const from = to - HOUR_WIDTH;
    const groups = groupsOf(await query(records, HOUR, 0, from, to));
    const busy = [...groups].filter(([, { counted }]) => counted.asked >= LEAST_NOW);
    if (busy.length === 0) return [];
    const before = await usualOf(records, from, to);
    return busy
      .flatMap(([key, group]): Finding[] => {
        const { on, threshold } = inForce('conversion-fell', group.accountId);
        const past = before.get(key)?.counted;
        if (!on || threshold === null || past === undefined || past.asked < LEAST_USUAL) return [];
        const level = judgeFall(group.counted, past, threshold / 100);
        return level === undefined ? [] : [{ level, ...wordsOf(group, past) }];
      })
      .slice(0, MOST_FOUND);
  };
}

function wordsOf({ accountId, kind, name, counted }: Group, past: Counted): Omit<Finding, 'level'> {
  const about =
    kind === 'country' ? `Of the codes to ${nameCountry(name)}` : `Of the codes that ${name} took`;
  const shares = `${formatShare(shareOf(counted))} were confirmed within the last hour (${counted.confirmed} of ${counted.asked})`;
  return {
    rule: 'conversion-fell',
    accountId,
    subject: `${kind} ${name}`,
    detail: `${about}, ${shares}; usual at this hour: ${formatShare(shareOf(past))}.`,
    place: `overview?${new URLSearchParams({ [kind]: name })}`,
  };
}

function groupsOf(rows: readonly Row[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  const add = (row: Row, kind: Group['kind'], asked: number) => {
    const [accountId, name] = [String(row.account_id), String(row[kind])];
    const key = `${accountId} ${kind} ${name}`;
    const { counted } = groups.get(key) ?? { counted: { asked: 0, confirmed: 0 } };
    groups.set(key, {
      ...{ accountId, kind, name },
      counted: { asked: counted.asked + asked, confirmed: counted.confirmed + Number(row.confirmed) },
    });
  };
  for (const row of rows) {
    add(row, 'country', Number(row.requested));
    if (row.carrier !== '') add(row, 'carrier', Number(row.submitted));
  }
  return groups;
}

const SPENT_TODAY = `
  SELECT account_id, sum(cost) AS cost, sum(submitted) AS submitted FROM tally
  WHERE width IN (${FRESH_WIDTH}, ${HOUR_WIDTH}) AND at >= CAST($2 AS BIGINT) AND test = (CAST($1 AS INTEGER) = 1)
  GROUP BY account_id HAVING sum(cost) > 0 LIMIT ${MOST_GROUPS}`;

const SPENT_BEFORE = `
  SELECT account_id, at - at % ${DAY_WIDTH} AS day, sum(cost) AS cost FROM tally
  WHERE width = ${HOUR_WIDTH} AND at >= CAST($2 AS BIGINT) AND at < CAST($3 AS BIGINT) AND test = (CAST($1 AS INTEGER) = 1)
  GROUP BY account_id, at - at % ${DAY_WIDTH} HAVING sum(cost) > 0 LIMIT ${MOST_GROUPS}`;

/** A day's sum is not needed to the minute. */
const SPEND_EVERY_MS = 5 * 60_000;
/** Fewer messages are not told, whatever they cost: a first customer would be an alarm. */
const LEAST_MESSAGES = 100;
/** Of the last days, so many must have cost something for there to be a usual. */
const LEAST_DAYS = 3;

interface Spent {
  readonly at: number;
  readonly today: readonly Row[];
}

export function createSpendWatch(currency: string): Source {
  let spent: Spent | undefined;
  let usual: { readonly day: number; readonly of: ReadonlyMap<string, number> } | undefined;

  async function usualOf(records: Records, day: number): Promise<ReadonlyMap<string, number>> {
    if (usual?.day === day) return usual.of;
    const rows = await query(records, SPENT_BEFORE, 0, day - DAYS * DAY_WIDTH, day);
    const days = Map.groupBy(rows, (row) => String(row.account_id));
    const of = new Map(
      [...days].flatMap(([account, costs]): [string, number][] =>
        costs.length < LEAST_DAYS ? [] : [[account, middleOf(costs.map(({ cost }) => Number(cost)))]],
      ),
    );
    usual = { day, of };
    return of;
  }

  return async ({ records, now, inForce }) => {
    const day = startOf(now, DAY_WIDTH);
    const isFresh =
      spent !== undefined && spent.at >= day && now - spent.at < SPEND_EVERY_MS && spent.at <= now;
    if (!isFresh) spent = { at: now, today: await query(records, SPENT_TODAY, 0, day) };
    const { today } = spent ?? { today: [] };
    if (today.length === 0) return [];
    const before = await usualOf(records, day);
    const date = new Date(day).toISOString().slice(0, 10);
    return today
      .flatMap((row): Finding[] => {
        const [accountId, cost] = [String(row.account_id), Number(row.cost)];
        const found = { accountId, subject: date, level: 'bad', place: 'overview' } as const;
        const said = `Today’s messages cost ${formatMoney(cost, currency)} so far`;
        const [high, over] = [inForce('spend-high', accountId), inForce('spend-over', accountId)];
        const middle = before.get(accountId);
        const isHigh =
          middle !== undefined &&
          Number(row.submitted) >= LEAST_MESSAGES &&
          cost > middle * (high.threshold ?? Number.POSITIVE_INFINITY);
        const amount = Math.round((over.threshold ?? 0) * 1_000_000);
        return [
          ...(high.on && isHigh
            ? [
                {
                  ...found,
                  rule: 'spend-high' as const,
                  detail: `${said}; usual: ${formatMoney(middle, currency)} a day.`,
                },
              ]
            : []),
          ...(over.on && cost > amount
            ? [
                {
                  ...found,
                  rule: 'spend-over' as const,
                  detail: `${said}, more than ${formatMoney(amount, currency)}.`,
                },
              ]
            : []),
        ];
      })
      .slice(0, MOST_FOUND);
  };
}

/** Days without spend count as nothing. */
function middleOf(costs: readonly number[]): number {
  const days = [...costs, ...Array<number>(Math.max(0, DAYS - costs.length)).fill(0)].sort((a, b) => a - b);
  return days[Math.floor(days.length / 2)] ?? 0;
}
