/**
 * What the guard would have done to what was sent. What it would have refused leaves the traffic, so that it learns only from
 * what it would have seen.
 */
import type { GuardMode } from '../../core/guarding/guard-mode.ts';
import { Guard } from '../guard.ts';
import type { OperatorRule } from '../rules.ts';
import { BacktestCounts, type BacktestReport } from './backtest-report.ts';
import type { PastRequest } from './past-requests.ts';
import { Persons } from './persons.ts';
import { Waiting } from './waiting.ts';

export interface BacktestSettings {
  readonly rules: readonly OperatorRule[];
  /** `off`: judged by the rules only; `observe`: what the guard refuses is sent all the same. */
  readonly modeOf: (account: string) => GuardMode;
}

/** When wrong codes were typed is not kept: some time after the request, and before the right one. */
const TYPED_AFTER = 30_000;

/** Takes requests in order of time, `undefined` for each that cannot be read. Memory is bounded by the traffic of minutes. */
export async function backtest(
  requests: AsyncIterable<PastRequest | undefined>,
  { rules, modeOf }: BacktestSettings,
): Promise<BacktestReport> {
  const counts = new BacktestCounts();
  const persons = new Persons(counts.settle);
  const waiting = new Waiting<Typed>();
  let guard: Guard | undefined;
  for await (const request of requests) {
    if (request === undefined) {
      counts.skip();
      continue;
    }
    guard ??= new Guard({ origin: request.at, rules });
    tellDue(guard, waiting, request.at);
    const mode = modeOf(request.account);
    const rule = judge(guard, request, mode, waiting);
    counts.count(request, rule);
    persons.ask(request, rule);
  }
  persons.end();
  return counts.report();
}

/** Somebody typed a code. */
interface Typed {
  readonly at: number;
  readonly request: PastRequest;
  readonly isRight: boolean;
}

/** The rule that refuses it. If it is sent, what becomes of it waits for its time. */
function judge(
  guard: Guard,
  request: PastRequest,
  mode: GuardMode,
  waiting: Waiting<Typed>,
): string | undefined {
  const judgement = mode === 'off' ? guard.judgeByRules(request) : guard.judge(request);
  if (!judgement.allow) guard.refused(request, judgement);
  if (mode !== 'off' && (judgement.allow || (mode === 'observe' && !judgement.isDecided))) {
    guard.written(guard.sent(request, judgement));
    const { at, confirmedAt, wrongGuesses } = request;
    const typedAt = Math.min(at + TYPED_AFTER, confirmedAt ?? Number.POSITIVE_INFINITY);
    for (let guess = 0; guess < wrongGuesses; guess++) waiting.add({ at: typedAt, request, isRight: false });
    if (confirmedAt !== null) waiting.add({ at: confirmedAt, request, isRight: true });
  }
  return judgement.allow ? undefined : judgement.rule;
}

/** As the service tells it: a wrong code says nothing about the number. */
function tellDue(guard: Guard, waiting: Waiting<Typed>, now: number): void {
  for (let typed = waiting.takeDue(now); typed !== undefined; typed = waiting.takeDue(now)) {
    const { at, request, isRight } = typed;
    if (isRight) guard.confirmed({ ...request, at });
    else guard.mismatched({ ...request, at, number: '', destination: '' });
  }
}
