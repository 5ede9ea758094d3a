/** A limit is reached, and something happens that must not give anything back. */
import type { Command } from '../../command.ts';
import type { Draw } from '../../machine/random.ts';
import { liveNow, type State } from '../../model/state.ts';
import { SECOND } from '../../model/table.ts';
import { ask, type Begin, conduct, liveKey, nextKey, numbersOf, type Situation, wait } from './situation.ts';

const LIMITS = ['sends', 'wrong', 'budget', 'cap'] as const;
type Limit = (typeof LIMITS)[number];

export const stillCounted: Begin = (s, draw) => {
  const isPossible =
    liveKey(s, 'a') !== undefined && numbersOf(s, 'a').length > 2 && liveNow(s).route.length > 0;
  const limit = LIMITS[draw(LIMITS.length)];
  return isPossible && limit !== undefined ? reached(s, draw, limit) : undefined;
};

function* reached(s: State, draw: Draw, limit: Limit): Situation {
  const before = liveNow(s);
  const all = numbersOf(s, 'a');
  const set = { do: 'settings', account: 'a', twilio: true, countries: [] } as const;
  let state = yield* conduct(s, 'accepted');
  if (limit === 'sends' || limit === 'wrong') state = yield { ...set, [limit]: ['2/1d'] };
  if (limit === 'budget')
    state = yield {
      do: 'reload',
      live: { ...before, budgets: [{ of: 'account', per: 'day', messages: 2 }] },
    };
  if (limit === 'cap') state = yield { do: 'reload', live: { ...before, routeCap: 2 } };
  state = yield wait(2 * SECOND);
  const isOfNumber = limit === 'sends' || limit === 'wrong';
  const numberAt = (i: number) => (isOfNumber ? all[0] : all[i]) ?? '';
  const ids: number[] = [];
  for (const i of [0, 1]) {
    const asked = yield* ask(state, 'a', numberAt(i), String(482_930 + i));
    ids.push(asked.made?.id ?? -1);
    state = yield wait(SECOND);
    const key = liveKey(state, 'a') ?? 'nobody';
    if (limit === 'wrong') state = yield { do: 'confirm', key, id: ids[i] ?? -1, code: `10000${i}` };
  }
  state = yield meanwhile(state, draw, numberAt(0), ids);
  state = yield wait(3 * SECOND);
  const again = yield* ask(state, 'a', numberAt(2), '482939');
  const key = liveKey(again.s, 'a') ?? 'nobody';
  if (limit === 'wrong') yield { do: 'confirm', key, id: again.made?.id ?? -1, code: '482939' };
  if (isOfNumber) yield set;
  else yield { do: 'reload', live: before };
}

function meanwhile(s: State, draw: Draw, number: string, [id = -1]: readonly number[]): Command {
  const key = liveKey(s, 'a') ?? 'nobody';
  const live = liveNow(s);
  const all: readonly Command[] = [
    { do: 'crash' },
    { do: 'restart' },
    { do: 'erase', number },
    { do: 'twilio-update', key, id, status: 'canceled' },
    { do: 'reload', live: { ...live, route: live.route.map((it) => ({ ...it, price: it.price * 2 })) } },
    { do: 'rotate-key', key, name: nextKey(s), overlap: 0 },
    { do: 'block', account: 'b', what: number },
  ];
  return all[draw(all.length)] ?? { do: 'crash' };
}
