/** A range is listed, and is taken off the list after somebody was refused. */
import { SECOND } from '../../model/table.ts';
import { ask, type Begin, liveKey, numbersOf, type Situation, wait } from './situation.ts';

export const rangeTakenOff: Begin = (s, draw) => {
  const account = draw(2) === 0 ? 'a' : 'b';
  const [to] = numbersOf(s, account);
  if (to === undefined || liveKey(s, account) === undefined) return undefined;
  return listedForAWhile(account, to, to.slice(0, 5 + draw(4)));
};

function* listedForAWhile(account: string, to: string, what: string): Situation {
  yield { do: 'block', account, what };
  let state = yield wait(2 * SECOND);
  state = (yield* ask(state, account, to)).s;
  yield { do: 'unblock', account, what };
  state = yield wait(2 * SECOND);
  yield* ask(state, account, to);
}
