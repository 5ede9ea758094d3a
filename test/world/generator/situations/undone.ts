/** Something refuses codes, and is taken back after somebody was refused, with nothing else between. */
import type { Command } from '../../command.ts';
import type { Draw } from '../../machine/random.ts';
import { liveNow, type State } from '../../model/state.ts';
import { planOf, SECOND } from '../../model/table.ts';
import { type Begin, liveKey, numbersOf, type Situation, wait } from './situation.ts';

export const undone: Begin = (s, draw) => {
  const account = draw(2) === 0 ? 'a' : 'b';
  const [to] = numbersOf(s, account);
  const key = liveKey(s, account);
  if (to === undefined || key === undefined) return undefined;
  const all = pairs(s, draw, account, to, key);
  const pair = all[draw(all.length)];
  return pair && thereAndBack({ do: 'verify', key, to, channel: 'sms' }, ...pair);
};

type Pair = readonly [refuse: Command, undo: Command];

function pairs(s: State, draw: Draw, account: string, to: string, key: string): readonly Pair[] {
  const what = draw(2) === 0 ? to : to.slice(0, 5 + draw(4));
  const others = ['US', 'DE'].filter((it) => it !== planOf(to).country);
  const bound = (channels: string[], countries: string[]): Command => ({
    ...{ do: 'bound-key', key, channels, countries },
  });
  const own = (countries: readonly string[]): Command => ({
    do: 'settings',
    account,
    twilio: true,
    countries,
  });
  const reload = (countries: readonly string[]): Command => ({
    do: 'reload',
    live: { ...liveNow(s), countries },
  });
  const name = `r${s.rules.size + 1}`;
  const where = draw(2) === 0 ? { account } : {};
  const [of, value] = (
    [
      ['number', to],
      ['range', to.slice(0, 6)],
      ['key', key],
    ] as const
  )[draw(3)] ?? ['key', key];
  return [
    [
      { do: 'block', account, what },
      { do: 'unblock', account, what },
    ],
    [
      { do: 'guard-rule', name, action: 'deny', of, value, ...where },
      { do: 'lift-rule', name, ...where },
    ],
    [bound(['voice'], []), bound([], [])],
    [bound([], others), bound([], [])],
    [own(others), own([])],
    [reload(others), reload(liveNow(s).countries)],
  ];
}

function* thereAndBack(asking: Command, refuse: Command, undo: Command): Situation {
  for (const command of [refuse, undo]) {
    yield command;
    yield wait(2 * SECOND);
    yield asking;
  }
}
