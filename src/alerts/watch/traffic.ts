/** What the counts of requests say: conversion that fell, and spend. */

import type { AlertFinding } from '../../core/alerts/judge.ts';
import {
  judgeDrop,
  LEAST_NOW,
  LEAST_USUAL,
  type Proportion,
  shareOf,
} from '../../core/alerts/proportion-drop.ts';
import { DAY_WIDTH, HOUR_WIDTH, startOf } from '../../core/counting/tally-resolution.ts';
import { query, type Records, type Row } from '../../core/sql/records.ts';
import { CountedTraffic, type Counts } from './counted.ts';
import { type AlertSource, MOST_FOUND } from './source.ts';
import { formatMoney, formatShare, nameCountry } from './words.ts';

const DAYS = 7;
/** Groups that are compared. */
const MOST_GROUPS = 20_000;

/** The hours that the compared one touches, of each of the last days. Of live keys. */
const TIMES = Array.from({ length: 2 * DAYS }, (_, index) => `CAST($${index + 2} AS BIGINT)`).join(', ');
const USUAL = `
  SELECT account_id, country, carrier, sum(requested) AS requested, sum(submitted) AS submitted, sum(confirmed) AS confirmed
  FROM tally WHERE width = ${HOUR_WIDTH} AND at IN (${TIMES}) AND test = (CAST($1 AS INTEGER) = 1)
  GROUP BY account_id, country, carrier LIMIT ${MOST_GROUPS}`;

interface Group {
  readonly accountId: string;
  readonly kind: 'country' | 'carrier';
  readonly name: string;
  readonly counted: Proportion;
}

export function createConversionWatch(traffic: CountedTraffic): AlertSource {
  let usual: { readonly at: string; readonly groups: ReadonlyMap<string, Group> } | undefined;

  /** Changes once an hour only. */
  async function usualOf(records: Records, from: number, to: number): Promise<ReadonlyMap<string, Group>> {
    const hours = [startOf(from, HOUR_WIDTH), startOf(to - 1, HOUR_WIDTH)];
    const at = hours.join();
    if (usual?.at === at) return usual.groups;
    const times = Array.from({ length: DAYS }, (_, day) =>
      hours.map((hour) => hour - (day + 1) * DAY_WIDTH),
    ).flat();
    const groups = groupsOf((await query(records, USUAL, 0, ...times)).map(countsOf));
    usual = { at, groups };
    return groups;
  }

  return async ({ records, now, thresholdOf }) => {
    await traffic.advance(records, now);
    const busy = [...groupsOf(traffic.hour)].filter(([, { counted }]) => counted.asked >= LEAST_NOW);
    if (busy.length === 0) return [];
    const { from, to } = CountedTraffic.hourAt(now);
    const before = await usualOf(records, from, to);
    const fewer = thresholdOf('conversion-fell') / 100;
    return busy
      .flatMap(([key, group]): AlertFinding[] => {
        const past = before.get(key)?.counted;
        if (past === undefined || past.asked < LEAST_USUAL) return [];
        const level = judgeDrop(group.counted, past, fewer);
        return level === undefined ? [] : [{ level, ...wordsOf(group, past) }];
      })
      .slice(0, MOST_FOUND);
  };
}

