/** What is known of a number changes, is remembered for a while, or cannot be found out. */
import type { Command } from '../../command.ts';
import type { Line, Lookup, Refuse } from '../../lookup.ts';
import type { Draw } from '../../machine/random.ts';
import { liveNow, type State } from '../../model/state.ts';
import { DAY, SECOND } from '../../model/table.ts';
import {
  ask,
  type Begin,
  conduct,
  lastOf,
  liveKey,
  numbersOf,
  type Situation,
  type Steps,
  WRITTEN,
  wait,
} from './situation.ts';

/** Everything that can be told is refused. */
const refuseAll = (lookups: readonly Lookup[]): Refuse => {
  const told = lookups.flatMap((it) => it.tells);
  return {
    ...(told.includes('lineType') && { types: ['voip'] }),
    ...(told.includes('swapped') && { hours: 24 }),
    ...(told.includes('ported') && { ported: 24 }),
    ...(told.includes('recycled') && { recycled: true }),
  };
};
const refusing = (account: string, refuse: Refuse | undefined): Command => ({
  ...{ do: 'settings', account, twilio: true, camara: true, countries: [] },
  ...(refuse && { refuse }),
});
/** All providers do this. */
function* allDo(
  lookups: readonly Lookup[],
  what: Extract<Command, { do: 'provider' }>['conduct'],
): Steps<void> {
  for (const { name } of lookups) yield { do: 'provider', lookup: name, conduct: what };
}
const isFor = (lookups: readonly Lookup[]) => lookups.every((it) => it.for === undefined);

/** Its code is known when its message was seen. */
function* confirmLast(account: string, to: string): Steps<State> {
  const seen = yield wait(SECOND);
  const made = lastOf(seen, to, account);
  if (made?.v.code === undefined || made.v.confirmed) return seen;
  return yield { do: 'confirm', key: made.v.key, id: made.id, code: made.v.code };
}

/** What is true of a number turns bad and good again, around what is remembered. */
export const turnsBad: Begin = (s, draw) => {
  const [account, lookups] = [draw(2) === 0 ? 'a' : 'b', s.fixed.lookups];
  const [to] = numbersOf(s, account);
  return lookups === undefined || to === undefined ? undefined : turned(s, account, to, lookups, draw);
};

function* turned(s: State, account: string, to: string, lookups: readonly Lookup[], draw: Draw): Situation {
  yield refusing(account, refuseAll(lookups));
  yield wait(2 * SECOND);
  yield* allDo(lookups, 'answers');
  const lines: readonly Line[] = [{ type: 'mobile' }, { type: 'voip' }, { swapped: 2 }, { recycled: true }];
  const remember = lookups[0]?.remember ?? SECOND;
  let state = s;
  for (let round = 0; round < 4; round++) {
    yield { do: 'line', number: to, ...lines[draw(lines.length)] };
    state = (yield* ask(state, account, to)).s;
    // only who was confirmed may have gone to somebody else
    if (draw(2) === 0) state = yield* confirmLast(account, to);
    state = yield wait(draw(3) === 0 ? SECOND : draw(4) === 0 ? DAY : remember + draw(2) - 1);
  }
}

/** Providers fail again and again, until nobody asks them any more; then they answer. */
export const failsAgain: Begin = (s, draw) => {
  const lookups = s.fixed.lookups;
  if (lookups === undefined || !isFor(lookups) || liveKey(s, 'a') === undefined) return undefined;
  return failed(s, lookups, draw);
};

function* failed(s: State, lookups: readonly Lookup[], draw: Draw): Situation {
  yield refusing('a', { types: ['voip'] });
  yield wait(2 * SECOND);
  yield* allDo(lookups, draw(2) === 0 ? 'fails' : 'hung');
  let state = s;
  const numbers = numbersOf(s, 'a');
  // each number twice: of the first failure is known at the second
  for (let n = 0; n < 12; n++) {
    state = (yield* ask(state, 'a', numbers[Math.floor(n / 2) % numbers.length] ?? '')).s;
    state = yield wait(350);
  }
  yield* allDo(lookups, 'answers');
  yield wait(draw(2) === 0 ? 8 * SECOND : 10 * SECOND);
  for (let n = 0; n < 2; n++) state = (yield* ask(state, 'a', numbers[n] ?? '')).s;
}

