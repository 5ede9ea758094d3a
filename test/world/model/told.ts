/** What a webhook message says of its verification, and whether that has happened (webhooks.md, What comes). */
import { isFullAt, isLost, isOver, must, textOf } from './common.ts';
import { endpointsOf } from './endpoints.ts';
import type { Attempt, Span, State, Told, Verification } from './state.ts';
import { fieldOf, masked, planOf, SECOND, WRITTEN } from './table.ts';
import { isUnclear, livesSince, waysOf } from './ways.ts';

/** Those that happen once to a verification. */
export const ONCE_ONLY = /^(verification\.|delivery\.failed$)/;
export const isOf = (it: Attempt, data: unknown) =>
  it.carrier === textOf(data, 'carrier') && it.channel === textOf(data, 'channel');
/** A carrier may have taken it: it said so, or nobody can know. */
const mayBeTaken = (it: Attempt) => it.did !== 'refused' && it.did !== 'failed for now';

/** Nobody sees the messages of test keys; where a code is not known yet, or two have it, all to its number may be its own. */
function messagesOf(s: State, v: Verification): readonly Attempt[] | undefined {
  if (v.test) return undefined;
  if (!v.twin && v.code !== undefined) return v.attempts;
  const others = s.verifications.filter((one) => one.to === v.to && !one.test);
  return [...others.flatMap((one) => one.attempts), ...s.loose.filter((it) => it.to === v.to)];
}

/** The messages that this one may be about. */
function meant(s: State, v: Verification, { type, data }: Told): readonly Attempt[] | undefined {
  const its = messagesOf(s, v)?.filter((it) => isOf(it, data));
  if (type === 'delivery.accepted') return its?.filter(mayBeTaken);
  return its?.filter((it) => `delivery.${it.report?.status}` === type || it.report?.revoked === 'may');
}

/** A report came before the answer: it is told after that, with its own earlier time (webhooks.md, At least once). */
export const mayOvertake = (s: State, v: Verification, it: Told): boolean =>
  it.type !== 'delivery.accepted' && meant(s, v, it)?.some(({ early }) => early !== undefined) === true;

/** How many messages with ids of their own may say this: each that a carrier took is told, and each report. */
export const mostOf = (s: State, v: Verification, it: Told): number =>
  ONCE_ONLY.test(it.type) ? 1 : (meant(s, v, it)?.length ?? Number.POSITIVE_INFINITY);

export function happened(s: State, v: Verification, it: Told): boolean {
  const { confirmed, exhausted } = v;
  switch (it.type) {
    case 'verification.requested':
      return true;
    case 'verification.confirmed':
      return confirmed !== undefined;
    case 'verification.expired':
      return !confirmed && !exhausted && isOver(s, v, { at: it.at, until: it.at }) !== 'no';
    case 'verification.exhausted':
      return v.wrong > 0; // whether it also comes with the last guess of a destination is open
    case 'delivery.accepted':
    case 'delivery.delivered':
    case 'delivery.undelivered':
      return meant(s, v, it)?.length !== 0;
    case 'delivery.failed': {
      // nothing more is tried: not while a carrier surely has it and reported nothing
      const isOpen = v.test || v.twin || v.code === undefined || v.ended !== undefined;
      // what it said while nothing could be written may be lost once the lease is over
      const isKnown = (one: Attempt) => one.written && !isFullAt(s, one.answered);
      return isOpen || !v.attempts.some((one) => one.did === 'accepted' && isKnown(one) && !one.report);
    }
    default:
      return false;
  }
}

