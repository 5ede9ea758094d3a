/** A number is erased while its carriers have not answered yet, or after wrong codes, and asked for again. */

import type { State } from '../../model/state.ts';
import { SECOND } from '../../model/table.ts';
import { ask, type Begin, conduct, liveKey, numbersOf, type Situation, wait } from './situation.ts';

export const erasedUnderWay: Begin = (s, draw) => {
  const [to] = numbersOf(s, 'a');
  const key = liveKey(s, 'a');
  return to === undefined || key === undefined ? undefined : erased(s, key, to, draw(2) === 0);
};

function* erased(s: State, key: string, to: string, isEverywhere: boolean): Situation {
  const state = yield* conduct(s, 'hung');
  const asking = { do: 'verify', key, to, channel: 'sms', once: `erased-${state.now}` } as const;
  yield asking;
  yield wait(SECOND);
  yield { do: 'erase', number: to, ...(isEverywhere ? {} : { account: 'a' }) };
  const after = yield asking;
  yield* conduct(after, 'accepted');
  yield asking;
}

export const guessesOutliveErasure: Begin = (s) => {
  const [to] = numbersOf(s, 'a');
  return to === undefined || liveKey(s, 'a') === undefined ? undefined : wrongBefore(to);
};

function* wrongBefore(to: string): Situation {
  const set = { do: 'settings', account: 'a', twilio: false, countries: [] } as const;
  let state = yield { ...set, wrong: ['2/1d'] };
  for (const [code, guess] of [
    ['482921', '100001'],
    ['482922', '100002'],
  ] as const) {
    const asked = yield* ask(state, 'a', to, code);
    const key = liveKey(asked.s, 'a') ?? 'nobody';
    state = yield { do: 'confirm', key, id: asked.made?.id ?? -1, code: guess };
    state = yield wait(SECOND);
  }
  yield { do: 'erase', number: to };
  const again = yield* ask(state, 'a', to, '482923');
  const key = liveKey(again.s, 'a') ?? 'nobody';
  yield { do: 'confirm', key, id: again.made?.id ?? -1, code: '482923' };
  yield set;
}
