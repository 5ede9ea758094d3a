/** A number has no guesses left, until the oldest leaves its window. */

import type { Draw } from '../../machine/random.ts';
import type { State } from '../../model/state.ts';
import { DAY, MINUTE, SECOND } from '../../model/table.ts';
import { edges } from '../edges.ts';
import { ask, type Begin, liveKey, numbersOf, type Situation, wait } from './situation.ts';

export const usedUpGuesses: Begin = (s, draw) => {
  const [to] = numbersOf(s, 'a');
  return to === undefined || liveKey(s, 'a') === undefined ? undefined : guesses(s, draw, to);
};

function* guesses(s: State, draw: Draw, to: string): Situation {
  const most = 1 + draw(2);
  let state: State = yield {
    ...{ do: 'settings', account: 'a', twilio: true, countries: [] },
    ...{ wrong: [`${most}/1m`] },
  };
  state = yield wait(2 * SECOND);
  const codes = ['482916', '482917'];
  let asked = yield* ask(state, 'a', to, codes[0]);
  if (asked.made === undefined) return;
  const key = liveKey(asked.s, 'a') ?? 'nobody';
  for (let wrong = 0; wrong < most; wrong++) {
    if (asked.made === undefined) return;
    if (asked.made.v.wrong >= s.fixed.code.guesses) asked = yield* ask(asked.s, 'a', to, codes[1]);
    const id = asked.made?.id ?? -1;
    state = yield wait(1 + draw(SECOND));
    state = yield { do: 'confirm', key, id, code: '100001' };
    const v = state.made.get(id);
    asked = { s: state, made: v && { s: state, id, v } };
  }
  if (asked.made === undefined) return;
  const { id } = asked.made;
  if (draw(2) === 0) yield { do: 'twilio-update', key, id, status: 'approved' };
  else state = yield { do: 'confirm', key, id, code: '100002' };
  const freed = edges(state).find((it) => it.kind === 'guesses' && it.at > state.now)?.at;
  if (freed === undefined || freed - state.now > MINUTE) return;
  state = yield wait(freed - state.now - SECOND);
  const again = yield* ask(state, 'a', to, '482918');
  state = yield wait(freed - again.s.now);
  yield { do: 'confirm', key, id: again.made?.id ?? id, code: draw(2) === 0 ? '482918' : '100003' };
}

export const guessesOverMidnight: Begin = (s) => {
  const [to] = numbersOf(s, 'a');
  return to === undefined || liveKey(s, 'a') === undefined ? undefined : overMidnight(to);
};

/** A right code clears the wrong ones of the day before, too. */
function* overMidnight(to: string): Situation {
  let state: State = yield { do: 'settings', account: 'a', twilio: true, countries: [], wrong: ['2/1d'] };
  const midnight = (Math.floor(state.now / DAY) + 1) * DAY;
  state = yield wait(midnight - 5 * SECOND - state.now);
  const first = yield* ask(state, 'a', to, '482916');
  const key = liveKey(first.s, 'a') ?? 'nobody';
  for (const code of ['100001', '482916']) {
    yield { do: 'confirm', key, id: first.made?.id ?? -1, code };
    state = yield wait(10 * SECOND);
  }
  const again = yield* ask(state, 'a', to, '482917');
  yield { do: 'confirm', key, id: again.made?.id ?? -1, code: '100002' };
}
