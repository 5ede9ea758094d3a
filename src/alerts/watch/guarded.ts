/** What the guard and budgets did, from what they wrote down (src/guard/live/event-log.ts). */

import type { AlertFinding } from '../../core/alerts/judge.ts';
import { PERIODS, periodOf } from '../../core/budgets/budget.ts';
import { DAY_MS } from '../../core/seams/spans.ts';
import { query, type Row } from '../../core/sql/records.ts';
import { type Look, MOST_FOUND } from './source.ts';

/** Nobody heard from a place again: it was forgotten, or its node died. */
const FORGOTTEN_MS = 2 * DAY_MS;
const LONGEST_PERIOD_MS = 31 * DAY_MS;

/** What an account refuses by look-ups is what it decided, and no attack (core/lookups/facts.ts). */
const ACTING = `
  SELECT place, account_id, detail FROM guard_event AS event
  WHERE at > CAST($1 AS BIGINT) AND name = 'guard.acting' AND place NOT LIKE 'lookup-%'
    AND NOT EXISTS (SELECT 1 FROM guard_event AS later WHERE later.place = event.place AND later.id > event.id)
  ORDER BY at DESC LIMIT ${MOST_FOUND}`;

const REACHED = `
  SELECT id, place, account_id, detail FROM guard_event
  WHERE at > CAST($1 AS BIGINT) AND name = 'budget.reached' ORDER BY at DESC LIMIT ${MOST_FOUND}`;

export async function watchGuard({ records, now }: Look): Promise<readonly AlertFinding[]> {
  const rows = await query(records, ACTING, now - FORGOTTEN_MS);
  return rows.map((row) => ({
    ...{ rule: 'guard-acting', accountId: accountOf(row), subject: String(row.place), level: 'bad' },
    detail: `The guard refuses requests, or would: ${row.detail}.`,
    place: 'guard',
  }));
}

export async function watchBudgets({ records, now }: Look): Promise<readonly AlertFinding[]> {
  const rows = await query(records, REACHED, now - LONGEST_PERIOD_MS);
  return rows.flatMap((row): AlertFinding[] => {
    const accountId = accountOf(row);
    const endsAt = endOf(String(row.id));
    if (endsAt === undefined || endsAt <= now) return [];
    const detail = `Of the budget "${row.place}", ${row.detail}.`;
    return [
      { rule: 'budget-reached', accountId, subject: String(row.id), level: 'bad', detail, place: 'guard' },
    ];
  });
}

const accountOf = ({ account_id: account }: Row): string | null =>
  account === null ? null : String(account);

/** The end of the period that is named in the id of the event. */
function endOf(id: string): number | undefined {
  const [, name, startsAt] = /_(hour|day|month)_(\d+)_[\d.]+$/.exec(id) ?? [];
  const per = PERIODS.find((period) => period === name);
  return per === undefined ? undefined : periodOf(per, Number(startsAt)).endsAt;
}