/** Many at once ask for codes to one number, with and without room, and one that ends between question and code. */
export const askedAtOnce: Begin = (s, draw) => {
  const [to] = numbersOf(s, 'a');
  const [a, b] = [liveKey(s, 'a'), liveKey(s, 'b')];
  if (s.fixed.lookups === undefined || !to || !a || !b) return undefined;
  return atOnce(s, to, [a, a, b], s.fixed.lookups, draw);
};

function* atOnce(
  s: State,
  to: string,
  keys: readonly string[],
  lookups: readonly Lookup[],
  draw: Draw,
): Situation {
  for (const account of ['a', 'b']) yield refusing(account, refuseAll(lookups));
  const live = liveNow(s);
  const money = Math.round((0.1 + draw(8) / 50) * 100) / 100;
  yield { do: 'reload', live: { ...live, budgets: [{ of: 'installation', per: 'hour', money }] } };
  yield wait(2 * SECOND);
  yield* conduct(s, 'accepted');
  yield* allDo(lookups, draw(2) === 0 ? 'slow' : 'answers');
  yield { do: 'line', number: to, type: draw(2) === 0 ? 'voip' : 'mobile' };
  if (draw(2) === 0)
    yield { do: 'fault', fault: draw(2) === 0 ? 'crash before' : 'committed unheard', after: draw(2) };
  yield keys.slice(draw(2)).map((key) => ({ do: 'verify', key, to, channel: 'sms' }) as const);
  yield wait(WRITTEN);
  yield { do: 'verify', key: keys[0] ?? '', to, channel: 'sms' };
}

/** One key asks for numbers that are refused, one after the other. */
export const refusedAgain: Begin = (s) => {
  const [key, lookups] = [liveKey(s, 'a'), s.fixed.lookups];
  const isTold = lookups?.some((it) => it.tells.includes('lineType')) === true;
  return key === undefined || !isTold ? undefined : refused(s, key, lookups);
};

function* refused(s: State, key: string, lookups: readonly Lookup[]): Situation {
  yield refusing('a', { types: ['voip'] });
  yield wait(2 * SECOND);
  yield* allDo(lookups, 'answers');
  const numbers = numbersOf(s, 'a');
  for (const number of numbers) yield { do: 'line', number, type: 'voip' };
  for (const to of numbers.slice(0, 4)) yield { do: 'verify', key, to, channel: 'sms' };
}

/** A request is repeated when its number is refused by now, which is remembered or not. */
export const repeatedLater: Begin = (s, draw) => {
  const [[to], key, lookups] = [numbersOf(s, 'a'), liveKey(s, 'a'), s.fixed.lookups];
  if (to === undefined || key === undefined || lookups === undefined) return undefined;
  return repeated(s, key, to, lookups, draw(2) === 0);
};

function* repeated(
  s: State,
  key: string,
  to: string,
  lookups: readonly Lookup[],
  isRemembered: boolean,
): Situation {
  yield* allDo(lookups, 'answers');
  yield { do: 'line', number: to, type: 'voip', swapped: 1 };
  const asking = { do: 'verify', key, to, channel: 'sms', once: `later-${s.now}` } as const;
  yield refusing('a', undefined);
  yield wait(2 * SECOND);
  yield asking;
  yield refusing('a', refuseAll(lookups));
  yield wait(2 * SECOND);
  if (isRemembered) yield { do: 'verify', key, to, channel: 'sms' };
  yield asking;
}

/** Of two that can tell the same, the first does not answer, and the next does not know, or does. */
export const doesNotKnow: Begin = (s, draw) => {
  const [[to], [first, second]] = [numbersOf(s, 'a'), s.fixed.lookups ?? []];
  if (to === undefined || first === undefined || second === undefined) return undefined;
  return unknown(s, to, [first.name, second.name], draw(2) === 0);
};

