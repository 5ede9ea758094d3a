import { expired, isOver, must } from './common.ts';
import { since } from './counting.ts';
import { priceOfAll, priceOfOne } from './questions.ts';
import type {
  Attempt,
  Budget,
  Command,
  Payment,
  Settings,
  Since,
  Span,
  State,
  Verification,
} from './state.ts';
import { budgetsOf, lineOf, liveNow } from './state.ts';
import { CHANGE, DAY, HOUR, NO_KEY, ON_ITS_WAY, planOf, SETTLE } from './table.ts';
import { atEnd, left, micro, priceOf, type Way, waysOf } from './ways.ts';

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, it) => all + it, 0);

const costOfAll = (ways: readonly Way[]): number => sum(ways.map((it) => it.price));

/** What one verification surely counts and may count (budgets.md, What is reserved). */
function costOf(s: State, v: Verification, of: 'money' | 'messages', now: Span): readonly [number, number] {
  const unclear = v.attempts.filter((it) => it.did === 'answer lost' || it.did === 'hung');
  const taken = v.attempts.filter((it) => it.did === 'accepted');
  const paid = [...taken, ...unclear]; // what is unclear counts as paid
  // messages of which nobody knows yet whose they are
  const loose = v.code === undefined ? sum(s.loose.filter((it) => it.to === v.to).map((it) => it.most)) : 0;
  const isOpen = v.code === undefined && s.loose.some((it) => it.to === v.to); // a message may be its own
  const isEnded = v.confirmed !== undefined || v.erased !== undefined;
  const over = isEnded || isOver(s, v, now) !== 'no' || atEnd(s, v, 'refused') !== 'no';
  const [mayBeSettled, settled] = [
    taken.length > 0 || over || isOpen,
    v.crashes === 0 && isSettled(s, v, now),
  ];
  if (of === 'messages')
    return [mayBeSettled && paid.length === 0 ? 0 : 1, settled && paid.length === 0 && loose === 0 ? 0 : 1];
  const waits = costOfAll(left(v, v.reserved, 'refused'));
  const [least, most] = [sum(paid.map((it) => it.least)), sum(paid.map((it) => it.most))];
  // What hung or was lost may be sent and paid again; a carrier that was not reserved or costs more now is added then.
  const more = v.attempts.map((it) => Math.max(0, it.most - priceOf(v.reserved, it)));
  const all = costOfAll(v.reserved) * (1 + v.crashes) + sum(unclear.map((it) => it.most)) + sum(more);
  return [mayBeSettled ? least : Math.max(least, waits), loose + (settled ? most : Math.max(most, all))];
}

/** No other carrier will be asked, and the service had the time to write that down. */
function isSettled(s: State, v: Verification, now: Span): boolean {
  const before = { at: now.at - SETTLE, until: now.at - SETTLE };
  // on a full disk nothing is written down
  const last = Math.max(s.roomSince, ...v.attempts.map((it) => Math.max(it.answered, it.report?.at ?? 0)));
  if (last > before.at) return false;
  const taken = v.attempts.findLast((it: Attempt) => it.did === 'accepted');
  const done = taken?.report?.status === 'delivered' || atEnd(s, v, 'spent') === 'yes';
  return done || expired(s, v, before) === 'yes';
}

const lengthOf = (it: Budget) => (it.per === 'hour' ? HOUR : DAY);
const periodOf = (it: Budget, time: number) => Math.floor(time / lengthOf(it));
type Payer = Pick<Verification, 'account' | 'key' | 'to'>;
const payerOf = (s: State, { of, by }: Budget, v: Payer) => {
  if (by !== undefined && by !== v.account) return undefined;
  if (of === 'key' && v.key === NO_KEY) return undefined;
  if (of === 'key') return lineOf(s, v.key)[0];
  return of === 'installation' ? '' : of === 'country' ? planOf(v.to).country : v[of];
};
/** What it was from when on, of the service or of the account that set it; of what an account set it takes a moment until all know. */
export const historyOf = (
  s: State,
  { by }: Budget,
): readonly Since<{ readonly budgets: readonly Budget[] }>[] =>
  by === undefined ? s.live : (s.settings.get(by) ?? []);