/** The carrier that it is a test of. */
export const testedIn = ({ data }: Told) => textOf(fieldOf(data, 'metadata'), 'carrier_test');
/** What its data must say, field by field. */
export function judgeData(s: State, v: Verification, it: Told): void {
  const of = (name: string) => textOf(it.data, name);
  const says = (name: string, holds: boolean) => {
    const said = JSON.stringify(fieldOf(it.data, name));
    must(holds, `the ${name} of ${it.type} of a code for ${v.to} is ${said} (webhooks.md, What comes)`);
  };
  const isNull = (name: string) => fieldOf(it.data, name) === null;
  const numbers = endpointsOf(s, v.account, { at: it.at, until: it.at }).map(({ full }) =>
    full ? v.to : masked(v.to),
  );
  says('destination', numbers.includes(of('destination') ?? ''));
  says('country', of('country') === planOf(v.to).country);
  says('test', fieldOf(it.data, 'test') === v.test);
  // no request of the world brings any
  says('metadata', v.only === undefined ? isNull('metadata') : testedIn(it) === v.only);
  const isFailure = it.type === 'delivery.failed' || it.type === 'delivery.undelivered';
  says('reason', isNull('reason') || (isFailure && of('reason') !== undefined));
  // no carrier of the world gives one
  const back =
    it.type === 'delivery.undelivered' ? meant(s, v, it)?.map(({ report }) => report?.revoked) : undefined;
  const isRevoked = of('reason') === 'taken-back';
  says('reason', back?.some((one) => one === 'may' || (one === 'yes') === isRevoked) ?? true);
  const at = Date.parse(of('at') ?? '');
  // clocks of nodes may differ from the database's for a moment after they were set
  const within = (span: Span) => at >= span.at - SECOND && at <= span.until + SECOND;
  const times: Readonly<Record<string, Span | undefined>> = {
    ...{ 'verification.requested': v.asked, 'verification.confirmed': v.confirmed },
    ...{ 'verification.exhausted': v.exhausted },
  };
  const isAgain = s.told.some((one) => one.id === it.id);
  says('at', isAgain || within(times[it.type] ?? { at: v.asked.at, until: it.at }));
  says('carrier', namesItsCarrier(s, v, it));
}

/** The carrier and channel that it is about: those that were used, or else the channel that was asked for. */
function namesItsCarrier(s: State, v: Verification, { type, data }: Told): boolean {
  const [carrier, channel] = [fieldOf(data, 'carrier'), textOf(data, 'channel')];
  const isAsked = channel === v.channel;
  if (type === 'verification.requested') return isAsked && carrier === null;
  const its = messagesOf(s, v);
  const knows = carrier === null || its === undefined || its.some((one) => one.carrier === carrier);
  if (type === 'verification.expired' || type === 'verification.exhausted') return isAsked && knows;
  const ways = livesSince(s, v).flatMap((live) => waysOf(live, v));
  const isWay = isAsked || ways.some((way) => way.channel === channel);
  const isOne = its?.some((one) => isOf(one, data)) ?? (isWay && typeof carrier === 'string');
  if (/^delivery\.(?!failed)/.test(type)) return isOne;
  const used = type === 'verification.confirmed' ? usedBy(s, v) : undefined;
  return used?.some((one) => isOf(one, data)) ?? (isOne || (isWay && carrier === null));
}

/** By which message a code was confirmed: the one that delivered, or else the last that took it and did not report it undelivered (routing.md, Another channel). */
function usedBy(s: State, v: Verification): readonly Attempt[] | undefined {
  const { attempts, confirmed } = v;
  const isOpen = messagesOf(s, v) !== attempts || s.loose.some((it) => it.to === v.to);
  // of an approval by the app nothing is said
  if (isOpen || confirmed === undefined || confirmed.app) return undefined;
  const lately = confirmed.at - WRITTEN;
  const isOf = (it: Attempt) => it.at <= confirmed.until && it.answered > lately;
  if (attempts.some((it) => !it.written || isOf(it))) return undefined;
  const taken = attempts.filter((it) => it.did === 'accepted');
  const delivered = taken.filter((it) => it.report?.status === 'delivered');
  if (delivered.some((it) => (it.report?.at ?? 0) < lately)) return delivered;
  // whoever may have taken it, or reported something in this moment, may count
  if (attempts.some((it) => isUnclear(it) || (it.report?.at ?? 0) >= lately)) return undefined;
  const last = taken.findLast((it) => it.report?.status !== 'undelivered') ?? taken.at(-1);
  // where nobody took it, which was used is open
  return last && [last];
}

/** What must be told of messages that carriers took, and of what they reported: a word for each, and since when. */
export function dueOf(
  s: State,
  v: Verification,
): readonly { readonly type: string; readonly of: Attempt; readonly since: number }[] {
  const isKnown = (it: Attempt) => it.did === 'accepted' && it.written && !isLost(s, v, it);
  const its = v.twin ? [] : v.attempts.filter(isKnown);
  return its.flatMap((of) => {
    const { answered: at, report } = of;
    // without `accepted` if it was said at once that it arrived
    const accepted =
      report !== undefined && report.at < at + WRITTEN ? [] : [{ type: 'delivery.accepted', of, since: at }];
    return report === undefined
      ? accepted
      : [...accepted, { type: `delivery.${report.status}`, of, since: report.at }];
  });
}
