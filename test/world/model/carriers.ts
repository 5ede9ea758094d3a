import type { Happening } from '../happening.ts';
import type { LiveOptions } from '../options.ts';
import { carriersOf } from '../routes.ts';
import { capHolds, counts } from './caps.ts';
import { expired, inEffect, must } from './common.ts';
import type { Attempt, State, Verification } from './state.ts';
import { liveNow } from './state.ts';
import { LEASE_THIRD, ON_ITS_WAY } from './table.ts';
import { endsInTime, mustBeTakenBack, mustBeWanted, wasAskedBack } from './taking-back.ts';
import { isBy, livesSince, mayGoOn, micro, priceOf, waysOf } from './ways.ts';

export function sent(s: State, it: Extract<Happening, { kind: 'sent' }>): void {
  const price = priceNow(liveNow(s), it.carrier);
  const isThere = it.did === 'arrived';
  const did = it.did === 'slow' ? 'hung' : it.did === 'arrived' ? 'accepted' : it.did;
  const attempt: Attempt = {
    ...{ ...it, did, answered: it.at },
    ...{ least: price, most: price, lowest: price, written: true, asked: [] },
    report: isThere ? { status: 'delivered', at: it.at } : undefined,
  };
  // Whose it is may follow only from an answer that has not come yet.
  if (counts(attempt)) capHolds(s, attempt);
  s.loose.push(attempt);
}

/** A report that came before is taken in now (personal-data.md, receipts that match no message). */
export function took(s: State, { carrier, reference, at }: Extract<Happening, { kind: 'took' }>): void {
  const attempt = attemptOf(s, carrier, reference);
  if (attempt === undefined) return;
  attempt.did = 'accepted';
  attempt.answered = at;
  if (attempt.early !== undefined) attempt.report = { status: attempt.early, at };
}
export const attemptOf = (s: State, carrier: string, reference: string): Attempt | undefined =>
  [...s.verifications.flatMap((v) => v.attempts), ...s.loose].findLast(
    (it) => it.carrier === carrier && it.reference === reference,
  );

/** Each carrier has one price for all channels. */
const priceNow = (live: LiveOptions, carrier: string): number =>
  micro(carriersOf(live).find((it) => it.carrier === carrier)?.price ?? 0);

const fits = (s: State, v: Verification, it: Attempt) =>
  v.to === it.to &&
  v.asked.at <= it.at &&
  (!v.test || it.carrier === 'simulator') &&
  (v.only ?? it.carrier) === it.carrier &&
  livesSince(s, v).some((live) => waysOf(live, v).some((way) => way.channel === it.channel));

function isWanted(s: State, v: Verification, at: number): boolean {
  const isOver = [v.erased, v.confirmed, v.ended].some((end) => end !== undefined && end.until < at);
  return !isOver && expired(s, v, { at, until: at }) !== 'yes';
}

function bind(s: State, it: Attempt): void {
  const all = s.verifications.filter((v) => v.code === it.code && fits(s, v, it));
  const still = all.filter((v) => isWanted(s, v, it.at));
  const named = still.filter((v) =>
    livesSince(s, v).some((live) => waysOf(live, v).some((way) => isBy(way, it))),
  );
  const its = [named, still].find((some) => some.length > 0) ?? all;
  // of twins the one that was not sent yet, or that nobody has accepted
  const unsent = its.find((one) => one.attempts.length === 0);
  const open = its.find((one) => !one.attempts.some((attempt) => attempt.did === 'accepted'));
  const v = unsent ?? open ?? its.at(-1);
  if (v !== undefined) attach(s, v, it);
  s.loose = s.loose.filter((one) => one !== it);
}

/**
 * Finds the verification of each message whose code was not known yet. A message may come before the answer that
 * promised it, so those to numbers that are being `asked` for since `start` are left. Where several verifications may be
 * meant, it is left open until a confirmation tells.
 */
export function settle(s: State, start: number, asked: ReadonlySet<string>): void {
  for (let again = true; again; ) {
    again = false;
    for (const it of s.loose.filter((one) => one.at < start || !asked.has(one.to))) {
      const known = s.verifications.filter((v) => v.code === it.code && fits(s, v, it));
      // chance may draw a code again that is over
      const isNew = !known.some((v) => isWanted(s, v, it.at));
      const unknown = s.verifications.filter((v) => isNew && v.code === undefined && fits(s, v, it));
      const [first, ...others] = unknown.filter((v) => !v.not.includes(it.code));
      const isSomebodys = known.length > 0 || first !== undefined;
      must(isSomebodys, `${it.carrier} was to send to ${it.to} what is nobody’s code (api.md)`);
      if (others.length > 0) continue;
      if (first !== undefined) first.code = it.code;
      else bind(s, it);
      // whose an earlier one was may be known by that: they are taken in order
      again = true;
      break;
    }
  }
}

