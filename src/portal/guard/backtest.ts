/** Runs the guard over what an account has sent, with settings that are not saved. Bounded, and one at a time. */

import { readRuleValue } from '../../accounts/guarding/rule-value.ts';
import type { FieldFault } from '../../core/errors/field-error.ts';
import { DAY_MS } from '../../core/seams/spans.ts';
import type { Records } from '../../core/sql/records.ts';
import type { History } from '../../core/verification/reading/history.ts';
import { readRules } from '../../guard/live/rules-keeper.ts';
import { backtest } from '../../guard/recorded/backtest.ts';
import { readPastRequests, type Sources } from '../../guard/recorded/past-requests.ts';
import { reportJson } from '../../guard/recorded/report-json.ts';
import type { OperatorRule } from '../../guard/rules.ts';
import type { Backtest, BacktestAnswer } from './contract.ts';

export interface BacktestDeps extends Sources {
  readonly records: Records;
  readonly currency: string;
}

type Tried =
  | { readonly kind: 'tried'; readonly answer: BacktestAnswer }
  | ({ readonly kind: 'wrong' } & FieldFault)
  /** Another one runs in this process. */
  | { readonly kind: 'busy' };

export type TryGuard = (accountId: string, wanted: Backtest, now: number) => Promise<Tried>;

/** Each page is judged in one go, which takes the event loop some 20 ms; between pages others have their turn. */
const ROWS_AT_ONCE = 500;
const MAX_PAGES = 400;
const MAX_COUNTRIES = 20;

export function createBacktest(deps: BacktestDeps): TryGuard {
  let isRunning = false;
  return async (accountId, wanted, now) => {
    const own = await readOwnRule(deps.records, accountId, wanted.rule);
    if (!own.ok) return { kind: 'wrong', code: own.code, detail: own.detail };
    if (isRunning) return { kind: 'busy' };
    isRunning = true;
    try {
      return { kind: 'tried', answer: await tryOut(deps, accountId, { ...wanted, own: own.rules, now }) };
    } finally {
      isRunning = false;
    }
  };
}

async function tryOut(
  { records, history, keyring, guesses, currency }: BacktestDeps,
  accountId: string,
  { mode, days, own, now }: Backtest & { readonly own: readonly OperatorRule[]; readonly now: number },
): Promise<BacktestAnswer> {
  const { rules } = await readRules(records, keyring);
  const applying = rules.filter(({ account }) => account === undefined || account === accountId);
  const beginning = beginningOf(history);
  const requests = readPastRequests(
    { history: beginning, keyring, guesses },
    { accountId, from: now - days * DAY_MS, to: now, now },
    ROWS_AT_ONCE,
  );
  const report = await backtest(requests, { rules: [...applying, ...own], modeOf: () => mode });
  const { countries, ...answer } = reportJson(report, currency);
  return { ...answer, cut: beginning.isCut(), countries: countries.slice(0, MAX_COUNTRIES) };
}

/** Ends after so many pages. They include the rows of other accounts, which have to be read too. */
function beginningOf(history: History): History & { readonly isCut: () => boolean } {
  let pages = 0;
  let isCut = false;
  return {
    async readHistory(query) {
      const page = await history.readHistory(query);
      pages += 1;
      isCut = pages >= MAX_PAGES && page.next !== null;
      return isCut ? { ...page, next: null } : page;
    },
    isCut: () => isCut,
  };
}

type OwnRule =
  | { readonly ok: true; readonly rules: readonly OperatorRule[] }
  | ({ readonly ok: false } & FieldFault);

async function readOwnRule(records: Records, account: string, rule: Backtest['rule']): Promise<OwnRule> {
  if (rule === undefined) return { ok: true, rules: [] };
  const { action, subject, value } = rule;
  const read = await readRuleValue(records, account, subject, value);
  if (!read.ok) return read;
  return { ok: true, rules: [{ action, of: subject, value: read.text, account, reason: 'tried' }] };
}
