import { expired, isOver, must, over, textOf } from './common.ts';
import type { State, Told, Verification } from './state.ts';
import { type Channel, fieldOf, masked, planOf, SECOND, WRITTEN } from './table.ts';
import { livesSince, waysOf } from './ways.ts';

/** Those that happen once to a verification. */
const ONCE_ONLY = /^(verification\.|delivery\.failed$)/;

/** Webhook messages wait until no answer is due that may explain them, as those of carriers do. */
export function hear(s: State, start: number): void {
  for (const it of s.early.filter((one) => one.at < start)) judge(s, it);
  s.early = s.early.filter((it) => it.at >= start);
}

function judge(s: State, it: Told): void {
  if (it.type === 'webhook.test') return;
  const of = (name: string) => textOf(it.data, name);
  const [id, to] = [of('id'), of('destination')];
  const ours = s.verifications.filter((v) => v.id !== undefined && v.id === id);
  // whose answer was lost is known by its webhook messages at last
  const lost = s.verifications.filter((v) => v.id === undefined && v.account === it.account);
  const may = lost.filter((one) => masked(one.to) === to);
  const v = ours[0] ?? may.find((one) => one.erased === undefined) ?? may[0];
  must(v !== undefined, `${it.account} was told ${it.type} of an unknown verification (webhooks.md)`);
  v.id ??= id;
  must(v.account === it.account, `${it.account} was told of a verification of ${v.account} (webhooks.md)`);
  const number = to === masked(v.to) && of('country') === planOf(v.to).country;
  const channel = of('channel');
  const kind =
    fieldOf(it.data, 'test') === v.test && channelsOf(s, v, it.type).some((each) => each === channel);
  must(number && kind, `${it.type} has another number, country, channel or kind (webhooks.md, What comes)`);
  const erased = v.erased !== undefined && it.at > v.erased.until + SECOND;
  must(!erased, `${it.type} was told after an erasure (personal-data.md, Answering a request)`);
  const past = over(v.asked, s.fixed.retention.verifications, { at: it.at, until: it.at }) === 'yes';
  must(!past, `${it.type} was told after its verification’s retention (webhooks.md, Tries)`);
  must(happened(s, v, it), `${it.account} was told ${it.type}, which has not happened (webhooks.md)`);
  const again = s.told.find((one) => one.id === it.id);
  const before = s.told.filter((one) => textOf(one.data, 'id') === id);
  const shared = again !== undefined && (again.type !== it.type || !before.includes(again));
  must(!shared, 'two events have one webhook-id (webhooks.md, At least once)');
  const others = before.filter((one) => one.type === it.type && one.id !== it.id);
  const most = ONCE_ONLY.test(it.type)
    ? 1
    : v.test || v.twin || v.code === undefined
      ? Infinity
      : v.attempts.length;
  const twice = new Set(others.map((one) => one.id)).size >= most;
  must(!twice, `${it.type} came with two ids (webhooks.md, At least once)`);
  // The messages of one verification come in order as long as nothing fails; that it expired is told some ten seconds later.
  // A process that was asleep when another one went on says afterwards what it had done.
  const failed =
    s.told.some((one) => one.account === it.account && !one.took) ||
    s.deaths.some((one) => one >= v.asked.at);
  const late = Date.parse(of('at') ?? '') < Date.parse(textOf(before.at(-1)?.data, 'at') ?? '') - WRITTEN;
  const order = failed || again !== undefined || !late || it.type === 'verification.expired';
  must(order, `${it.type} came after what was later (webhooks.md, At least once)`);
  s.told.push(it);
}

