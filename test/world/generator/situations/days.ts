/** What ends only after days, and so seldom by chance: each takes much of a history's time. */
import type { State } from '../../model/state.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../model/table.ts';
import { ask, type Begin, nextKey, numbersOf, type Situation, wait } from './situation.ts';

const SELDOM = 12;

export const daysLater: Begin = (s, draw) => {
  if (draw(SELDOM) > 0) return undefined;
  return draw(2) === 0 ? usedForDays(s) : failsForDays(s);
};

/** A session that is used all the time, and proven again. A key that ended before is still listed. */
function* usedForDays(s: State): Situation {
  const by = 'ann';
  const key = nextKey(s);
  yield { do: 'make-key', account: 'a', name: key, test: false, customCodes: false };
  yield { do: 'revoke-key', key };
  yield { do: 'sign-in', by };
  for (let used = 0; used < 7 * DAY; used += 11 * HOUR) {
    yield wait(11 * HOUR);
    yield used > 5 * DAY ? { do: 'prove', by } : { do: 'list', by, account: 'a', what: 'members' };
  }
  yield { do: 'list', by, account: 'a', what: 'members' };
  yield { do: 'sign-in', by };
  yield { do: 'list', by, account: 'a', what: 'keys' };
}

/** An endpoint that fails until it is disabled, and is enabled again. */
function* failsForDays(s: State): Situation {
  const account = 'a';
  yield { do: 'endpoint', account, status: 500 };
  let state = yield { do: 'enable-webhook', account };
  for (let days = 0; days < 6; days += 2) {
    for (const to of numbersOf(s, account).slice(0, 1)) state = (yield* ask(state, account, to)).s;
    yield wait(2 * DAY);
  }
  yield { do: 'enable-webhook', account };
  yield { do: 'test-webhook', account };
  yield wait(MINUTE);
  yield { do: 'sign-in', by: 'ann' };
  yield { do: 'list', by: 'ann', account, what: 'webhooks' };
  yield { do: 'endpoint', account, status: 204 };
  yield wait(SECOND);
}