function* unknown(
  s: State,
  to: string,
  [first, second]: readonly [string, string],
  isKnown: boolean,
): Situation {
  yield refusing('a', { types: ['voip'] });
  yield wait(2 * SECOND);
  yield { do: 'line', number: to, type: 'mobile' };
  yield { do: 'provider', lookup: first, conduct: 'fails' };
  yield { do: 'provider', lookup: second, conduct: isKnown ? 'answers' : 'knows not' };
  const { s: after } = yield* ask(s, 'a', to);
  yield { do: 'provider', lookup: first, conduct: 'answers' };
  yield wait(6 * SECOND);
  yield* ask(after, 'a', to);
}

/** Somebody else confirmed a number: another account, or a test key of the same. */
export const confirmedElsewhere: Begin = (s, draw) => {
  const [[to], lookups] = [numbersOf(s, 'a'), s.fixed.lookups];
  const isTold = lookups?.some((it) => it.tells.includes('recycled')) === true;
  const key = draw(2) === 0 ? 'a-test' : liveKey(s, 'b');
  if (to === undefined || !isTold || key === undefined) return undefined;
  return confirmed(to, key, lookups, draw(3) === 0);
};

function* confirmed(to: string, key: string, lookups: readonly Lookup[], isToday: boolean): Situation {
  yield* allDo(lookups, 'answers');
  yield refusing('a', { recycled: true });
  yield refusing('b', undefined);
  yield wait(2 * SECOND);
  yield { do: 'line', number: to, recycled: true };
  const code = '482919';
  const brought = key === 'a-test' ? { code } : {};
  const after = yield { do: 'verify', key, to, channel: 'sms', ...brought };
  const state = yield wait(isToday ? SECOND : WRITTEN);
  const [id, v] = [...state.made].at(-1) ?? [];
  if (id !== undefined && v?.to === to) yield { do: 'confirm', key, id, code: v.code ?? code };
  const live = liveKey(after, 'a');
  if (live !== undefined) yield { do: 'verify', key: live, to, channel: 'sms' };
}

/** Of two the second says wrongly what the first knows, and is asked about something else. */
export const disagrees: Begin = (s) => {
  const [[to], [first, second]] = [numbersOf(s, 'a'), s.fixed.lookups ?? []];
  if (to === undefined || first === undefined || second?.tells.includes('lineType') !== true)
    return undefined;
  return disagreed(s, to, first, second);
};

function* disagreed(s: State, to: string, first: Lookup, second: Lookup): Situation {
  yield* allDo([first, second], 'answers');
  yield { do: 'line', number: to, type: 'mobile' };
  yield refusing('a', { types: ['voip'], recycled: true });
  yield wait(2 * SECOND);
  yield* ask(s, 'a', to);
  const after = yield* confirmLast('a', to);
  yield wait(Math.max(first.remember, second.remember));
  yield { do: 'provider', lookup: second.name, conduct: 'mistaken' };
  yield* ask(after, 'a', to);
}

/** Of other hours nothing is remembered. */
export const otherHours: Begin = (s, draw) => {
  const [[to], lookups] = [numbersOf(s, 'a'), s.fixed.lookups];
  const isTold = lookups?.some((it) => it.tells.includes('swapped')) === true;
  return to === undefined || !isTold ? undefined : changed(s, to, lookups, draw(2) === 0);
};

function* changed(s: State, to: string, lookups: readonly Lookup[], isPorted: boolean): Situation {
  yield* allDo(lookups, 'answers');
  yield { do: 'line', number: to, type: 'mobile', swapped: 48, ported: 48 };
  let state = s;
  for (const hours of [24, 72]) {
    yield refusing('a', isPorted ? { hours: 24, ported: hours } : { hours });
    yield wait(2 * SECOND);
    state = (yield* ask(state, 'a', to)).s;
  }
}

/** An owner sets in the portal what no look-up can tell, or what one can. */
export const setsUntold: Begin = (s) => {
  const told = s.fixed.lookups?.flatMap((it) => it.tells) ?? [];
  const isOwner = s.people.get('ann')?.roles.a === 'owner';
  return isOwner ? untold(told.includes('ported') ? { recycled: true } : { ported: 24 }) : undefined;
};

function* untold(refuse: Refuse): Situation {
  yield { do: 'sign-in', by: 'ann' };
  yield { do: 'settings', account: 'a', twilio: true, camara: true, countries: [], refuse, by: 'ann' };
}