/** One more try to send a code: whether it may be, and what it costs. */
function attach(s: State, v: Verification, it: Attempt): void {
  // once it was asked back, the lease is renewed right before (rcs.md, Taken back)
  mustBeWanted(s, v, it.at, 'sent', wasAskedBack(v, it.at) ? 0 : LEASE_THIRD);
  must(
    expired(s, v, { at: it.at, until: it.at }) !== 'yes',
    `an expired code was sent to ${v.to} (carriers.md)`,
  );
  const plain = v.custom || (/^\d+$/.test(it.code) && v.lengths.includes(it.code.length));
  must(plain, `a code has ${it.code.length} characters, not ${v.lengths.join(' or ')} (api.md, Options)`);
  const lives = inEffect(s.live, { at: it.at, until: it.at }, ON_ITS_WAY);
  const ways = lives.flatMap((live) => waysOf(live, v)).filter((way) => isBy(way, it));
  const named = v.test || ways.length > 0;
  must(named, `no route names ${it.carrier}, which was asked (routing.md)`);
  const isAgain = v.only !== undefined && !v.twin && v.attempts.length > 0;
  must(!isAgain, `a test of ${v.only} was sent twice (portal.md, Tests of a carrier)`);
  if (!v.twin && !v.test) {
    mayGoOn(s, v, it);
    mustBeTakenBack(s, v, it);
  }
  if (!v.test) endsInTime(s, v, it, lives);
  const last = v.attempts.findLast((one) => one.channel === it.channel);
  if (!v.twin && last !== undefined) {
    const page = 'carriers.md, How a message finds its carrier';
    const again = last.did !== 'accepted' || last.report?.status === 'undelivered' || !last.written;
    must(again, `a code was sent twice to ${v.to}, though ${last.carrier} had accepted it (${page})`);
    const its = v.attempts.filter((one) => isBy(one, it));
    const refused = its.some((one) => one.did === 'refused' && one.written);
    must(!refused, `${it.carrier} refused a message for good and was asked again (${page})`);
    // the next carrier gets it
    const undelivered = its.some(
      ({ did, report, written }) =>
        did === 'accepted' && written && report?.status === 'undelivered' && report.at < it.at - LEASE_THIRD,
    );
    must(!undelivered, `${it.carrier} reported a message undelivered and was asked again (${page})`);
  }
  // a lower price gives nothing back, and what it became dearer by is reserved first (budgets.md, What is reserved)
  const costs = [...ways.map((way) => way.price), it.most];
  const reserved = priceOf(v.reserved, it);
  // after one that was paid, or may have been, it is the price of then
  const isPaid = v.attempts.some(({ did }) => did !== 'refused' && did !== 'failed for now');
  it.lowest = Math.min(...costs);
  it.least = Math.max(it.lowest, isPaid ? 0 : reserved);
  it.most = Math.max(...costs, reserved);
  v.attempts.push(it);
}

/** The first final report of an attempt counts; what matches no message changes nothing (api.md; carriers.md). */
export function reported(s: State, it: Extract<Happening, { kind: 'reported' }>): readonly State[] {
  if (it.taken === 'no') return [s];
  const before = it.taken === 'unknown' ? [structuredClone(s)] : [];
  const attempt = attemptOf(s, it.carrier, it.reference);
  // whether it was taken back before is open where that may not be written down, and in the same moment
  if (attempt?.report?.revoked !== undefined && !attempt.written)
    attempt.report = { ...attempt.report, revoked: 'may' };
  if (attempt?.report === undefined && attempt?.asked.at(-1)?.until === it.at) {
    attempt.report = { status: it.status, at: it.at, revoked: 'may' };
    attempt.written = false;
  }
  // a carrier names what it took
  if (attempt?.did === 'accepted') attempt.report ??= { status: it.status, at: it.at };
  else if (attempt !== undefined) attempt.early ??= it.status;
  return [s, ...before];
}

/** A process ended: what it did lately may not be written down, and is done again (carriers.md; webhooks.md). */
export function crashed(s: State, at: number, lag: number): void {
  s.deaths.push(at);
  for (const it of s.loose) it.written = false;
  for (const v of s.verifications) {
    const open = v.attempts.filter((it) => Math.max(it.answered, it.report?.at ?? 0) > at - lag);
    for (const it of open) it.written = false;
    if (open.length > 0 || !v.attempts.some((it) => it.did === 'accepted')) v.crashes += 1;
  }
}

/** What it was doing is done or left to the next (operations.md). What the simulator was to report a moment later is lost. */
export function restarted(s: State): readonly State[] {
  for (const v of s.verifications) if (v.test) v.crashes += 1;
  return [s];
}
