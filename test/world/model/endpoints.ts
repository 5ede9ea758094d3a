/** What an endpoint of webhooks is told, how it is signed, and who changes that (webhooks.md). */
import { createHmac } from 'node:crypto';
import { inEffect, must, over } from './common.ts';
import { changes } from './operator.ts';
import type { Command, Endpoint, Span, State, Told } from './state.ts';
import { listOf } from './state.ts';
import { DAY, fieldOf, MINUTE, SECOND, WRITTEN } from './table.ts';

/** A change takes effect within seconds, on every node (webhooks.md). */
const LAG = 5 * SECOND;

/** As what an endpoint may have been set in that time. */
export function endpointsOf(s: State, account: string, span: Span): readonly Endpoint[] {
  // whoever sends takes an endpoint over before it reads how it is set, and on a full disk it keeps what it has
  const isFull = span.at >= s.fullSince && span.at <= s.roomSince + LAG;
  const from = isFull ? { ...span, at: s.fullSince } : span;
  return inEffect(s.endpoints.get(account) ?? [], from, LAG);
}
export const wants = ({ isOn, types }: Endpoint, type: string): boolean =>
  isOn && (types.length === 0 || types.includes(type));

/** It is told what it wants, while it is not disabled, and of nothing that happened while it was (Tries). */
export function judgeTelling(s: State, it: Told): void {
  const is = { at: it.at, until: it.at };
  const isOn = endpointsOf(s, it.account, is).some((one) => one.isOn);
  const since = s.endpoints.get(it.account)?.at(-1)?.value.onSince ?? 0;
  const isThere = isOn && isGone(s, it.account, since, is) !== 'yes';
  must(isThere, `${it.account} was told ${it.type}, and its endpoint is disabled (webhooks.md, Tries)`);
  const happened = Date.parse(String(fieldOf(it.data, 'at')));
  // that a code expired is told some ten seconds later, and may be written only then
  const until = it.type === 'verification.expired' ? it.at : happened + SECOND;
  const were = endpointsOf(s, it.account, { at: happened - SECOND, until });
  const isWanted = it.type === 'webhook.test' || were.some((one) => wants(one, it.type));
  must(isWanted, `${it.account} was told ${it.type}, which it did not want (webhooks.md, What comes)`);
  must(isSigned(s, it), `${it.type} is not signed by the secrets of ${it.account} (webhooks.md, Secrets)`);
}

/** By its secret, and for a day after a rotation by the one before, too; by both and by nothing else. */
function isSigned(s: State, { account, at, id, signed }: Told): boolean {
  const { timestamp, body, signature } = signed;
  if (Math.abs(Number(timestamp) * SECOND - at) > MINUTE + SECOND) return false; // as far as clocks may differ
  const given = signature.split(' ');
  const sign = (secret: string) =>
    `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')}`;
  const fits = (secrets: readonly (string | undefined)[]) => {
    const known = secrets.filter((it) => it !== undefined).map(sign);
    // of a rotation whose answer was lost nobody knows the secret
    return given.length === secrets.length && known.every((it) => given.includes(it));
  };
  return endpointsOf(s, account, { at, until: at }).some(({ secret, before }) => {
    const past = before === undefined ? 'yes' : over(before, DAY, { at: at - MINUTE, until: at + MINUTE });
    return (past !== 'no' && fits([secret])) || (past !== 'yes' && fits([secret, before?.secret]));
  });
}

/** Whether it answered 410 since it was turned on, which disables it once that is written down (Tries). */
function isGone(s: State, account: string, onSince: number, now: Span): 'no' | 'may' | 'yes' {
  const at = s.told.find((it) => it.account === account && it.gone === true && it.at >= onSince)?.at;
  if (at === undefined) return 'no';
  const isUnwritten = s.roomSince >= at || s.deaths.some((it) => it >= at);
  return isUnwritten || now.at <= at + LAG ? 'may' : 'yes';
}

/** Nothing but failures for five days since it was turned on disables it (Tries). */
function isOff(s: State, account: string, { isOn, onSince }: Endpoint, now: Span): 'no' | 'may' | 'yes' {
  if (!isOn) return 'yes';
  const gone = isGone(s, account, onSince, now);
  if (gone !== 'no') return gone;
  const its = s.told.filter((it) => it.account === account);
  const since = its.slice(its.findLastIndex((it) => it.took) + 1).find((it) => it.at >= onSince)?.at;
  return since !== undefined && since + 5 * DAY - MINUTE <= now.until ? 'may' : 'no';
}

