/** Codes over RCS that are taken back before they go on by a text, and what happens before that, while it lasts, and after. */
import type { Command, Conduct, TakingBack } from '../../command.ts';
import type { Draw } from '../../machine/random.ts';
import { liveNow, type State } from '../../model/state.ts';
import { SECOND, SETTLE } from '../../model/table.ts';
import type { LiveOptions } from '../../options.ts';
import { takesBack } from '../../routes.ts';
import { FIVE, FOUR } from '../channels.ts';
import { atLast, type Code, code, conducts, meanwhile } from './fallback.ts';
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

const AFTER = [5 * SECOND, 20 * SECOND];
const ANSWERS: readonly TakingBack[] = [
  ...([
    'revoked',
    'unless arriving',
    'unless arriving',
    'unless arriving',
    'arrived',
    'unknown',
    'failed',
    'hung',
  ] as const),
];
/** Who says nothing keeps nobody from the next channel. */
const SILENT: readonly TakingBack[] = ['unknown', 'failed', 'failed', 'hung'];
/** Where carriers of texts fail for a while, each of their rounds asks again. */
const TEXTS: readonly Conduct[] = [
  'accepted',
  'accepted',
  'accepted',
  'failed for now',
  'refused',
  'answer lost',
];
/** A carrier may be waited for a second and a half, or five. */
const INTO = [0, 1, 700, 1_499, 1_500, 1_501, 2_500, 4_999];

export const takenBack: Begin = (s, draw) => {
  const account = draw(3) === 0 ? 'b' : 'a';
  const [to] = numbersOf(s, account);
  const isPossible = to !== undefined && liveKey(s, account) !== undefined && liveNow(s).route.length > 0;
  return isPossible ? around(s, draw, account, to) : undefined;
};

function* around(s: State, draw: Draw, account: string, to: string): Situation {
  const before = liveNow(s);
  const { routeCap: _, ...others } = before;
  // the route of texts may have no place left
  const isFull = draw(5) === 0;
  const isCapped = !isFull && draw(5) === 0;
  const after = AFTER[draw(AFTER.length)] ?? 0;
  const rcs = draw(3) === 0 ? [FOUR, FIVE] : [FOUR];
  const live: LiveOptions = {
    ...others,
    further: { ...before.further, rcs },
    ...(isFull && { routeCap: 1 }),
    next: {
      from: 'rcs',
      to: 'sms',
      after,
      ...(isCapped && { carriers: [{ carrier: 'three', price: 0.2, cap: 1 }] }),
      ...(!isFull && !isCapped && draw(3) === 0 && { carriers: [{ carrier: 'three', price: 0.2 }] }),
    },
  };
  yield { do: 'reload', live };
  let state = yield wait(SECOND);
  if (isFull) state = (yield* ask(state, account, numbersOf(state, account)[1] ?? to)).s;
  let last = yield* goesOn(state, draw, account, to, after);
  if (isCapped) last = yield* another(last, account, after);
  if (JSON.stringify(liveNow(last)) !== JSON.stringify(before)) yield { do: 'reload', live: before };
}

function* goesOn(s: State, draw: Draw, account: string, to: string, after: number): Steps<State> {
  let state = yield* conducts(
    s,
    draw(4) === 0 ? 'slow' : 'accepted',
    TEXTS[draw(TEXTS.length)] ?? 'accepted',
  );
  const isAlone = draw(4) === 0;
  const answers = isAlone ? SILENT : ANSWERS;
  const answer = answers[draw(answers.length)] ?? 'revoked';
  state = yield { do: 'take-back', carrier: FOUR.carrier, answer };
  const asked = yield* code(state, account, to);
  if (!('v' in asked)) return asked;
  const taken = asked.s.made.get(asked.id)?.attempts[0]?.did === 'accepted' ? 0 : WRITTEN;
  if (isAlone) {
    // with nothing between
    state = yield wait(after + SETTLE + 2 * WRITTEN);
    return yield* atLast(state, draw, asked);
  }
  state = yield wait(after + taken - SECOND);
  if (draw(4) === 0) state = yield meanwhile(state, draw, asked);
  state = yield wait(SECOND + (INTO[draw(INTO.length)] ?? 0));
  if (draw(4) > 0) state = yield during(state, draw, asked);
  state = yield wait(WRITTEN + draw(5 * SECOND));
  const v = state.made.get(asked.id) ?? asked.v;
  const late = reportOf(
    { ...v, attempts: v.attempts.slice(0, 1) },
    draw(2) === 0 ? 'delivered' : 'undelivered',
  );
  if (draw(2) === 0) state = yield late ?? wait(0);
  return yield* atLast(state, draw, asked);
}

/** One more, for which a carrier of texts may have no place today. */
function* another(s: State, account: string, after: number): Steps<State> {
  let state = yield* conducts(s, 'accepted', 'accepted');
  state = yield { do: 'take-back', carrier: FOUR.carrier, answer: 'revoked' };
  const asked = yield* code(state, account, numbersOf(state, account)[0] ?? '');
  return yield wait('v' in asked ? after + 2 * WRITTEN : 0);
}

/** While its carrier is waited for. */
function during(s: State, draw: Draw, asked: Code): Command {
  const { id, key } = asked;
  const v = s.made.get(id) ?? asked.v;
  const first = v.attempts.filter((it) => takesBack(it.carrier)).slice(0, 1);
  const options: readonly Command[] = [
    reportOf({ ...v, attempts: first }, 'delivered') ?? wait(0),
    reportOf({ ...v, attempts: first }, 'delivered') ?? wait(0),
    reportOf({ ...v, attempts: first }, 'undelivered') ?? wait(0),
    { do: 'confirm', key, id, code: v.code ?? '100001' },
    { do: 'confirm', key, id, code: v.code ?? '100001' },
    { do: 'twilio-update', key, id, status: 'canceled' },
    { do: 'crash' },
    { do: 'restart' },
    meanwhile(s, draw, asked),
  ];
  return options[draw(options.length)] ?? wait(0);
}
