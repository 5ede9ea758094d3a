/** A number is erased while its carriers have not answered yet, and asked for again. */

import type { State } from '../../model/state.ts';
import { SECOND } from '../../model/table.ts';
import { type Begin, conduct, liveKey, numbersOf, type Situation, wait } from './situation.ts';

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
