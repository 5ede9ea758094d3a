import { mayBeLogged } from './audit.ts';
import { expired, isFullAt, must, over, textOf } from './common.ts';
import { endpointsOf, judgeTelling, judgeTest, wants } from './endpoints.ts';
import type { Attempt, State, Told } from './state.ts';
import { fieldOf, masked, SECOND, WRITTEN } from './table.ts';
import { dueOf, happened, isOf, judgeData, mayOvertake, mostOf, ONCE_ONLY, testedIn } from './told.ts';

/** Whether two tell the same of one verification. */
const isSame = (one: Told, two: Told) =>
  one.type === two.type &&
  textOf(one.data, 'id') === textOf(two.data, 'id') &&
  (ONCE_ONLY.test(one.type) ||
    ['carrier', 'channel'].every((name) => textOf(one.data, name) === textOf(two.data, name)));

/** Webhook messages wait until no answer is due that may explain them, as those of carriers do. */
export function hear(s: State, start: number): void {
  for (const it of s.early.filter((one) => one.at < start)) judge(s, it);
  s.early = s.early.filter((it) => it.at >= start);
}

function judge(s: State, it: Told): void {
  judgeTelling(s, it);
  // after five days of nothing but failures the service disables it, and says so (Tries)
  if (!it.took) mayBeLogged(s, it.account, 'webhook.', it);
  if (it.type === 'webhook.test') {
    judgeTest(s, it);
    s.told.push(kept(it));
    return;
  }
  const of = (name: string) => textOf(it.data, name);
  const [id, to] = [of('id'), of('destination')];
  const ours = s.verifications.filter((v) => v.id !== undefined && v.id === id);
  // whose answer was lost is known by its webhook messages at last
  const lost = s.verifications.filter(
    (v) => v.id === undefined && v.account === it.account && v.only === testedIn(it),
  );
  const at = Date.parse(of('at') ?? '') + SECOND;
  const may = lost.filter(
    (one) =>
      (masked(one.to) === to || one.to === to) && fieldOf(it.data, 'test') === one.test && one.asked.at <= at,
  );
  const v = ours[0] ?? may.find((one) => one.erased === undefined) ?? may[0];
  must(v !== undefined, `${it.account} was told ${it.type} of an unknown verification (webhooks.md)`);
  v.id ??= id;
  must(v.account === it.account, `${it.account} was told of a verification of ${v.account} (webhooks.md)`);
  const erased = v.erased !== undefined && it.at > v.erased.until + SECOND;
  must(!erased, `${it.type} was told after an erasure (personal-data.md, Answering a request)`);
  const past = over(v.asked, s.fixed.retention.verifications, { at: it.at, until: it.at }) === 'yes';
  must(!past, `${it.type} was told after its verification’s retention (webhooks.md, Tries)`);
  must(happened(s, v, it), `${it.account} was told ${it.type}, which has not happened (webhooks.md)`);
  judgeData(s, v, it);
  const again = s.told.find((one) => one.id === it.id);
  const before = s.told.filter((one) => textOf(one.data, 'id') === id);
  const shared = again !== undefined && !(isSame(again, it) && before.includes(again));
  must(!shared, 'two events have one webhook-id (webhooks.md, At least once)');
  const isLike = again === undefined || of('at') === textOf(again.data, 'at');
  must(isLike, `${it.type} is told again, and says that it was at another time (webhooks.md, At least once)`);
  const others = before.filter((one) => isSame(one, it) && one.id !== it.id);
  const twice = new Set(others.map((one) => one.id)).size >= mostOf(s, v, it);
  must(!twice, `${it.type} came with two ids (webhooks.md, At least once)`);
  // The messages of one verification come in order as long as nothing fails; that it expired is told some ten seconds later.
  // A process that was asleep when another one went on says afterwards what it had done.
  const failed =
    s.told.some((one) => one.account === it.account && !one.took) ||
    s.deaths.some((one) => one >= v.asked.at) ||
    isFullAt(s, at - SECOND);
  const late = Date.parse(of('at') ?? '') < Date.parse(textOf(before.at(-1)?.data, 'at') ?? '') - WRITTEN;
  const isOpen = it.type === 'verification.expired' || mayOvertake(s, v, it);
  const order = failed || again !== undefined || !late || isOpen;
  must(order, `${it.type} came after what was later (webhooks.md, At least once)`);
  s.told.push(kept(it));
}
/** The body is said to be right, and long. */
const kept = (it: Told): Told => ({ ...it, signed: { ...it.signed, body: '' } });

