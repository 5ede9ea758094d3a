/** Several say at once what one verification was, by every door, and then it is erased. */
import type { Command, Made } from '../../command.ts';
import type { Draw } from '../../machine/random.ts';
import type { State } from '../../model/state.ts';
import { SECOND } from '../../model/table.ts';
import { ask, type Begin, liveKey, numbersOf, type Situation, wait } from './situation.ts';

export const saidAtOnce: Begin = (s, draw) => {
  const [to] = numbersOf(s, 'a');
  const isOwner = s.people.get('ann')?.roles.a === 'owner';
  return to === undefined || !isOwner ? undefined : said(s, to, draw);
};

function* said(s: State, to: string, draw: Draw): Situation {
  yield { do: 'sign-in', by: 'ann' };
  yield { do: 'settings', account: 'a', twilio: true, camara: true, countries: [] };
  yield wait(2 * SECOND);
  const { s: after, made } = yield* ask(s, 'a', to);
  const key = liveKey(after, 'a');
  if (made === undefined || key === undefined) return;
  const { id } = made;
  const open = { do: 'open', by: 'ann', account: 'a', id } as const;
  for (let round = 0; round < 2; round++) {
    yield Array.from({ length: 2 + draw(2) }, () => someVerdict(draw, key, id));
    yield open;
  }
  yield { do: 'list', by: 'ann', account: 'a', what: 'audit' };
  yield { do: 'erase', number: to, account: 'a' };
  yield someVerdict(draw, key, id);
  yield open;
}

function someVerdict(draw: Draw, key: string, id: Made): Command {
  const verdict = draw(2) === 0 ? 'fraud' : 'good';
  switch (draw(3)) {
    case 0:
      return { do: 'judge', by: 'ann', account: 'a', id, verdict: draw(4) === 0 ? null : verdict };
    case 1:
      return { do: 'twilio-feedback', key, id, sid: 'SM', ...(draw(3) === 0 && { outcome: 'unconfirmed' }) };
    default:
      return { do: 'feedback', key, id, verdict };
  }
}
