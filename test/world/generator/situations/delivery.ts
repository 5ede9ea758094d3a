/** Messages that go another way than their verifications. */
import type { Command, Conduct } from '../../command.ts';
import type { Draw } from '../../machine/random.ts';
import { liveNow, type State } from '../../model/state.ts';
import { SECOND } from '../../model/table.ts';
import {
  ask,
  type Begin,
  conduct,
  lastOf,
  liveKey,
  numbersOf,
  reportOf,
  type Situation,
  type Steps,
  WRITTEN,
  wait,
} from './situation.ts';

/** Two accounts write to one number, which answers. */
export const twoSenders: Begin = (s, draw) => {
  const accounts = draw(2) === 0 ? (['a', 'b'] as const) : (['b', 'a'] as const);
  const [one, two] = liveNow(s).route;
  const reach = accounts.map((it) => numbersOf(s, it));
  const to = reach[0]?.find((it) => reach[1]?.includes(it));
  if (accounts.some((it) => liveKey(s, it) === undefined) || to === undefined || !one) return undefined;
  return two === undefined || draw(2) === 0
    ? lateFirst(s, draw, accounts, to, one.carrier)
    : throughTwo(s, accounts, to, [one.carrier, two.carrier]);
};

type Two = readonly [first: string, second: string];

/** Who asks first is accepted last, after some tries or by a carrier that takes its time. One code is brought, as a rule: of two that nobody knows it is open whose a message is. */
function* lateFirst(s: State, draw: Draw, [first, second]: Two, to: string, carrier: string): Situation {
  const code = String(482_920 + draw(80));
  const brought = (account: string) => (account === 'a' ? code : undefined);
  yield* conduct(s, draw(2) === 0 ? 'slow' : 'failed for now');
  yield* conduct((yield* ask(s, first, to, brought(first))).s, 'accepted');
  yield* answers(yield* both(s, second, to, brought(second)), [first, second], to, carrier);
}

/** Each goes through a carrier of its own. */
function* throughTwo(s: State, [first, second]: Two, to: string, [carrier]: Two): Situation {
  yield* conduct(s, 'accepted');
  yield* conduct(yield* both(s, first, to), 'refused', 'accepted');
  yield* answers(yield* both(s, second, to), [first, second], to, carrier);
}

function* both(s: State, account: string, to: string, code?: string): Steps<State> {
  yield* ask(s, account, to, code);
  return yield wait(2 * WRITTEN);
}

/** Somebody sends STOP, and both go on. */
function* answers(s: State, accounts: Two, to: string, carrier: string): Situation {
  let state = yield* conduct(s, 'accepted');
  state = yield { do: 'keyword', from: to, carrier, word: 'STOP' };
  for (const account of accounts) state = (yield* ask(state, account, to)).s;
  yield { do: 'keyword', from: to, carrier, word: 'START' };
}

/** A message waits, or a carrier has it and says nothing, and meanwhile its code is over. */
export const overMeanwhile: Begin = (s, draw) => {
  const account = draw(3) === 0 ? 'b' : 'a';
  const [to] = numbersOf(s, account);
  return to === undefined || liveKey(s, account) === undefined
    ? undefined
    : endsMeanwhile(s, draw, account, to);
};

function* endsMeanwhile(s: State, draw: Draw, account: string, to: string): Situation {
  const end = (['expired', 'confirmed', 'canceled', 'erased'] as const)[draw(4)] ?? 'expired';
  const first: Conduct = end === 'expired' || draw(2) === 0 ? 'failed for now' : 'hung';
  if (end === 'canceled') yield { do: 'settings', account, twilio: true, countries: [] };
  yield* conduct(s, first, first === 'hung' ? 'accepted' : first);
  const asked = yield* ask(s, account, to, account === 'a' ? '482915' : undefined);
  if (asked.made === undefined) return;
  const { id, v } = asked.made;
  const key = liveKey(asked.s, account) ?? v.key;
  let state = yield wait(draw(2 * SECOND));
  // a process that stops lets the carrier answer first
  const stop: Command[] = draw(3) === 0 ? [{ do: 'restart' }] : [];
  if (end === 'confirmed') {
    const code = lastOf(state, to, account)?.v.code ?? v.code ?? '100001';
    state = yield [{ do: 'confirm', key, id, code }, ...stop];
  }
  if (end === 'canceled') state = yield [{ do: 'twilio-update', key, id, status: 'canceled' }, ...stop];
  if (end === 'erased') state = yield { do: 'erase', number: to };
  if (end === 'expired') {
    // the next try comes within five seconds, and hangs beyond the end
    state = yield wait(v.asked.at + s.fixed.code.validFor - state.now - 5 * SECOND - draw(4 * SECOND));
    state = yield* conduct(state, 'hung', 'accepted');
    state = yield wait(20 * SECOND);
  }
  yield* conduct(state, first === 'hung' ? 'hung' : 'accepted', 'accepted');
  yield wait(20 * SECOND);
  yield* conduct(state, 'accepted');
}

/** A carrier reports that a message did not arrive, and the others have to try more than once. */
export const reportedUndelivered: Begin = (s, draw) => {
  const account = draw(2) === 0 ? 'b' : 'a';
  const [to] = numbersOf(s, account);
  const isPossible = to !== undefined && liveKey(s, account) !== undefined && liveNow(s).route.length > 1;
  return isPossible ? goesOn(s, draw, account, to) : undefined;
};

function* goesOn(s: State, draw: Draw, account: string, to: string): Situation {
  yield* conduct(s, 'accepted');
  const asked = yield* ask(s, account, to);
  if (asked.made === undefined) return;
  let state = yield wait(WRITTEN);
  const { id } = asked.made;
  const report = (status: 'delivered' | 'undelivered') => {
    const v = state.made.get(id);
    return v === undefined ? undefined : reportOf(v, status);
  };
  state = yield* conduct(state, 'failed for now');
  state = yield report('undelivered') ?? wait(0);
  state = yield wait(10 * SECOND);
  state = yield* conduct(state, 'accepted');
  state = yield wait(10 * SECOND);
  state = yield report(draw(2) === 0 ? 'delivered' : 'undelivered') ?? wait(0);
  state = yield wait(WRITTEN);
  yield { do: 'look', key: liveKey(state, account) ?? 'nobody', id };
}
