/** Keys that end by themselves, and are replaced before, and keys that only owners widen. */
import type { Command } from '../../command.ts';
import type { Draw } from '../../machine/random.ts';
import { DAY, HOUR, MINUTE, POOL, SECOND } from '../../model/table.ts';
import { type Begin, nextKey, type Situation, wait } from './situation.ts';

export const replacedKey: Begin = (s, draw) =>
  replaced([nextKey(s), nextKey(s, 1)], draw(3) === 0 ? 'b' : 'a', draw(2));

/** The overlap is longer than the key was to last, or shorter. */
function* replaced([key, next]: readonly [string, string], account: string, which: number): Situation {
  yield { do: 'make-key', account, name: key, test: true, customCodes: false, lasts: MINUTE };
  yield { do: 'rotate-key', key, name: next, overlap: which === 0 ? HOUR : 30 * SECOND };
  for (const ms of [30 * SECOND, 30 * SECOND, SECOND]) {
    yield wait(ms);
    yield { do: 'verify', key, to: POOL[0] ?? '', channel: 'sms' };
  }
}

/** A developer tries what only owners do to a key that may bring codes, and what developers may do, too. */
export const ownersKey: Begin = (s, draw) => {
  const [account, by] = draw(2) === 0 ? (['a', 'dan'] as const) : (['b', 'vic'] as const);
  if (s.people.get(by)?.roles[account] !== 'developer') return undefined;
  return triedByOthers(nextKey(s), account, by, draw);
};

function* triedByOthers(key: string, account: string, by: string, draw: Draw): Situation {
  yield { do: 'make-key', account, name: key, test: false, customCodes: true, lasts: HOUR };
  yield { do: 'sign-in', by };
  const tried: Command[] = [
    { do: 'change-key', key, lasts: null, by },
    { do: 'change-key', key, lasts: DAY, by },
    { do: 'change-key', key, lasts: MINUTE, by },
    { do: 'change-key', key, lasts: DAY, customCodes: false, by },
    { do: 'bound-key', key, channels: ['sms'], countries: [], by },
    { do: 'rotate-key', key, name: `${key}b`, overlap: HOUR, by },
  ];
  for (const command of tried) if (draw(2) === 0) yield command;
}