function wordsOf({ accountId, kind, name, counted }: Group, past: Proportion): Omit<AlertFinding, 'level'> {
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

const countsOf = (row: Row): Counts => ({
  ...{ accountId: String(row.account_id), country: String(row.country), carrier: String(row.carrier) },
  requested: Number(row.requested),
  submitted: Number(row.submitted),
  confirmed: Number(row.confirmed),
});

function groupsOf(all: readonly Counts[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  const add = ({ accountId, confirmed }: Counts, kind: Group['kind'], name: string, asked: number) => {
    const key = `${accountId} ${kind} ${name}`;
    const { counted } = groups.get(key) ?? { counted: { asked: 0, confirmed: 0 } };
    groups.set(key, {
      ...{ accountId, kind, name },
      counted: { asked: counted.asked + asked, confirmed: counted.confirmed + confirmed },
    });
  };
  for (const counts of all) {
    add(counts, 'country', counts.country, counts.requested);
    if (counts.carrier !== '') add(counts, 'carrier', counts.carrier, counts.submitted);
  }
  return groups;
}

const SPENT_BEFORE = `
  SELECT account_id, at - at % ${DAY_WIDTH} AS day, sum(cost) AS cost FROM tally
  WHERE width = ${HOUR_WIDTH} AND at >= CAST($2 AS BIGINT) AND at < CAST($3 AS BIGINT) AND test = (CAST($1 AS INTEGER) = 1)
  GROUP BY account_id, at - at % ${DAY_WIDTH} HAVING sum(cost) > 0 LIMIT ${MOST_GROUPS}`;

/** Fewer messages are not told, whatever they cost: a first customer would be an alarm. */
const LEAST_MESSAGES = 100;
/** Of the last days, so many must have cost something for there to be a usual. */
const LEAST_DAYS = 3;

export function createSpendWatch(traffic: CountedTraffic, currency: string): AlertSource {
  let usual: { readonly at: number; readonly of: ReadonlyMap<string, number> } | undefined;

  /** Again each hour: the last hours of a day are merged after it. One day at a time, to read little at once. */
  async function usualOf(records: Records, day: number, at: number): Promise<ReadonlyMap<string, number>> {
    if (usual?.at === at) return usual.of;
    const costs = new Map<string, number[]>();
    for (let before = 1; before <= DAYS; before++) {
      const from = day - before * DAY_WIDTH;
      for (const row of await query(records, SPENT_BEFORE, 0, from, from + DAY_WIDTH)) {
        const account = String(row.account_id);
        costs.set(account, [...(costs.get(account) ?? []), Number(row.cost)]);
      }
    }
    const of = new Map(
      [...costs].flatMap(([account, days]): [string, number][] =>
        days.length < LEAST_DAYS ? [] : [[account, middleOf(days)]],
      ),
    );
    usual = { at, of };
    return of;
  }

  return async ({ records, now, thresholdOf }) => {
    await traffic.advance(records, now);
    const { to } = CountedTraffic.hourAt(now);
    const day = startOf(to, DAY_WIDTH);
    const date = new Date(day).toISOString().slice(0, 10);
    const costly = [...traffic.spent].filter(([, { cost }]) => cost > 0);
    if (costly.length === 0) return [];
    const before = await usualOf(records, day, startOf(to, HOUR_WIDTH));
    const [times, over] = [thresholdOf('spend-high'), thresholdOf('spend-over')];
    const amount = Math.round(over * 1_000_000);
    return costly
      .flatMap(([accountId, { cost, submitted }]): AlertFinding[] => {
        const found = { accountId, subject: date, level: 'bad', place: 'overview' } as const;
        const said = `The messages of ${date} cost ${formatMoney(cost, currency)} so far`;
        const middle = before.get(accountId);
        const findings: AlertFinding[] = [];
        if (middle !== undefined && submitted >= LEAST_MESSAGES && cost > middle * times) {
          const detail = `${said}; usual: ${formatMoney(middle, currency)} a day.`;
          findings.push({ ...found, rule: 'spend-high', detail });
        }
        if (cost > amount) {
          const detail = `${said}, more than ${formatMoney(amount, currency)}.`;
          findings.push({ ...found, rule: 'spend-over', detail });
        }
        return findings;
      })
      .slice(0, MOST_FOUND);
  };
}

/**
 * Of the days that cost something, never empty: today does, and is compared with its like. Of two in the middle the lower one, so that
 * few costly days make nothing usual.
 */
function middleOf(costs: readonly number[]): number {
  return costs.toSorted((a, b) => a - b)[Math.floor((costs.length - 1) / 2)] ?? 0;
}
