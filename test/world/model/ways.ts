/** By which carriers a code may go, on which channel, and when it goes on by another channel (routing.md, Another channel). */
import type { LiveOptions } from '../options.ts';
import { carriersOf, routeOf } from '../routes.ts';
import { hasRouteCap, mayBeUsedUp } from './caps.ts';
import { must } from './common.ts';
import type { Attempt, State, Verification } from './state.ts';
import { budgetsOf } from './state.ts';
import { CHANGE, type Channel, planOf, SETTLE } from './table.ts';

export interface Way {
  readonly channel: Channel;
  readonly carrier: string;
  /** In millionths of the currency's unit, so that sums are exact. */
  readonly price: number;
}
export const micro = (price: number): number => Math.round(price * 1e6);

/** All in order. A channel that cannot reach the number is left out. */
export function waysOf(live: LiveOptions, v: Pick<Verification, 'channel' | 'to' | 'only'>): Way[] {
  const by = (channel: Channel, carriers: LiveOptions['route']) =>
    carriers.map(({ carrier, price }) => ({ channel, carrier, price: micro(price) }));
  // a test of a carrier, which need not be in the route (portal.md, Tests of a carrier)
  if (v.only !== undefined) return by(v.channel, carriersOf(live)).filter((it) => it.carrier === v.only);
  const { next } = live;
  const reaches = next?.to === 'voice' || planOf(v.to).type !== 'landline';
  const goesOn = next !== undefined && next.from === v.channel && reaches;
  const later = goesOn ? by(next.to, next.carriers ?? routeOf(live, next.to) ?? []) : [];
  return [...by(v.channel, routeOf(live, v.channel) ?? []), ...later];
}
/** Under each configuration that was in effect since it was asked for. */
export const livesSince = (s: State, { asked }: Verification): readonly LiveOptions[] =>
  s.live
    .slice(
      Math.max(
        0,
        s.live.findLastIndex((it) => it.until < asked.at),
      ),
    )
    .map((it) => it.value);

type By = Pick<Way, 'channel' | 'carrier'>;
export const isBy = (one: By, other: By) => one.channel === other.channel && one.carrier === other.carrier;
export const priceOf = (ways: readonly Way[], it: By): number =>
  ways.find((way) => isBy(way, it))?.price ?? 0;
const isUndelivered = ({ did, report }: Attempt) => did === 'accepted' && report?.status === 'undelivered';
export const hasGoneOn = (v: Verification) => v.attempts.some((it) => it.channel !== v.channel);

/** Those that did not refuse it for good, nor report it undelivered if that counts; none of a channel that it has left. */
export function left(v: Verification, ways: readonly Way[], counts: 'refused' | 'spent'): Way[] {
  const isSpent = (it: Attempt) => it.did === 'refused' || (counts === 'spent' && isUndelivered(it));
  return ways.filter(
    (way) =>
      !(way.channel === v.channel && hasGoneOn(v)) && !v.attempts.some((it) => isBy(it, way) && isSpent(it)),
  );
}
/** Whether nobody is left to ask: surely if it is so by each configuration that it may have gone by. */
export function atEnd(s: State, v: Verification, counts: 'refused' | 'spent'): 'no' | 'may' | 'yes' {
  // a test is tried once, or never where its carrier is of no use
  if (v.only !== undefined) return v.attempts.length > 0 ? 'yes' : 'may';
  const lives = livesSince(s, v).map((live) => waysOf(live, v));
  const goesOn = (ways: readonly Way[]) => ways.some((way) => way.channel !== v.channel);
  // it may have gone on where nobody was asked, and then the other channel was taken away: it stays with what was sent
  const isCut = (ways: readonly Way[]) =>
    lives.some(goesOn) && !goesOn(ways) && left(v, ways, counts).every((way) => mayBeOfNoUse(s, way.carrier));
  const ends = lives.filter((ways) => isCut(ways) || left(v, ways, counts).length === 0);
  return ends.length === 0 ? 'no' : ends.length < lives.length ? 'may' : 'yes';
}

/** So many failures in a row open a breaker (configuration.md), of each node its own: how long it stays so is open here. */
const FAILURES = 5;
function mayBeOfNoUse(s: State, carrier: string, at = s.now): boolean {
  if (mayBeUsedUp(s, carrier, at)) return true;
  const all = [...s.verifications.flatMap((v) => v.attempts), ...s.loose];
  return all.filter((it) => it.carrier === carrier && isUnclear(it)).length >= FAILURES;
}
/** Nobody knows whether it was taken. */
export const isUnclear = ({ did }: Attempt): boolean => did === 'hung' || did === 'answer lost';

