/** What fires and what fired, as the members of an account are shown it. */

import type { NoticeKind } from '../../core/alerts/judge.ts';
import { isRuleName, type RuleName } from '../../core/alerts/rule.ts';
import { query, type Records, type Row } from '../../core/sql/records.ts';
import { formatPlace, type ListPlace } from '../list-place.ts';

/** How long alerts that are over, and what was told of them, are kept. */
export const ALERTS_MS = 90 * 86_400_000;

const MOST_FIRING = 200;
const OVER_AT_ONCE = 20;
const PAST_ALL: ListPlace<number> = [Number.MAX_SAFE_INTEGER, ''];

/** Times are Unix ms. */
export interface Alert {
  readonly id: string;
  /** Null: it is the installation's. */
  readonly accountId: string | null;
  readonly rule: RuleName;
  readonly subject: string;
  readonly detail: string;
  readonly place: string;
  readonly firingSince: number;
  readonly overAt: number | null;
  readonly told: readonly Told[];
}

interface Told {
  readonly channel: 'email' | 'webhook';
  /** The name of a member; null for the webhook and for those that the configuration names. */
  readonly name: string | null;
  /** Whether it went to a place that the configuration names. */
  readonly installation: boolean;
  readonly kind: NoticeKind | 'test';
  /** Null while it waits, or if it was given up. */
  readonly sentAt: number | null;
  readonly waits: boolean;
  /** What came back at the last try, for people; null if it was taken, or was not tried yet. */
  readonly answer: string | null;
}

/**
 * The account's own, and the installation's. What the guard does at a place where several accounts send is shown to those that it
 * refused, as on the guard's page.
 */
const SHOWN = `(alert.account_id = $1 OR (alert.account_id = '' AND (rule <> 'guard-acting' OR EXISTS (
  SELECT 1 FROM guard_refusal WHERE guard_refusal.account_id = $1 AND guard_refusal.place = alert.subject))))`;

const COLUMNS = 'id, account_id, rule, subject, detail, place, firing_since, over_at';

export async function readFiring(records: Records, accountId: string): Promise<Alert[]> {
  const rows = await query(
    records,
    `SELECT ${COLUMNS} FROM alert WHERE over_at IS NULL AND firing_since IS NOT NULL AND ${SHOWN}
      ORDER BY firing_since DESC, id DESC LIMIT ${MOST_FIRING}`,
    accountId,
  );
  return withTold(records, rows);
}

/** A page of those that are over, newest first. `next` is the cursor of the next page. */
export async function readOver(
  records: Records,
  accountId: string,
  after: ListPlace<number> | undefined,
  now: number,
): Promise<{ readonly alerts: readonly Alert[]; readonly next: string | null }> {
  const rows = await query(
    records,
    `SELECT ${COLUMNS} FROM alert WHERE over_at > $2 AND ${SHOWN} AND (over_at, id) < (CAST($3 AS BIGINT), $4)
      ORDER BY over_at DESC, id DESC LIMIT ${OVER_AT_ONCE + 1}`,
    accountId,
    now - ALERTS_MS,
    ...(after ?? PAST_ALL),
  );
  const page = rows.slice(0, OVER_AT_ONCE);
  const last = page.at(-1);
  const next =
    last !== undefined && rows.length > page.length
      ? formatPlace([Number(last.over_at), String(last.id)])
      : null;
  return { alerts: await withTold(records, page), next };
}

export async function countFiring(records: Records, accountId: string): Promise<number> {
  const [row] = await query(
    records,
    `SELECT count(*) AS firing FROM alert WHERE over_at IS NULL AND firing_since IS NOT NULL AND ${SHOWN}`,
    accountId,
  );
  return Number(row?.firing ?? 0);
}

/** What was last sent to an account's webhook, or to a member of it; a try counts too. */
export async function readLastNotice(
  records: Records,
  accountId: string,
  channel: 'email' | 'webhook',
  target: string,
): Promise<{
  readonly sentAt: number | null;
  readonly triedAt: number;
  readonly answer: string | null;
} | null> {
  const [row] = await query(
    records,
    `SELECT sent_at, last_try_at, last_answer FROM alert_notice
      WHERE account_id = $1 AND channel = $2 AND target = $3 AND last_try_at IS NOT NULL ORDER BY last_try_at DESC LIMIT 1`,
    accountId,
    channel,
    target,
  );
  if (row === undefined) return null;
  return {
    sentAt: numberOrNull(row.sent_at),
    triedAt: Number(row.last_try_at),
    answer: row.last_answer === null ? null : String(row.last_answer),
  };
}

/** A list of parameters that is always as long, so that the statement is prepared once. */
const AT_ONCE = 50;
const LIST = Array.from({ length: AT_ONCE }, (_, index) => `$${index + 1}`).join(', ');

async function withTold(records: Records, rows: readonly Row[]): Promise<Alert[]> {
  const told = new Map<string, Told[]>();
  for (let first = 0; first < rows.length; first += AT_ONCE) {
    const ids = rows.slice(first, first + AT_ONCE).map(({ id }) => String(id));
    const args = [...ids, ...Array<string>(AT_ONCE - ids.length).fill('')];
    const notices = await query(
      records,
      `SELECT alert_id, account_id, channel, kind, due_at, sent_at, last_answer, person.name AS name
        FROM alert_notice LEFT JOIN person ON person.id = target
        WHERE alert_id IN (${LIST}) ORDER BY alert_notice.id`,
      ...args,
    );
    for (const row of notices) {
      const list = told.get(String(row.alert_id)) ?? [];
      list.push(toldOf(row));
      told.set(String(row.alert_id), list);
    }
  }
  return rows.flatMap((row): Alert[] => {
    const rule = String(row.rule);
    if (!isRuleName(rule)) return [];
    const [id, account] = [String(row.id), String(row.account_id)];
    return [
      {
        ...{ id, accountId: account === '' ? null : account, rule, subject: String(row.subject) },
        ...{ detail: String(row.detail), place: String(row.place) },
        firingSince: Number(row.firing_since),
        overAt: numberOrNull(row.over_at),
        told: told.get(id) ?? [],
      },
    ];
  });
}

function toldOf(row: Row): Told {
  return {
    channel: row.channel === 'email' ? 'email' : 'webhook',
    name: row.name === null || row.name === undefined ? null : String(row.name),
    installation: row.account_id === '',
    kind: KINDS.find((kind) => kind === row.kind) ?? 'firing',
    sentAt: numberOrNull(row.sent_at),
    waits: row.due_at !== null,
    answer: row.last_answer === null ? null : String(row.last_answer),
  };
}

const KINDS = ['firing', 'reminder', 'recovered', 'test'] as const;

const numberOrNull = (value: Row[string] | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);