/** What an endpoint took before somebody had all of that time told again, and did not get again since (webhooks.md, Tries). */
function* notAgain(s: State, replay: State['replays'][number], at: number): Generator<Due> {
  const { account, since, all } = replay;
  const were = endpointsOf(s, account, { at: replay.at, until: at });
  if (s.told.some((it) => it.account === account && it.gone === true && it.at >= replay.at)) return;
  for (const it of all ? s.told : []) {
    const v = s.verifications.find((one) => one.id === textOf(it.data, 'id'));
    const happened = Date.parse(textOf(it.data, 'at') ?? '');
    const isMeant =
      happened >= since + SECOND && happened < replay.at - SECOND && it.at < replay.at - WRITTEN;
    if (it.account !== account || !it.took || !isMeant || v === undefined || v.erased) continue;
    // on a full disk nobody notes that it was taken
    if (isFullAt(s, it.at) && replay.at <= s.roomSince + WRITTEN) continue;
    const kept = Math.min(s.fixed.retention.events, s.fixed.retention.verifications);
    if (over(v.asked, kept, { at, until: at }) !== 'no') continue;
    if (!were.every((one) => wants(one, it.type))) continue;
    const isAgain = s.told.some((one) => one.id === it.id && one.at >= replay.at);
    if (!isAgain) yield { account, id: it.id, what: `${it.type} again`, since: replay.until };
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
  const took = s.told.filter((it) => it.took);
  const due: Due[] = [];
  for (const v of s.verifications) {
    const { id, account, ended, confirmed, exhausted } = v;
    if (id === undefined || v.erased || failing.has(account) || over(v.asked, kept, now) !== 'no') continue;
    const were = endpointsOf(s, account, { at: v.asked.at, until: at });
    const its = took.filter((it) => textOf(it.data, 'id') === id);
    const expect = (type: string, since = Number.POSITIVE_INFINITY, of?: Attempt) => {
      const isTold = its.some((it) => it.type === type && (of === undefined || isOf(of, it.data)));
      const what = of === undefined ? type : `${type} by ${of.carrier}`;
      // of what it did not want all that time, whether it is told of what lies near a change is open
      const isWanted = were.every((one) => wants(one, type));
      if (since <= at && !isTold && isWanted) due.push({ account, id, what, since });
    };
    expect('verification.requested', v.asked.until);
    if (confirmed?.app === false) expect('verification.confirmed', confirmed.until);
    if (!confirmed) expect('verification.exhausted', exhausted?.until);
    // some ten seconds after that, also of one that was ended before (webhooks.md, What comes)
    // whether a test of a carrier, which nobody can confirm, is told to have expired is open
    const mayEnd = v.only === undefined && (ended === undefined || ended.sure);
    const isEnded = mayEnd && expired(s, v, now) === 'yes';
    if (isEnded && !confirmed && !exhausted)
      expect('verification.expired', v.asked.until + s.fixed.code.validFor + 10 * SECOND);
    for (const it of dueOf(s, v)) expect(it.type, it.since, it.of);
  }
  for (const replay of s.replays) due.push(...notAgain(s, replay, at));
  for (const [account, tests] of s.tests)
    for (const { value: id, until } of failing.has(account) ? [] : tests) {
      const isOn = endpointsOf(s, account, { at: until, until: at }).every((it) => it.isOn);
      const isTold = took.some((it) => it.id === id);
      if (id !== undefined && isOn && !isTold) due.push({ account, id, what: 'webhook.test', since: until });
    }
  return due;
}
