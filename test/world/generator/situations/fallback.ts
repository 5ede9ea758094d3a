/** Codes that go on by another channel, and what comes just before, or meanwhile. */
import type { Command, Conduct } from '../../command.ts';
import type { Draw } from '../../machine/random.ts';
import { liveNow, type State, type Verification } from '../../model/state.ts';
import { SECOND, SETTLE } from '../../model/table.ts';
import type { LiveOptions } from '../../options.ts';
import { carriersOf, routeOf } from '../../routes.ts';
import { drawNext, FIVE, FOUR } from '../channels.ts';
import {
  ask,
  type Begin,
  liveKey,
  numbersOf,
  reportOf,
  type Situation,
  type Steps,
  WRITTEN,
  wait,
} from './situation.ts';

const THIRD = [{ carrier: 'three', price: 0.2 }];
/** By which channels, and over whose routes where there are none. */
interface Way extends Pick<NonNullable<LiveOptions['next']>, 'from' | 'to'> {
  readonly further?: LiveOptions['further'];
}
const CALLED: Way = { from: 'sms', to: 'voice' };
const WAYS: readonly Way[] = [
  ...[CALLED, CALLED],
  { from: 'rcs', to: 'sms', further: { rcs: [FOUR] } },
  { from: 'rcs', to: 'sms', further: { rcs: [FIVE, FOUR] } },
  { from: 'flashcall', to: 'sms', further: { flashcall: [FIVE] } },
  { from: 'flashcall', to: 'voice', further: { flashcall: [FOUR] } },
];

const KINDS = [inTime, inTime, afterFailure, afterFailure, reportedLate, outOfUse] as const;

export const anotherChannel: Begin = (s, draw) => {
  const account = draw(3) === 0 ? 'b' : 'a';
  const [to] = numbersOf(s, account);
  const isPossible = to !== undefined && liveKey(s, account) !== undefined && liveNow(s).route.length > 0;
  return isPossible ? around(s, draw, account, to) : undefined;
};

/** One code by a route that goes on, which it does afterwards as it did before. */
function* around(s: State, draw: Draw, account: string, number: string): Situation {
  const before = liveNow(s);
  const { from, to, further } = WAYS[draw(WAYS.length)] ?? CALLED;
  const next = { ...drawNext(draw, before), from, to };
  const live: LiveOptions = { ...before, further: { ...further, ...before.further }, next };
  if (before.next?.from !== from || before.next.to !== to) yield { do: 'reload', live };
  const state = yield wait(SECOND);
  const after = yield* (KINDS[draw(KINDS.length)] ?? inTime)(state, draw, account, number);
  if (JSON.stringify(liveNow(after)) !== JSON.stringify(before)) yield { do: 'reload', live: before };
}

/** The carriers of the first channel do the one, and the others the other. */
export function* conducts(s: State, first: Conduct, second: Conduct): Steps<State> {
  const live = liveNow(s);
  const firsts = routeOf(live, live.next?.from ?? 'sms') ?? [];
  let state = s;
  for (const { carrier } of carriersOf(live)) {
    const isFirst = firsts.some((it) => it.carrier === carrier);
    state = yield { do: 'carrier', carrier, conduct: isFirst ? first : second };
  }
  return state;
}

export interface Code {
  readonly s: State;
  readonly id: number;
  readonly key: string;
  readonly v: Verification;
}
/** By the channel that goes on; brought where that may be. */
export function* code(s: State, account: string, to: string): Steps<Code | State> {
  const channel = liveNow(s).next?.from ?? 'sms';
  const brought = account === 'a' && channel !== 'flashcall' ? '482919' : undefined;
  const asked = yield* ask(s, account, to, brought, channel);
  if (asked.made === undefined) return asked.s;
  const { id, v } = asked.made;
  return { s: asked.s, id, v, key: liveKey(asked.s, account) ?? v.key };
}

/** What ends a code, or changes by which way it goes. */
export function meanwhile(s: State, draw: Draw, { id, key, v }: Code): Command {
  const { next, ...live } = liveNow(s);
  const its = s.made.get(id) ?? v;
  const options: readonly Command[] = [
    { do: 'confirm', key, id, code: its.code ?? '100001' },
    reportOf(its, 'delivered') ?? wait(0),
    reportOf(its, 'delivered') ?? wait(0),
    reportOf(its, 'undelivered') ?? wait(0),
    { do: 'erase', number: v.to },
    { do: 'block', account: v.account, what: v.to },
    { do: 'keyword', from: v.to, carrier: its.attempts.at(-1)?.carrier ?? 'one', word: 'STOP' },
    { do: 'reload', live },
    { do: 'reload', live: { ...live, next: drawNext(draw, live) } },
    { do: 'crash' },
    { do: 'look', key, id },
    wait(0),
  ];
  return options[draw(options.length)] ?? wait(0);
}

