/** The route takes no more codes today, and midnight is near. */

import { liveNow, type State } from '../../model/state.ts';
import { DAY, SECOND } from '../../model/table.ts';
import type { LiveOptions } from '../../options.ts';
import { ask, type Begin, liveKey, numbersOf, type Situation, wait } from './situation.ts';

/** Once in so many times, as it takes a good part of a day. */
const SELDOM = 3;

export const cappedRoute: Begin = (s, draw) => {
  const isPossible = liveKey(s, 'a') !== undefined && numbersOf(s, 'a').length > 1;
  if (!isPossible || liveNow(s).route.length === 0 || draw(SELDOM) > 0) return undefined;
  return overMidnight(s, draw(2) === 0 ? 'committed unheard' : undefined);
};

function* overMidnight(s: State, fault: 'committed unheard' | undefined): Situation {
  const before = liveNow(s);
  const { next: _, ...plain } = before;
  const live: LiveOptions = { ...plain, countries: [], budgets: [], routeCap: 2 };
  let state = yield { do: 'reload', live };
  state = yield wait(DAY - (state.now % DAY) - SECOND);
  for (const [i, to] of numbersOf(state, 'a').slice(0, 3).entries()) {
    if (i === 0 && fault !== undefined) yield { do: 'fault', fault };
    state = (yield* ask(state, 'a', to)).s;
  }
  state = yield wait(SECOND);
  const [to = ''] = numbersOf(state, 'a');
  yield* ask(state, 'a', to);
  yield { do: 'reload', live: before };
}
