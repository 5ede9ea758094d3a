/** More tests of a carrier than an account may send in an hour. */
import { liveNow, type State } from '../../model/state.ts';
import { HOUR } from '../../model/table.ts';
import { type Begin, liveKey, numbersOf, type Situation, wait } from './situation.ts';

export const manyTests: Begin = (s, draw) => tests(s, draw(3) === 0 ? 'b' : 'a');

/** Somebody tries the code of each at the number that it came to. */
function* tests(s: State, account: string): Situation {
  const by = [...s.people].find(([, it]) => it.roles[account] === 'owner')?.[0] ?? '';
  const carrier = liveNow(s).route.at(-1)?.carrier ?? '';
  const numbers = numbersOf(s, account);
  const test = (to = '') => ({ do: 'test-carrier', by, account, carrier, to, channel: 'sms' }) as const;
  yield { do: 'sign-in', by };
  for (let n = 0; n < 6; n++) {
    const after = yield test(numbers[n % numbers.length]);
    const { to, code } = after.verifications.findLast((it) => it.only !== undefined) ?? {};
    const key = liveKey(after, account) ?? 'nobody';
    if (to !== undefined && code !== undefined) yield { do: 'twilio-check', key, of: to, code };
  }
  for (const ms of [HOUR - 1, 1]) {
    yield wait(ms);
    yield { do: 'prove', by };
    yield test(numbers[0]);
  }
}
