/** What was sent over RCS, and has not arrived, is taken back before the next channel has its turn (rcs.md, Taken back). */
import type { TakingBack } from '../command.ts';
import type { Happening } from '../happening.ts';
import type { LiveOptions } from '../options.ts';
import { carriersOf, takesBack } from '../routes.ts';
import { isUsedUp, routeFull } from './caps.ts';
import { attemptOf } from './carriers.ts';
import { expired, inEffect, isFullAt, must } from './common.ts';
import type { Attempt, State, Verification } from './state.ts';
import { LEASE_THIRD, MINUTE, ON_ITS_WAY, SECOND, WRITTEN } from './table.ts';
import { deliveredAt, mayGoOn, waysOf } from './ways.ts';

const PAGE = 'rcs.md, Taken back';
/** How long the next channel waits for what a carrier answers. */
const WAITS: Partial<Record<TakingBack, number>> = { 'unless arriving': 1_500, hung: 5 * SECOND };

/** Nothing is done for a code that is over, as far as everybody knows it: by `lag`, in ms. */
export function mustBeWanted(s: State, v: Verification, at: number, done: string, lag: number): void {
  const unless = (ended: number | undefined, why: string) => {
    // without room no lease is renewed, so nobody learns it until the lease is over (personal-data.md)
    const wasFull = at >= s.fullSince && at <= s.roomSince + LEASE_THIRD;
    const known = wasFull ? 3 * LEASE_THIRD : lag;
    must(ended === undefined || at - known <= ended, `a code for ${v.to} was ${done} though ${why}`);
  };
  unless(v.erased?.until, 'its number was erased (personal-data.md)');
  if (!v.twin) unless(deliveredAt(v), 'it was reported delivered (routing.md, Another channel)');
  unless(v.confirmed?.until, 'it was confirmed (routing.md, Another channel)');
  // whether messages of what another's approval ended are dropped is open
  if (v.ended?.canceled) unless(v.ended.until, 'it was canceled (twilio.md, What differs)');
}

/** Nobody is asked to take back what they did not take, or what does not go on. */
export function askedBack(s: State, it: Extract<Happening, { kind: 'asked back' }>): void {
  const { carrier, reference, answer, at } = it;
  const attempt = attemptOf(s, carrier, reference);
  must(attempt?.did === 'accepted', `${carrier} was to take back what it had not taken (${PAGE})`);
  attempt.asked.push({ at, until: at + (WAITS[answer] ?? 0), answer });
  const v = s.verifications.find((one) => one.attempts.includes(attempt));
  if (v === undefined || v.twin) return;
  mustBeWanted(s, v, at, 'taken back', LEASE_THIRD);
  const isReported = attempt.written && attempt.report !== undefined && attempt.report.at < at - WRITTEN;
  must(!isReported, `${carrier} was to take back what it had reported (${PAGE})`);
  const lives = inEffect(s.live, { at, until: at }, ON_ITS_WAY);
  const ways = lives.flatMap((live) => waysOf(live, v)).filter((way) => way.channel !== v.channel);
  const [later] = ways;
  must(later !== undefined, `${carrier} was to take back what goes by no other channel (${PAGE})`);
  const isOfUse = ways.some((way) => !isUsedUp(s, way.carrier, at));
  must(isOfUse, `${carrier} was to take back what nobody is to send, whose daily caps are used up (${PAGE})`);
  // without a place on its route the channel is left out (routing.md, Another channel)
  const isFull = ({ next }: LiveOptions) =>
    next?.carriers === undefined && routeFull(s, later.channel, { at, until: at }).sure;
  must(
    !lives.every(isFull),
    `${carrier} was to take back what has no place on the route of ${later.channel} (${PAGE})`,
  );
  mayGoOn(s, v, { at, channel: later.channel });
}

export const wasAskedBack = (v: Verification, at: number): boolean =>
  v.attempts.some((it) => it.asked.some(({ until }) => until === at));

/** Before it goes by the next channel: what it took before, where somebody can take it back. */
export function mustBeTakenBack(s: State, v: Verification, { at, channel }: Attempt): void {
  const names = inEffect(s.live, { at, until: at }, ON_ITS_WAY).map((live) =>
    carriersOf(live).map((it) => it.carrier),
  );
  for (const it of v.attempts) {
    const isTaken = it.did === 'accepted' && it.written && it.answered < at;
    const isOpen = it.report === undefined || it.report.at > at;
    const isThere = names.every((each) => each.includes(it.carrier)); // a reload may have taken its carrier away
    if (it.channel !== 'rcs' || channel === 'rcs' || !takesBack(it.carrier)) continue;
    if (!isTaken || !isOpen || !isThere) continue;
    const asked = it.asked.filter((one) => one.until <= at);
    must(asked.length > 0, `a code for ${v.to} went on, and was not taken back before (${PAGE})`);
    must(asked.at(-1)?.answer !== 'arrived', `a code for ${v.to} went on that had arrived (${PAGE})`);
  }
}

/** It is not delivered any more once the next channel has its turn: its carrier is told when. */
export function endsInTime(s: State, v: Verification, it: Attempt, lives: readonly LiveOptions[]): void {
  const ends = lives.map((live) => {
    const { after } = live.next ?? {};
    const goesOn = v.only === undefined && waysOf(live, v).some((way) => way.channel !== v.channel);
    if (it.channel !== 'rcs' || v.channel !== 'rcs' || !goesOn || after === undefined) return undefined;
    return expired(s, v, { at: it.at + after, until: it.at + after }) === 'no' ? it.at + after : undefined;
  });
  const { replacedAt } = it;
  const isSo = (end: number | undefined) =>
    end === undefined || replacedAt === undefined
      ? end === replacedAt
      : Math.abs(end - replacedAt) <= 2 * Math.min(s.apart, MINUTE);
  const is = ends.some(isSo);
  must(
    is,
    `${it.carrier} was told that a message ends at ${replacedAt} instead of ${ends.join(' or ')} (rcs.md)`,
  );
}

/** What was taken back is an attempt that was not delivered, unless something was said or done meanwhile. */
export function settleAsked(s: State, now: number): void {
  for (const v of s.verifications)
    for (const it of v.attempts) {
      const last = it.asked.at(-1);
      const isBack = last?.answer === 'revoked' || last?.answer === 'unless arriving';
      if (last === undefined || !isBack || it.report !== undefined || last.until >= now) continue;
      const ends = [v.confirmed, v.ended, v.erased].filter((end) => end !== undefined);
      const span = { at: last.until, until: last.until };
      if (ends.some((end) => end.until < last.until && !('sure' in end && end.sure === false))) continue;
      const isOpen =
        ends.some((end) => end.at <= last.until) ||
        v.twin ||
        !it.written ||
        expired(s, v, span) !== 'no' ||
        isFullAt(s, last.until) ||
        s.deaths.some((at) => at >= last.at);
      it.report = { status: 'undelivered', at: last.until, revoked: isOpen ? 'may' : 'yes' };
      if (isOpen) it.written = false;
    }
}