/** That which was asked for; what was sent and confirmed names the one that delivered, or else took it last (routing.md, Another channel). */
function channelsOf(s: State, v: Verification, type: string): readonly Channel[] {
  if (type !== 'verification.confirmed' && !type.startsWith('delivery.')) return [v.channel];
  const { confirmed, attempts } = v;
  const all = [
    v.channel,
    ...livesSince(s, v)
      .flatMap((live) => waysOf(live, v))
      .map((way) => way.channel),
  ];
  const isUnseen = v.test || v.twin || v.code === undefined || s.loose.some((it) => it.to === v.to);
  // of an approval by the app nothing is said
  if (isUnseen || confirmed === undefined || confirmed.app || type.startsWith('delivery.')) return all;
  const lately = confirmed.at - WRITTEN;
  if (attempts.some((it) => !it.written || (it.at > lately && it.at <= confirmed.until))) return all;
  const delivered = attempts.filter((it) => it.report?.status === 'delivered');
  const before = delivered.filter((it) => (it.report?.at ?? 0) < lately);
  const took = attempts.findLastIndex((it) => it.did === 'accepted');
  const last = attempts.filter((it, i) => i === took || (i > took && it.did !== 'refused'));
  const used = before.length > 0 ? delivered : [...last, ...delivered];
  // where nobody took it, which of its channels was used is open
  return used.length === 0 ? all : used.map((it) => it.channel);
}

function happened(s: State, v: Verification, it: Told): boolean {
  // Messages of test keys are the simulator's, and of a code that is not known yet the attempts are not, either.
  const unseen = v.test || v.twin || v.code === undefined;
  const [carrier, channel] = [textOf(it.data, 'carrier'), textOf(it.data, 'channel')];
  const its = v.attempts.filter((one) => one.carrier === carrier && one.channel === channel);
  const report = (status: string) => unseen || its.some((one) => one.report?.status === status);
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
      return unseen || its.some((one) => one.did !== 'refused' && one.did !== 'failed for now');
    case 'delivery.delivered':
      return report('delivered');
    case 'delivery.undelivered':
      return report('undelivered');
    case 'delivery.failed': // nothing more is tried: not while a carrier surely has it and reported nothing
      return (
        unseen || !!v.ended || !v.attempts.some((one) => one.did === 'accepted' && one.written && !one.report)
      );
    default:
      return false;
  }
}

export interface Due {
  readonly account: string;
  readonly id: string;
  readonly what: string;
  readonly since: number;
}
/**
 * What endpoints were not told yet and must be: of what is surely known, not erased and still kept. Who once did not take a message may
 * have to wait for the next try, or has lost it (webhooks.md, Tries).
 */
export function untold(s: State, at: number): readonly Due[] {
  const now = { at, until: at };
  const kept = Math.min(s.fixed.retention.events, s.fixed.retention.verifications);
  const failing = new Set(s.told.filter((it) => !it.took).map((it) => it.account));
  const took = new Set(
    s.told
      .filter((it) => it.took)
      .map(({ data, type }) => `${textOf(data, 'id')} ${type} ${textOf(data, 'channel')}`),
  );
  const due: Due[] = [];
  for (const v of s.verifications) {
    const { id, account, ended, confirmed, exhausted } = v;
    if (id === undefined || v.erased || failing.has(account) || over(v.asked, kept, now) !== 'no') continue;
    const expect = (
      what: string,
      since = Number.POSITIVE_INFINITY,
      channels: readonly Channel[] = [v.channel],
    ) =>
      since <= at &&
      !channels.some((channel) => took.has(`${id} ${what} ${channel}`)) &&
      due.push({ account, id, what, since });
    expect('verification.requested', v.asked.until);
    if (confirmed?.app === false)
      expect('verification.confirmed', confirmed.until, channelsOf(s, v, 'verification.confirmed'));
    if (!confirmed) expect('verification.exhausted', exhausted?.until);
    // some ten seconds after that, also of one that was ended before (webhooks.md, What comes)
    const isEnded = expired(s, v, now) === 'yes' && (ended === undefined || ended.sure);
    if (isEnded && !confirmed && !exhausted)
      expect('verification.expired', v.asked.until + s.fixed.code.validFor + 10 * SECOND);
    for (const { did, report, written, channel, ...it } of v.twin ? [] : v.attempts) {
      // without `accepted` if it was said at once that it arrived
      if (did === 'accepted' && written)
        expect(`delivery.${report?.status ?? 'accepted'}`, report?.at ?? it.at, [channel]);
    }
  }
  return due;
}
