/** Missed calls: nearly as many open codes as there may be, and guesses at short codes. */
import type { Command } from '../../command.ts';
import type { Draw } from '../../machine/random.ts';
import { liveNow, type State } from '../../model/state.ts';
import { MINUTE, SECOND } from '../../model/table.ts';
import type { LiveOptions } from '../../options.ts';
import { FIVE } from '../channels.ts';
import { ask, type Begin, lastOf, liveKey, numbersOf, type Situation, WRITTEN, wait } from './situation.ts';

/** Whose the others are, and how many: nearly a fifth for one account, nearly half for all, or enough to meet one of them. */
const CROWDS = [
  { account: 'a', many: 1_998 },
  { account: 'a', many: 2_000 },
  { account: 'x', many: 4_998 },
  { account: 'x', many: 5_000 },
  { account: 'x', many: 4_500 },
] as const;

export const crowded: Begin = (s, draw) => {
  const crowd = CROWDS[draw(CROWDS.length)];
  const isPossible = liveKey(s, 'a') !== undefined && numbersOf(s, 'a').length > 3 && s.crowds.length === 0;
  return isPossible && crowd !== undefined ? amongMany(s, draw, crowd) : undefined;
};

/** Whoever is over a limit of one account leaves the rest to the others. */
function* amongMany(s: State, draw: Draw, crowd: (typeof CROWDS)[number]): Situation {
  const before = liveNow(s);
  yield { do: 'reload', live: served(before) };
  const lasts = MINUTE;
  // a repetition needs no ending
  const again: Command = {
    ...{ do: 'verify', channel: 'flashcall', once: 'call' },
    ...{ key: liveKey(s, 'a') ?? 'nobody', to: numbersOf(s, 'a').at(-1) ?? '' },
  };
  yield again;
  let state = yield { do: 'crowd', ...crowd, lasts };
  const since = state.now;
  const [refused = '', ...others] = numbersOf(state, 'a');
  const asks = [refused, refused, refused, ...others.slice(0, 3)];
  // what is refused takes none from others
  yield { do: 'block', account: 'a', what: refused };
  for (const [n, to] of asks.entries()) {
    state = (yield* ask(state, 'a', to, undefined, 'flashcall')).s;
    state = yield wait(n === 2 ? WRITTEN : SECOND / 2);
  }
  yield { do: 'unblock', account: 'a', what: refused };
  yield again;
  const [to = ''] = numbersOf(state, 'b');
  if (liveKey(state, 'b') !== undefined) state = (yield* ask(state, 'b', to, undefined, 'flashcall')).s;
  // nobody is called for a test key
  yield { do: 'verify', key: 'a-test', to, channel: 'flashcall' };
  if (draw(3) === 0) state = yield { do: 'crash' };
  for (const at of [since + lasts - 1, since + lasts + s.fixed.code.validFor]) {
    state = yield wait(at - state.now);
    state = (yield* ask(state, 'a', numbersOf(state, 'a')[0] ?? to, undefined, 'flashcall')).s;
  }
  yield { do: 'reload', live: before };
}

/** No budget, and no cap, is in the way. */
function served(live: LiveOptions): LiveOptions {
  const { routeCap: _, ...others } = live;
  return { ...others, budgets: [], further: { ...live.further, flashcall: [FIVE] } };
}

export const shortCodes: Begin = (s, draw) => {
  const [to] = numbersOf(s, 'a');
  return to === undefined || liveKey(s, 'a') === undefined ? undefined : guessed(s, draw, to);
};

/** Once more than there are guesses, through whichever door, and then the right one. */
function* guessed(s: State, draw: Draw, to: string): Situation {
  const before = liveNow(s);
  yield { do: 'reload', live: served(before) };
  yield { do: 'carrier', carrier: FIVE.carrier, conduct: draw(2) === 0 ? 'arrived' : 'accepted' };
  yield { do: 'settings', account: 'a', twilio: true, camara: true, countries: [] };
  yield wait(2 * SECOND);
  let state = (yield* ask(s, 'a', to, undefined, 'flashcall')).s;
  for (let n = 0; n < 4; n++) {
    const { id = -1, v } = lastOf(state, to, 'a') ?? {};
    const code = n < 3 || v?.code === undefined ? `100${n}` : v.code;
    const key = liveKey(state, 'a') ?? 'nobody';
    const doors: readonly Command[] = [
      { do: 'confirm', key, id, code },
      { do: 'camara-check', key, id, code },
      { do: 'twilio-check', key, of: id, code },
    ];
    state = yield wait(SECOND);
    state = yield doors[draw(doors.length)] ?? wait(0);
  }
  yield { do: 'look', key: liveKey(state, 'a') ?? 'nobody', id: lastOf(state, to, 'a')?.id ?? -1 };
  yield { do: 'reload', live: before };
}
