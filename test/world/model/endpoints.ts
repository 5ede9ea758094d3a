/** What an endpoint of webhooks is told, how it is signed, and who changes that (webhooks.md). */
import { createHmac } from 'node:crypto';
import { inEffect, must, over } from './common.ts';
import { changes } from './operator.ts';
import type { Command, Endpoint, Span, State, Told } from './state.ts';
import { listOf } from './state.ts';
import { DAY, fieldOf, MINUTE, SECOND } from './table.ts';

/** A change takes effect within seconds, on every node (webhooks.md). */
const LAG = 5 * SECOND;

/** As what an endpoint may have been set in that time. */
export const endpointsOf = (s: State, account: string, span: Span): readonly Endpoint[] =>
  inEffect(s.endpoints.get(account) ?? [], span, LAG);
export const wants = ({ isOn, types }: Endpoint, type: string): boolean =>
  isOn && (types.length === 0 || types.includes(type));

/** It is told what it wants, while it is not disabled, and of nothing that happened while it was (Tries). */
export function judgeTelling(s: State, it: Told): void {
  const is = { at: it.at, until: it.at };
  const isOn = endpointsOf(s, it.account, is).some((one) => one.isOn);
  must(isOn, `${it.account} was told ${it.type}, and its endpoint is disabled (webhooks.md, Tries)`);
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
  // nothing but failures for five days disables it
  const mayBeOff = now?.isOn !== true || s.told.some((it) => it.account === account && !it.took);
  switch (ask.do) {
    case 'change-webhook': {
      const { full = now?.full ?? false, types = now?.types ?? [] } = ask;
      return put('no', () => ({ full, types }));
    }
    case 'enable-webhook':
      return put(now?.isOn === false ? 'no' : 'may', () => ({ isOn: true }));
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
