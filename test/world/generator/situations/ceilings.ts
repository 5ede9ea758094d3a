/** The operator lets an account have more or fewer codes and guesses than others, and changes that while they are counted. */

import { liveNow, type State } from '../../model/state.ts';
import { MINUTE } from '../../model/table.ts';
import type { LiveOptions } from '../../options.ts';
import {
  ask,
  type Begin,
  lastOf,
  liveKey,
  numbersOf,
  type Situation,
  type Steps,
  wait,
} from './situation.ts';

export const changedCeiling: Begin = (s, draw) => {
  const account = draw(2) === 0 ? 'a' : 'b';
  const [to] = numbersOf(s, account);
  const isPossible = to !== undefined && liveKey(s, account) !== undefined && liveNow(s).route.length > 0;
  return isPossible ? changed(s, account, to, 1 + draw(2)) : undefined;
};

/** A short window first, then a long one, which counts what the short one does not any more. */
function* changed(s: State, account: string, to: string, most: number): Situation {
  const { routeCap: _, ...before } = liveNow(s);
  const reload = (sends: string, wrong: string) => {
    const ceilings = { [account]: { sends: [sends], wrong: [wrong] } };
    const live: LiveOptions = { ...before, budgets: [], ceilings };
    return { do: 'reload', live } as const;
  };
  let state = yield reload(`${most}/1m`, '1/1m');
  for (let i = 0; i <= most; i++) state = (yield* ask(state, account, to)).s;
  for (let i = 0; i < 2; i++) state = yield* guessWrong(state, account, to);
  state = yield wait(MINUTE);
  for (let i = 0; i < most; i++) state = (yield* ask(state, account, to)).s;
  state = yield* guessWrong(state, account, to);
  state = yield reload(`${2 * most + 1}/1h`, '2/1h');
  for (let i = 0; i < 2; i++) state = (yield* ask(state, account, to)).s;
  state = yield* guessWrong(state, account, to);
  const by = account === 'a' ? 'ann' : 'bob';
  yield { do: 'sign-in', by };
  yield { do: 'list', by, account, what: 'settings' };
  state = yield { do: 'reload', live: liveNow(s) };
  yield* ask(state, account, to);
}

/** At the newest code of a number. */
function* guessWrong(s: State, account: string, to: string): Steps<State> {
  const id = lastOf(s, to, account)?.id;
  if (id === undefined) return s;
  return yield { do: 'confirm', key: liveKey(s, account) ?? 'nobody', id, code: '100001' };
}
