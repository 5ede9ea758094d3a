/** Runs the guard over what the service has sent, and says what it would have refused. Changes nothing. */

import { listAccounts } from '../../accounts/accounts.ts';
import { findSettings } from '../../accounts/settings.ts';
import type { GuardMode } from '../../core/guarding/guard-mode.ts';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { DAY_MS } from '../../core/seams/spans.ts';
import type { Records } from '../../core/sql/records.ts';
import { readRules } from '../../guard/live/rules-keeper.ts';
import { type BacktestSettings, backtest } from '../../guard/recorded/backtest.ts';
import type { BacktestReport } from '../../guard/recorded/backtest-report.ts';
import { readPastRequests } from '../../guard/recorded/past-requests.ts';
import { reportJson, reportTime } from '../../guard/recorded/report-json.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { openKeyring } from '../store/command-keyring.ts';
import { withStore } from '../store/command-store.ts';
import { formatTable } from '../table.ts';

export interface BacktestOptions {
  readonly days: string;
  readonly config?: string;
  readonly mode?: Exclude<GuardMode, 'off'>;
  readonly json?: boolean;
}

const MILLION = 1_000_000;

export async function printBacktest({
  days,
  config: file,
  mode,
  json = false,
}: BacktestOptions): Promise<void> {
  if (!/^[1-9]\d{0,3}$/.test(days))
    throw new CommandFailure('--days must be a number of days from 1 to 9999');
  const environment = file === undefined ? process.env : { ...process.env, COUNTERSIGN_CONFIG: file };
  const config = await readConfiguration(undefined, environment);
  const to = SYSTEM_CLOCK.wall();
  const report = await withStore(config, async (store) => {
    const keyring = await openKeyring(config, store);
    const { rules } = await readRules(store, keyring);
    const sources = { history: store, keyring, guesses: config.code.guesses };
    const span = { accountId: null, from: to - Number(days) * DAY_MS, to, now: to };
    const requests = readPastRequests(sources, span);
    return await backtest(requests, { rules, modeOf: await modesOf(store, mode) });
  });
  console.log(
    json ? JSON.stringify(reportJson(report, config.currency), null, 2) : format(report, config.currency),
  );
}

/** What is tried is that the guard bites, unless an account does without it. */
async function modesOf(records: Records, mode: GuardMode | undefined): Promise<BacktestSettings['modeOf']> {
  if (mode !== undefined) return () => mode;
  const off = new Set<string>();
  for (const { id } of await listAccounts(records)) {
    if ((await findSettings(records, id))?.settings.guard === 'off') off.add(id);
  }
  return (account) => (off.has(account) ? 'off' : 'enforce');
}

function format(report: BacktestReport, currency: string): string {
  const { from, to, skipped, whole, countries, rules } = report;
  const left = skipped === 0 ? '' : `; left out, because no secret opens them: ${skipped}`;
  if (whole.requests === 0) return `no requests${left}`;
  const byCountry = [{ country: 'all', ...whole }, ...countries].map(({ country, ...sum }) => ({
    country,
    requests: `${sum.requests}`,
    refused: `${sum.refused}`,
    spent: money(sum.spent),
    saved: money(sum.saved),
    confirmed: `${sum.confirmed}`,
    turned_away: `${sum.turnedAway}`,
  }));
  const byRule = rules.map(({ rule, refused, saved, turnedAway }) => ({
    ...{ rule, refused: `${refused}`, saved: money(saved), turned_away: `${turnedAway}` },
  }));
  return [
    `${reportTime(from)} to ${reportTime(to)}, money in ${currency}${left}`,
    '',
    formatTable(byCountry),
    ...(byRule.length === 0 ? [] : ['', formatTable(byRule)]),
    '',
    `${whole.turnedAway} of ${whole.confirmed} people who confirmed would have been turned away`,
  ].join('\n');
}

const money = (millionths: number): string => (millionths / MILLION).toFixed(2);