/** Since when it surely is, on whichever of three nodes: it did nothing else so often to this message, and to no other one. */
function ofNoUseSince(s: State, v: Verification, way: Way): number {
  const all = s.verifications.flatMap((one) => one.attempts);
  const its = all.filter((it) => it.carrier === way.carrier && it.at >= v.asked.at);
  const own = v.attempts.filter((it) => isBy(it, way))[3 * FAILURES];
  return own !== undefined && its.every(isUnclear) ? own.at : Number.POSITIVE_INFINITY;
}

/** Carriers of the first channel that surely took it. */
const takenBy = (v: Verification) =>
  v.attempts.filter((it) => it.channel === v.channel && it.did === 'accepted' && it.written);

const PAGE = 'routing.md, Another channel';
/** Whether it may be sent on this channel, where it has another one. */
export function mayGoOn(s: State, v: Verification, it: Pick<Attempt, 'at' | 'channel'>): void {
  const isUnwritten = v.crashes > 0 || v.attempts.some((one) => !one.written);
  if (hasGoneOn(v) || isUnwritten) {
    const isBack = it.channel === v.channel && !isUnwritten;
    must(!isBack || mayReturn(s, v), `a code for ${v.to} went back to the channel before (${PAGE})`);
    return;
  }
  if (it.channel === v.channel) return;
  const [taken] = takenBy(v);
  // a round that ends after midnight may have met a cap of the day before
  const began = v.attempts.at(-1)?.at ?? v.asked.at;
  const may = livesSince(s, v).some((live) => {
    const after = live.next?.after ?? Number.POSITIVE_INFINITY;
    const from = taken !== undefined && taken.answered < v.asked.at + after ? taken.answered : v.asked.at;
    const open = left(v, waysOf(live, v), 'spent').filter((way) => way.channel === v.channel);
    return it.at >= from + after || open.every((way) => mayBeOfNoUse(s, way.carrier, began));
  });
  must(may, `a code for ${v.to} went on by another channel before its time (${PAGE})`);
}

/** A reload may have taken away the channel that it has gone on by, and no carrier has taken it, or all that was taken came to nothing. */
const mayReturn = (s: State, v: Verification): boolean =>
  livesSince(s, v).some((live) => waysOf(live, v).every((way) => way.channel === v.channel)) &&
  v.attempts.every((it) => it.did !== 'accepted' || it.report?.status === 'undelivered');

/** When somebody reported it delivered, which nobody could forget. */
export const deliveredAt = (v: Verification): number | undefined =>
  v.attempts.find((it) => it.written && it.report?.status === 'delivered')?.report?.at;

/** What has another channel goes on by it in time: judged where nothing was changed meanwhile, nobody died, and all is known. */
export function goesOn(s: State, now: number): void {
  for (const v of s.verifications) {
    const isOpen = v.id === undefined || v.code === undefined || s.loose.some((it) => it.to === v.to);
    if (v.test || v.twin || isOpen || hasGoneOn(v) || s.deaths.some((it) => it >= v.asked.at)) continue;
    if (s.roomSince > v.asked.at || hasRouteCap(s)) continue;
    const [live, ...others] = livesSince(s, v);
    const ways = live === undefined || others.length > 0 ? [] : waysOf(live, v);
    const later = ways.filter((way) => way.channel !== v.channel);
    if (later.every((way) => mayBeOfNoUse(s, way.carrier))) continue;
    // of what was said to have arrived a report follows (rcs.md, Taken back)
    if (v.attempts.some((it) => it.asked.some(({ answer }) => answer === 'arrived'))) continue;
    // a budget that the account set since counts what waits (budgets.md), and did while it was set
    const set = (s.settings.get(v.account) ?? []).filter((it) => it.until + CHANGE >= v.asked.at);
    const isSet = set.length > 0 && budgetsOf(s, v.account).length > 0;
    if (isSet || set.some(({ value }) => value.budgets.length > 0)) continue;
    // what is unclear counts as paid, so there may be no room for another try (budgets.md)
    const isPaid = v.attempts.some(isUnclear);
    if (isPaid && budgetsOf(s, v.account).some((it) => it.money !== undefined)) continue;
    const over = [v.confirmed, v.ended, v.erased].map((it) => it?.at ?? Number.POSITIVE_INFINITY);
    const end = Math.min(
      ...[v.asked.at + s.fixed.code.validFor, deliveredAt(v) ?? Number.POSITIVE_INFINITY, ...over],
    );
    const after = live?.next?.after ?? Number.POSITIVE_INFINITY;
    const timeUp = Math.max(v.asked.until, takenBy(v).at(-1)?.answered ?? 0) + after;
    const open = left(v, ways, 'spent').filter((way) => way.channel === v.channel);
    const since = open.map((way) => ofNoUseSince(s, v, way));
    const answers = v.attempts.filter((it) => !isUnclear(it));
    const due = Math.min(timeUp, Math.max(...answers.map((it) => it.report?.at ?? it.answered), ...since));
    const isLate = due + SETTLE < Math.min(end, now);
    must(!isLate, `a code for ${v.to} did not go on by another channel (${PAGE})`);
  }
}
