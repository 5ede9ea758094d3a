import { historyOf, usedOf } from './budgets.ts';
import { hasRouteCap, mayBeUsedUp } from './caps.ts';
import { expired, inEffect, isOver, must } from './common.ts';
import { ceilingOf } from './counting.ts';
import { eachItsOwn, guessesOf } from './endings.ts';
import type { Due } from './events.ts';
import type { Attempt, Budget, Counted, Span, State, Verification } from './state.ts';
import { budgetsOf } from './state.ts';
import { MINUTE, rateOf } from './table.ts';
import { atEnd, goesOn, left, livesSince, micro, waysOf } from './ways.ts';

/** What must hold of the record after every step, whichever rule let it in. */
export function hold(s: State, now: Span): readonly State[] {
  const { limits } = s.fixed;
  for (const v of s.verifications) {
    must(v.wrong <= guessesOf(s, v), `${v.wrong} wrong codes were judged for one (api.md, Limits)`);
    must(!v.attempts.some((it) => it.at < v.asked.at), 'a code was sent before it was asked for (api.md)');
  }
  for (const [it, events] of s.sends) boundedByCeiling(s, it, events, 'sends');
  for (const [it, events] of s.guesses) boundedByCeiling(s, it, events, 'wrong');
  for (const [key, events] of s.requests) bounded(key, events, limits.requestsPerKey, 'requests');
  eachItsOwn(s);
  budgetsHold(s, now);
  goesOn(s, now.at);
  return [s];
}

/** By what was the ceiling when the newest was let through: a lower one takes nothing back. */
function boundedByCeiling(
  s: State,
  place: string,
  events: readonly Counted[],
  what: 'sends' | 'wrong',
): void {
  const [account = '', kind] = place.split(' ');
  const newest = events.findLast((it) => it.sure);
  if (kind !== 'live' || newest === undefined) return; // test keys are exempt (api.md, Test keys)
  const [ceiling, ...others] = inEffect(s.live, newest, 0).map((live) => ceilingOf(s, live, account, what));
  if (ceiling !== undefined && others.length === 0) bounded(place, events, ceiling, WORDS[what]);
}
const WORDS = { sends: 'codes', wrong: 'guesses' };

/** There are surely no more in the window of the newest than the rate allows. */
function bounded(who: string, events: readonly Counted[], rates: readonly string[], what: string): void {
  const sure = events.filter((it) => it.sure);
  const until = sure.at(-1)?.until ?? 0;
  for (const { most, window } of rates.map(rateOf)) {
    const count = sure.filter((it) => until - it.at < window).length;
    must(count <= most, `${who}: ${count} ${what} in ${window} ms instead of ${most} (api.md, Limits)`);
  }
}

/**
 * A budget is never exceeded, also not by what is sent again or goes by another carrier after a reload. A lower limit takes nothing back,
 * so the highest one counts since the budget is there without a break (budgets.md).
 */
function budgetsHold(s: State, now: Span): void {
  const v = s.verifications.at(-1);
  if (v === undefined || v.test) return;
  for (const budget of budgetsOf(s, v.account)) {
    const history = historyOf(s, budget);
    for (const unit of ['money', 'messages'] as const) {
      const same = (it: Budget) => it.of === budget.of && it.per === budget.per && it[unit] !== undefined;
      const limits = history
        .slice(history.findLastIndex((it) => !it.value.budgets.some(same)) + 1)
        .map((it) => it.value.budgets.find(same)?.[unit] ?? 0);
      if (limits.length === 0) continue;
      const limit = unit === 'money' ? micro(Math.max(...limits)) : Math.max(...limits);
      const [least] = usedOf(s, budget, unit, v, now);
      must(least <= limit, `the budget ${budget.of} per ${budget.per} is exceeded (budgets.md)`);
    }
  }
}

/** Codes that were promised and not handed over, nor failed, ended or expired: the world decides what is too late. */
export function owed(s: State, at: number): readonly Due[] {
  const now = { at, until: at };
  const answered = new Set(s.made.values());
  const due = s.verifications.filter((v) => {
    if (v.test || v.only !== undefined || v.confirmed || v.erased || v.attempts.some(mayHaveArrived))
      return false;
    if (v.code === undefined && s.loose.some((it) => it.to === v.to)) return false; // nobody knows whose it is
    if (atEnd(s, v, 'spent') !== 'no') return false;
    if (mayWaitForTomorrow(s, v) || (hasRouteCap(s) && mayGoOnBy(s, v))) return false;
    // what is unclear counts as paid, so there may be no room for another try (budgets.md)
    const unclear = v.attempts.some((it) => it.did === 'hung' || it.did === 'answer lost');
    const budgets = budgetsOf(s, v.account);
    if (unclear && budgets.some((it) => it.money !== undefined)) return false;
    // of who died while it sent, everything counts as sent, and is reserved again before it is: for that, too (budgets.md)
    // whoever asked for it without an answer may have left it under way as well, and a reload may lead to what it lacks
    const mayHaveDied = s.deaths.some((it) => it >= v.asked.at) || !answered.has(v);
    const changes = [...s.live, ...(s.settings.get(v.account) ?? [])];
    const mayLack = mayHaveDied || changes.some((it) => it.until >= v.asked.at);
    if (mayLack && budgets.length > 0) return false;
    return isOver(s, v, now) === 'no' || passedOver(s, v, now);
  });
  return due.map(({ id = '', account, to, asked, attempts }) => ({
    account,
    id,
    what: `a code for ${to}`,
    since: Math.max(asked.until, ...attempts.map((it) => it.report?.at ?? 0)),
  }));
}
/** The route of that channel may have no place. */
const mayGoOnBy = (s: State, v: Verification): boolean =>
  livesSince(s, v).some((live) => live.next?.from === v.channel);
/** The carriers that it may go by have all taken what they take on one day. */
const mayWaitForTomorrow = (s: State, v: Verification): boolean =>
  livesSince(s, v).some((live) => {
    const ways = left(v, waysOf(live, v), 'spent');
    return ways.every((way) => mayBeUsedUp(s, way.carrier, v.asked.at));
  });
/** Who took a message that was reported undelivered hands it to the next, as long as its code is of use (carriers.md). */
const mayHaveArrived = ({ did, report, written }: Attempt) =>
  did === 'accepted' && (!written || report?.status !== 'undelivered');

/** It expired without one try, while a carrier took messages that were younger (ARCHITECTURE.md, What keeps the promises). */
function passedOver(s: State, v: Verification, now: Span): boolean {
  if (v.attempts.length > 0 || v.ended || expired(s, v, now) !== 'yes' || s.live.length > 1) return false;
  const [from, to] = [v.asked.until + MINUTE, v.asked.at + s.fixed.code.validFor];
  const others = s.verifications.flatMap((one) => one.attempts);
  return others.some((it) => it.did === 'accepted' && it.at > from && it.at < to);
}