/**
 * Whether it fails, as its last messages say: nothing but failures since it took one. Open where they differ within a moment,
 * may not be written down, or came before it was turned on.
 */
function isFailing(s: State, account: string, set: Endpoint, now: Command): boolean | undefined {
  const its = s.told.filter((it) => it.account === account);
  const last = its.at(-1);
  if (last === undefined || !set.isOn || last.at < set.onSince) return undefined;
  const isWritten = last.at < now.at - WRITTEN && s.roomSince < last.at;
  const hasDied = s.deaths.some((it) => it > last.at - MINUTE);
  const lately = its.filter((it) => it.at > last.at - WRITTEN);
  if (!isWritten || hasDied || lately.some((it) => it.took !== last.took)) return undefined;
  return !last.took;
}

/** The one endpoint of an account, as its members see it. */
export function judgeEndpoints(s: State, account: string, now: Command): void {
  const list = now.answer.body;
  const shown: readonly unknown[] = Array.isArray(list) ? list : [];
  must(shown.length === 1, `${shown.length} endpoints of ${account} are shown (${PAGE})`);
  const [it] = shown;
  const isShown = (set: Endpoint): boolean => {
    const isDisabled = (fieldOf(it, 'disabled_at') ?? null) !== null;
    const isIts = fieldOf(it, 'full_numbers') === set.full;
    const types = fieldOf(it, 'types');
    const isSame = Array.isArray(types) && types.toSorted().join() === set.types.toSorted().join();
    const isSaidToFail = (fieldOf(it, 'failing_since') ?? null) !== null;
    const isSo = isDisabled || (isFailing(s, account, set, now) ?? isSaidToFail) === isSaidToFail;
    return isIts && isSame && isSo && isOff(s, account, set, now) !== (isDisabled ? 'no' : 'yes');
  };
  const is = inEffect(s.endpoints.get(account) ?? [], now, 0).some(isShown);
  must(is, `the endpoint of ${account} is shown as ${JSON.stringify(it)} (${PAGE})`);
}
const PAGE = 'webhooks.md, Tries';

/** What owners, developers and the operator do to it. To enable or disable what is so already is open. */
export function webhooks(s: State, command: Command): readonly State[] {
  const ask = command.command;
  if (!('account' in ask) || ask.account === undefined) return [s];
  const { account } = ask;
  const now = s.endpoints.get(account)?.at(-1)?.value;
  const { at, until } = command;
  const put = (refusal: 'no' | 'may' | 'must', more: (its: State, isTold: boolean) => Partial<Endpoint>) =>
    changes(
      s,
      command,
      now === undefined ? 'must' : refusal,
      'webhooks.md, Who may do what',
      (its, isTold) => {
        if (now !== undefined)
          listOf(its.endpoints, account).push({ at, until, value: { ...now, ...more(its, isTold) } });
      },
    );
  const mayBeOff = now === undefined || isOff(s, account, now, command) !== 'no';
  switch (ask.do) {
    case 'change-webhook': {
      const { full = now?.full ?? false, types = now?.types ?? [] } = ask;
      return put('no', () => ({ full, types }));
    }
    case 'enable-webhook':
      return put(now?.isOn === false ? 'no' : 'may', () => ({ isOn: true, onSince: at }));
    case 'disable-webhook':
      return put(mayBeOff ? 'may' : 'no', () => ({ isOn: false }));
    case 'rotate-webhook':
      return put('no', (_, isTold) => {
        const secret = isTold ? String(fieldOf(command.answer.body, 'secret')) : undefined;
        return { secret, before: { at, until, secret: now?.secret } };
      });
    case 'test-webhook':
      return put(mayBeOff ? 'may' : 'no', (its, isTold) => {
        const id = isTold ? String(fieldOf(command.answer.body, 'message')) : undefined;
        listOf(its.tests, account).push({ at, until, value: id });
        return {};
      });
    case 'replay-webhook':
      return put(mayBeOff ? 'may' : 'no', (its) => {
        its.replays.push({ at, until, account, since: at - ask.ago, all: ask.all });
        return {};
      });
    default:
      return [s];
  }
}

/** Somebody pressed "Send a test"; its data has only `at` (webhooks.md, What comes). */
export function judgeTest(s: State, it: Told): void {
  const tests = (s.tests.get(it.account) ?? []).map(({ value }) => value);
  const isAsked = tests.includes(it.id) || tests.includes(undefined);
  must(isAsked, `${it.account} was told a test that nobody sent (webhooks.md, What comes)`);
  const names = Object.keys(it.data ?? {}).join();
  must(names === 'at', `the data of a test has ${names} (webhooks.md, What comes)`);
}
