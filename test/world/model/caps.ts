/** How many messages a carrier takes on one day, and how many codes go over a route, in UTC (configuration.md, dailyCap; routing.md). */
import type { LiveOptions } from '../options.ts';
import { carriersOf } from '../routes.ts';
import { inEffect, must } from './common.ts';
import { since } from './counting.ts';
import type { Attempt, Span, State } from './state.ts';
import { type Channel, DAY, ON_ITS_WAY, WRITTEN } from './table.ts';

const capOf = (live: LiveOptions, carrier: string): number | undefined =>
  carriersOf(live).find((it) => it.carrier === carrier)?.cap;
const dayOf = (at: number) => Math.floor(at / DAY);
const allOf = (s: State, carrier: string): readonly Attempt[] =>
  [...s.verifications.flatMap((v) => v.attempts), ...s.loose].filter((it) => it.carrier === carrier);

/** What it took, and what it did not answer in time (routing.md, Caps). */
export const counts = ({ did }: Attempt): boolean => did === 'accepted' || did === 'hung';

/** What was sent before it had a cap, or in that moment, may not count. Whether a message counts that it did not take is open. */
export function capHolds(s: State, it: Attempt): void {
  const caps = inEffect(s.live, { at: it.at, until: it.at }, ON_ITS_WAY).map((live) =>
    capOf(live, it.carrier),
  );
  const most = Math.max(...caps.map((cap) => cap ?? Number.POSITIVE_INFINITY));
  const from = since(s.live, (live) => capOf(live, it.carrier) !== undefined);
  const before = allOf(s, it.carrier).filter(
    (one) => counts(one) && one.at > from && dayOf(one.at) === dayOf(it.at),
  ).length;
  must(before < most, `${it.carrier} was asked for more than ${most} messages on one day (configuration.md)`);
}

/**
 * Whether the route of a channel has taken as many codes today as its cap says: surely, and maybe. It counts what it had sent by another
 * channel, too. Places of processes that died are lost, and what was refused may have had one for a moment, or have it on another node.
 */
export function routeFull(
  s: State,
  channel: Channel,
  now: Span,
): { readonly sure: boolean; readonly may: boolean } {
  const caps = inEffect(s.live, now).map((live) => live.routeCap ?? Number.POSITIVE_INFINITY);
  const from = since(s.live, (live) => live.routeCap !== undefined);
  const isToday = ({ at, until }: Span) => dayOf(at) <= dayOf(now.until) && dayOf(until) >= dayOf(now.at);
  const its = s.verifications.filter((v) => !v.test && v.only === undefined);
  const sure = its.filter((v) => {
    const days = [v.asked.at, v.asked.until, now.at, now.until].map(dayOf);
    return v.channel === channel && v.asked.at > from && new Set(days).size === 1;
  });
  const lost = 3 * s.deaths.filter((at) => isToday({ at, until: at })).length;
  const most = its.filter(({ asked }) => isToday(asked)).length + s.spared.filter(isToday).length + lost;
  return { sure: caps.every((cap) => sure.length >= cap), may: caps.some((cap) => most >= cap) };
}

/** What another channel's route takes is not judged. */
export const hasRouteCap = (s: State): boolean => s.live.some((it) => it.value.routeCap !== undefined);

/** Whether it surely has one that is used up. */
export function isUsedUp(s: State, carrier: string, at: number): boolean {
  const caps = inEffect(s.live, { at, until: at }, ON_ITS_WAY).map((live) => capOf(live, carrier));
  const from = since(s.live, (live) => capOf(live, carrier) !== undefined);
  const taken = allOf(s, carrier).filter(
    (it) => it.did === 'accepted' && it.at > from && it.answered < at - WRITTEN && dayOf(it.at) === dayOf(at),
  ).length;
  return caps.every((cap) => cap !== undefined && taken >= cap);
}

/** Whether it may have a cap that is used up, now or since then. */
export function mayBeUsedUp(s: State, carrier: string, asked = s.now): boolean {
  const count = allOf(s, carrier).filter((it) => dayOf(it.at) >= dayOf(asked)).length;
  return s.live.some((it) => count >= (capOf(it.value, carrier) ?? Number.POSITIVE_INFINITY));
}
