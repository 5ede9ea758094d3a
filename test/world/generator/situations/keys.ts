/** Keys that end by themselves, and are replaced before. */
import { FIRST_KEYS, HOUR, MINUTE, POOL, SECOND } from '../../model/table.ts';
import { type Begin, type Situation, wait } from './situation.ts';

export const replacedKey: Begin = (s, draw) => replaced(s.keys.size, draw(3) === 0 ? 'b' : 'a', draw(2));

/** The overlap is longer than the key was to last, or shorter. */
function* replaced(count: number, account: string, which: number): Situation {
  const nameOf = (n: number) => `k${count - FIRST_KEYS.length + n}`;
  const [key, next] = [nameOf(1), nameOf(2)];
  yield { do: 'make-key', account, name: key, test: true, customCodes: false, lasts: MINUTE };
  yield { do: 'rotate-key', key, name: next, overlap: which === 0 ? HOUR : 30 * SECOND };
  for (const ms of [30 * SECOND, 30 * SECOND, SECOND]) {
    yield wait(ms);
    yield { do: 'verify', key, to: POOL[0] ?? '', channel: 'sms' };
  }
}