/** What surely and possibly counts in the period of now: of a new budget what came since, and what waited and was sent since (budgets.md). */
export function usedOf(
  s: State,
  budget: Budget,
  of: 'money' | 'messages',
  v: Payer,
  now: Span,
): [number, number] {
  const its = (it: Budget) => it.of === budget.of && it.per === budget.per && it[of] !== undefined;
  const lag = budget.by === undefined ? 0 : CHANGE;
  const from = since(historyOf(s, budget), ({ budgets }) => budgets.some(its)) + lag;
  const used: [number, number] = [0, 0];
  const here = [periodOf(budget, now.at), periodOf(budget, now.until)];
  for (const one of s.verifications) {
    const times = [periodOf(budget, one.asked.at), periodOf(budget, one.asked.until)];
    const payer = payerOf(s, budget, one);
    const counts = !one.test && payer !== undefined && payer === payerOf(s, budget, v);
    if (!counts || !times.some((it) => here.includes(it))) continue;
    const [least, most] = costOf(s, one, of, now);
    const isHere = [...times, ...here].every((it) => it === here[0]);
    if (isHere) used[0] += one.asked.at > from ? least : sentSince(one, from + ON_ITS_WAY, of);
    used[1] += most;
  }
  if (of === 'money') {
    // a question is paid whatever comes of it (budgets.md; lookups.md, What it costs)
    for (const { lookup, payer, at } of s.questions)
      if (payer !== undefined)
        addPaid(s, used, budget, payer, v, now, [
          at > from ? priceOfOne(s, lookup) : 0,
          priceOfOne(s, lookup),
        ]);
    for (const it of s.doubts) addPaid(s, used, budget, it, v, now, [0, it.price]);
  }
  return used;
}

function addPaid(
  s: State,
  used: [number, number],
  budget: Budget,
  { asked, ...its }: Payment,
  v: Payer,
  now: Span,
  [least, most]: readonly [number, number],
): void {
  const payer = payerOf(s, budget, its);
  if (payer === undefined || payer !== payerOf(s, budget, v)) return;
  const [times, here] = [asked, now].map(({ at, until }) => [periodOf(budget, at), periodOf(budget, until)]);
  if (!times?.some((it) => here?.includes(it))) return;
  if ([...times, ...(here ?? [])].every((it) => it === times[0])) used[0] += least;
  used[1] += most;
}

/** What a message that waited when a budget came costs since. */
function sentSince(v: Verification, from: number, of: 'money' | 'messages'): number {
  const its = v.attempts.filter((it) => it.at > from && it.did !== 'refused' && it.did !== 'failed for now');
  return of === 'money' ? sum(its.map((it) => it.lowest)) : Math.min(1, its.length);
}

interface Room {
  readonly name: string;
  readonly budget: Budget;
  readonly none: boolean;
  readonly mayBeNone: boolean;
}
/** The budgets that apply to a message, and whether they have room. Test keys and the simulator count nowhere. */
export function roomsFor(
  s: State,
  v: Payer & Pick<Verification, 'test' | 'channel' | 'only'>,
  now: Span,
  settings: Settings,
  /** What is surely to be paid beside the message. */
  more = 0,
): readonly Room[] {
  const live = liveNow(s);
  if (v.test) return [];
  const questions = priceOfAll(s, settings, v.to);
  const room = (budget: Budget, of: 'money' | 'messages', limit: number, cost: number): Room => {
    const [surely, maybe] = of === 'money' ? [more, Math.max(more, questions)] : [0, 0];
    const [least, most] = usedOf(s, budget, of, v, now);
    const within = budget.by !== undefined && budget.of === 'country' ? 'account ' : '';
    const name = `${within}${budget.of} per ${budget.per}`;
    return { name, budget, none: least + cost + surely > limit, mayBeNone: most + cost + maybe > limit };
  };
  const its = budgetsOf(s, v.account, settings).filter((it) => payerOf(s, it, v) !== undefined);
  return its.flatMap((it) => [
    ...(it.money === undefined ? [] : [room(it, 'money', micro(it.money), costOfAll(waysOf(live, v)))]),
    ...(it.messages === undefined ? [] : [room(it, 'messages', it.messages, 1)]),
  ]);
}

/** `budget` is the one that frees up last, and Retry-After says when its period ends (budgets.md, When it runs out). */
export function namesBudget(
  { at, until, answer }: Command,
  named: string | undefined,
  rooms: readonly Room[],
): void {
  if (named === undefined) return; // the façade names none
  const room = rooms.find((it) => it.mayBeNone && it.name === named);
  must(room !== undefined, `the refusal names ${named}, which has room (budgets.md, When it runs out)`);
  const end = (it: Budget, time: number) => (periodOf(it, time) + 1) * lengthOf(it);
  const later = rooms.find((it) => it.none && end(it.budget, at) > end(room.budget, until))?.name;
  must(later === undefined, `the refusal names ${named}, and ${later} frees up later (budgets.md)`);
  const after = Number(answer.headers['retry-after']) * 1000;
  const fits = [at, until].some((it) => Math.abs(end(room.budget, it) - it - after) <= 1500);
  must(fits, `Retry-After is ${after / 1000}, not the end of the period of ${named} (budgets.md)`);
}