/** Whoever is listed may be written to again. */
function* listedNoMore(s: State, { v }: Code): Steps<State> {
  const isListed = s.blocked.get(`${v.account} ${v.to}`)?.at(-1)?.value === true;
  return isListed ? yield { do: 'unblock', account: v.account, what: v.to } : s;
}

/** A carrier takes it and says nothing, or none takes it, until just before its time is over. */
function* inTime(s: State, draw: Draw, account: string, to: string): Steps<State> {
  const first: Conduct = draw(2) === 0 ? 'failed for now' : 'accepted';
  let state = yield* conducts(s, first, 'accepted');
  const asked = yield* code(state, account, to);
  if (!('v' in asked)) return asked;
  const after = liveNow(asked.s).next?.after ?? 10 * SECOND;
  state = yield wait(after - (draw(2) === 0 ? 1 : SECOND));
  state = yield meanwhile(state, draw, asked);
  state = yield wait(draw(2) === 0 ? 1 : SECOND);
  if (first !== 'accepted') state = yield wait(SETTLE + 10 * SECOND);
  state = yield* atLast(state, draw, asked);
  // whatever became of it, the next one goes on
  state = (yield* ask(state, account, numbersOf(state, account)[0] ?? to)).s;
  return yield wait(after + SETTLE + SECOND);
}

/** It is refused at once, or reported undelivered, while the others wait. */
function* afterFailure(s: State, draw: Draw, account: string, to: string): Steps<State> {
  const first: Conduct = draw(2) === 0 ? 'refused' : 'accepted';
  let state = yield* conducts(s, first, draw(2) === 0 ? 'failed for now' : 'accepted');
  const asked = yield* code(state, account, to);
  if (!('v' in asked)) return asked;
  state = yield wait(draw(2) === 0 ? 0 : WRITTEN);
  for (const _ of carriersOf(liveNow(state))) {
    const report = reportOf(state.made.get(asked.id) ?? asked.v, 'undelivered');
    if (first === 'accepted') state = yield report ?? wait(0);
    if (first === 'accepted') state = yield wait(WRITTEN);
  }
  if (draw(2) === 0) return yield wait(SETTLE + 10 * SECOND); // with nothing between
  state = yield meanwhile(state, draw, asked);
  state = yield wait(draw(10 * SECOND));
  return yield* atLast(state, draw, asked);
}

/** Both channels have it, and the first one says at last what became of it. */
function* reportedLate(s: State, draw: Draw, account: string, to: string): Steps<State> {
  let state = yield* conducts(s, 'accepted', draw(3) === 0 ? 'failed for now' : 'accepted');
  const asked = yield* code(state, account, to);
  if (!('v' in asked)) return asked;
  state = yield wait((liveNow(asked.s).next?.after ?? 10 * SECOND) + WRITTEN);
  const v = state.made.get(asked.id) ?? asked.v;
  const attempts = v.attempts.slice(0, 1);
  state = yield reportOf({ ...v, attempts }, draw(2) === 0 ? 'delivered' : 'undelivered') ?? wait(0);
  state = yield wait(draw(2) === 0 ? 0 : WRITTEN);
  return yield* atLast(state, draw, asked);
}

/** Nobody knows whether the first ones took it, so often that their breakers open. */
function* outOfUse(s: State, _: Draw, account: string, to: string): Steps<State> {
  const next = { from: 'sms', to: 'voice', carriers: THIRD } as const;
  yield { do: 'reload', live: { ...liveNow(s), budgets: [], next } };
  let state = yield wait(SECOND);
  state = yield* conducts(state, 'answer lost', 'accepted');
  const asked = yield* code(state, account, to);
  if (!('v' in asked)) return asked;
  state = yield wait(250 * SECOND);
  state = yield { do: 'look', key: asked.key, id: asked.id };
  return yield* conducts(state, 'accepted', 'accepted');
}

/** All carriers take it; the last one reports, somebody confirms, and all is looked at. */
export function* atLast(s: State, draw: Draw, asked: Code): Steps<State> {
  const { id, key } = asked;
  let state = yield* conducts(s, 'accepted', 'accepted');
  state = yield wait(WRITTEN + draw(5 * SECOND));
  const its = () => state.made.get(id) ?? asked.v;
  if (draw(2) === 0) state = yield reportOf(its(), draw(2) === 0 ? 'delivered' : 'undelivered') ?? wait(0);
  state = yield wait(WRITTEN);
  state = yield { do: 'look', key, id };
  if (draw(2) === 0) state = yield { do: 'confirm', key, id, code: its().code ?? '100001' };
  state = yield wait(WRITTEN);
  state = yield { do: 'look', key, id };
  return yield* listedNoMore(state, asked);
}
