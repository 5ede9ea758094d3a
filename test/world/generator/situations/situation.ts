import type { Channel, Command, Conduct } from '../../command.ts';
import type { Group } from '../../history.ts';
import type { Draw } from '../../machine/random.ts';
import { keysOf } from '../../model/common.ts';
import { liveNow, type State, type Verification } from '../../model/state.ts';
import { FIRST_KEYS, POOL, planOf, SECOND } from '../../model/table.ts';

/** Gives one command after the other, or several at once, and is told what the model knows after each. */
export type Situation = Generator<Command | Group, void, State>;
/** Begins a situation, where the state allows it. */
export type Begin = (s: State, draw: Draw) => Situation | undefined;

export type Steps<T> = Generator<Command | Group, T, State>;

/** What the next key of a history is called. */
export const nextKey = (s: State, after = 0): string => `k${s.keys.size - FIRST_KEYS.length + 1 + after}`;

export const wait = (ms: number): Command => ({ do: 'wait', ms: Math.max(0, ms) });

/** A live key that may do what its account may. */
export function liveKey(s: State, account: string): string | undefined {
  const now = { at: s.now, until: s.now };
  return [...s.keys.keys()].findLast((name) => {
    const { good, bad } = keysOf(s, name, now);
    const isFree = good.every((it) => !it.test && it.channels.length + it.countries.length === 0);
    return good[0]?.account === account && !bad && isFree;
  });
}

/** The numbers that an account may have texts sent to, those with the fewest codes first. */
export function numbersOf(s: State, account: string): readonly string[] {
  const own = s.settings.get(account)?.at(-1)?.value.countries ?? [];
  const isAllowed = (list: readonly string[], to: string) =>
    list.length === 0 || list.includes(planOf(to).country);
  const isListed = (to: string) =>
    [...s.blocked].some(([it, changes]) => {
      const [owner, what = ''] = it.split(' ');
      return owner === account && to.startsWith(what) && changes.at(-1)?.value !== false;
    });
  const count = (to: string) => s.verifications.filter((v) => v.to === to).length;
  return POOL.filter((to) => planOf(to).type === 'mobile' && !isListed(to))
    .filter((to) => isAllowed(own, to) && isAllowed(liveNow(s).countries, to))
    .sort((one, two) => count(one) - count(two));
}

/** All carriers of the route do the same. */
export function* conduct(s: State, ...conducts: readonly Conduct[]): Steps<State> {
  let state = s;
  for (const [i, { carrier }] of liveNow(s).route.entries())
    state = yield { do: 'carrier', carrier, conduct: conducts[i] ?? conducts.at(-1) ?? 'accepted' };
  return state;
}

interface Made {
  readonly s: State;
  readonly id: number;
  readonly v: Verification;
}
/** The verification of a number that came last, and what its id is called. */
export function lastOf(s: State, to: string, account?: string): Made | undefined {
  const made = [...s.made].findLast(
    ([, v]) => v.to === to && (account ?? v.account) === v.account && !v.test,
  );
  return made && { s, id: made[0], v: made[1] };
}

/** Asks for a code; what came of it, as far as it is known. */
export function* ask(
  s: State,
  account: string,
  to: string,
  code?: string,
  channel: Channel = 'sms',
): Steps<{ readonly s: State; readonly made: Made | undefined }> {
  const key = liveKey(s, account) ?? 'nobody';
  const before = lastOf(s, to, account)?.id;
  const after = yield { do: 'verify', key, to, channel, ...(code === undefined ? {} : { code }) };
  const made = lastOf(after, to, account);
  return { s: after, made: made?.id === before ? undefined : made };
}

/** Carriers call their messages by their number, which reports name. */
export function reportOf(v: Verification, status: 'delivered' | 'undelivered'): Command | undefined {
  const sent = Number(v.attempts.findLast((it) => it.did === 'accepted')?.reference.slice(1)) - 1;
  return sent >= 0 ? { do: 'report', sent, status } : undefined;
}

/** Longer than it takes to write down what a carrier answered. */
export const WRITTEN = 3 * SECOND;
