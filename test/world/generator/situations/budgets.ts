/** Budgets that are nearly full, and what changes before somebody asks again. */

import type { Draw } from '../../machine/random.ts';
import { liveNow, type State } from '../../model/state.ts';
import { MINUTE, ON_ITS_WAY, SECOND, SETTLE } from '../../model/table.ts';
import type { LiveOptions } from '../../options.ts';
import {
  ask,
  type Begin,
  conduct,
  liveKey,
  numbersOf,
  reportOf,
  type Situation,
  WRITTEN,
  wait,
} from './situation.ts';

const KINDS = [becomesDearer, isNew, allRefuse, expires, isRefused] as const;

export const fullBudgets: Begin = (s, draw) => {
  const isPossible = ['a', 'b'].every((it) => liveKey(s, it) !== undefined && numbersOf(s, it).length > 0);
  const { route } = liveNow(s);
  return isPossible && route.length > 0 ? around(s, draw) : undefined;
};

/** As before afterwards, so that the rest of a history is not spent on refusals. */
function* around(s: State, draw: Draw): Situation {
  const before = liveNow(s);
  yield* (KINDS[draw(KINDS.length)] ?? expires)(s);
  const after = yield* conduct(s, 'accepted');
  if (JSON.stringify(liveNow(after)) !== JSON.stringify(before)) yield { do: 'reload', live: before };
}

/** Room for two messages, and not for three. */
function budgeted(s: State): LiveOptions {
  const prices = [0.05, 0.1];
  const route = liveNow(s).route.map(({ carrier }, i) => ({ carrier, price: prices[i] ?? 0.1 }));
  const money = route.length > 1 ? 0.4 : 0.14;
  return { countries: [], route, budgets: [{ of: 'installation', per: 'day', money }] };
}

/** One number after the other, slowly enough for the limit of requests. */
function* asks(s: State, account: string, count: number) {
  let state = s;
  const made: number[] = [];
  for (const to of numbersOf(s, account).slice(0, count)) {
    const asked = yield* ask(state, account, to);
    if (asked.made !== undefined) made.push(asked.made.id);
    state = yield wait(SECOND / 2);
  }
  return { s: state, made };
}

/** What waits is led to carriers that cost more than it holds. */
function* becomesDearer(s: State): Situation {
  const live = budgeted(s);
  let state = yield { do: 'reload', live };
  state = yield* conduct(state, 'failed for now');
  state = (yield* asks(state, 'a', 3)).s;
  const route = live.route.map((it) => ({ ...it, price: live.route.length > 1 ? 0.3 : 0.1 }));
  state = yield { do: 'reload', live: { ...live, route } };
  yield wait(ON_ITS_WAY + SECOND);
  yield* conduct(state, 'accepted');
  yield wait(10 * SECOND);
}

/** What waits is counted by a budget that was not there when it was accepted, and given back to it once. */
function* isNew(s: State): Situation {
  const { budgets, ...live } = budgeted(s);
  const roomy = budgets.map((it) => ({ ...it, money: 2 }));
  let state = yield { do: 'reload', live: { ...live, budgets: roomy } };
  state = yield* conduct(state, 'failed for now');
  const first = yield* asks(state, 'a', 2);
  state = yield {
    do: 'reload',
    live: { ...live, budgets: [...roomy, ...budgets.map((it) => ({ ...it, of: 'account' as const }))] },
  };
  state = yield wait(ON_ITS_WAY + SECOND);
  state = yield* conduct(state, 'accepted');
  state = yield wait(5 * SECOND + WRITTEN);
  for (const id of first.made) {
    const v = state.made.get(id);
    state = yield (v && reportOf(v, 'delivered')) ?? wait(0);
  }
  state = yield wait(MINUTE);
  yield* asks(state, 'a', 8);
}

/** What no carrier takes costs nothing. */
function* allRefuse(s: State): Situation {
  let state = yield { do: 'reload', live: budgeted(s) };
  state = yield* conduct(state, 'refused');
  state = (yield* asks(state, 'a', 2)).s;
  state = yield wait(SETTLE + MINUTE);
  state = yield* conduct(state, 'accepted');
  yield* asks(state, 'a', 2);
}

/** Nobody else is asked any more. */
function* expires(s: State): Situation {
  let state = yield { do: 'reload', live: budgeted(s) };
  state = yield* conduct(state, 'accepted');
  state = (yield* asks(state, 'a', 2)).s;
  state = yield wait(s.fixed.code.validFor + SETTLE + MINUTE);
  yield* asks(state, 'a', 1);
}

/** One budget is full, which takes nothing from another one. */
function* isRefused(s: State): Situation {
  const budgets: LiveOptions['budgets'] = [
    { of: 'account', per: 'day', messages: 1 },
    { of: 'installation', per: 'day', messages: 4 },
  ];
  let state = yield { do: 'reload', live: { ...budgeted(s), budgets } };
  state = yield* conduct(state, 'accepted');
  state = (yield* asks(state, 'a', 7)).s;
  yield* asks(state, 'b', 1);
}
