import { approve, destinationFull, found, isRight, mayRead, wrongGuess } from './codes.ts';
import { authenticated, isOver, isPast, must, retryAfter, textOf } from './common.ts';
import { isFull, limitsOfKey, mayBeFull, settingsOf, spend } from './counting.ts';
import { guessesOf, isMissedCall } from './endings.ts';
import { type Command, type Key, listOf, places, type Span, type State, type Verification } from './state.ts';
import { codeRead, fieldOf, idIn, isDone, masked, reasonsOf } from './table.ts';

/** One request: who asks, what a refusal may stand for, and whether that is among it. */
interface Request {
  readonly key: Key;
  readonly is: (word: string) => boolean;
  readonly done: boolean;
  readonly said: string;
}
/** What every request has in common: the key, whether the façade is on, 503, and the limit of requests (twilio.md). */
export function request(s: State, command: Command, name: string, counts: boolean): Request | undefined {
  const key = authenticated(s, name, command, 'twilio.md, Errors');
  if (key === undefined) return undefined;
  const { answer } = command;
  const [done, words] = [isDone(answer), reasonsOf(answer, 'twilio').flat()];
  must(done || words.length > 0, `${answer.status} is no documented answer (twilio.md, Errors)`);
  const on = settingsOf(s, key.account, command).map((it) => it.twilio);
  if (words.includes('twilio-off') && on.includes(false)) {
    // it may have been on, and what was looked for not there
    if (counts) spend(s, key.name, command, false);
    return undefined;
  }
  must(on.includes(true) || answer.status === 503, 'it is off, and answered (twilio.md, Turn it on)');
  if (answer.status === 503) retryAfter(command, 'api.md, What a 503 means');
  const limits = counts ? limitsOfKey(s, key.name, command) : [];
  const limited = words.includes('rate-limited');
  must(!limited || mayBeFull(limits), '20429 though the key has requests left (twilio.md, What differs)');
  must(!done || !isFull(limits), `${name} is over its limit of requests (twilio.md, What differs)`);
  if (counts) spend(s, key.name, command, done); // whether refused ones count is open
  if (limited) retryAfter(command, 'twilio.md, Errors');
  return limited ? undefined : { key, is: (word) => words.includes(word), done, said: words.join(' or ') };
}

/** `to` is masked for a key that neither may read it nor gave the number or the right code (twilio.md, What differs). */
function shows(v: Verification, key: Key, { answer }: Command, given: boolean): void {
  const to = textOf(answer.body, 'to');
  const due = given || mayRead(key, v) ? v.to : masked(v.to);
  must(to === due, `${key.name} was shown ${to} (keys.md, Full numbers)`);
}

interface Candidate {
  readonly v: Verification;
  readonly sure: boolean;
  readonly left: boolean;
}
/** Every code of a number that may be live, newest first; at most 32 are tried (twilio.md, What differs). */
function liveCodes(s: State, key: Key, to: string, now: Span): readonly Candidate[] {
  const its = s.verifications.filter((v) => v.account === key.account && v.test === key.test && v.to === to);
  const live = its.filter((v) => v.byNumber !== false && !v.confirmed && isPast(s, v, now) !== 'yes');
  const all = live.map((v) => ({ v, over: isOver(s, v, now), left: v.wrong < guessesOf(s, v) }));
  const candidates = all.filter((it) => it.over !== 'yes').reverse();
  return candidates.slice(0, 32).map((it) => ({ ...it, sure: it.v.byNumber === true && it.over === 'no' }));
}

/** Whether its SID is surely known: of one that was sent before it was on that is open. */
const hasSid = (v: Verification) => v.byNumber === true || isMissedCall(v);

type Change = (s: State, v: Verification) => void;
/** The same past with one of these changed: a copy for each, unless there is only one possibility. */
function either(
  s: State,
  of: readonly { v: Verification }[],
  copies: boolean,
  change: Change,
): readonly State[] {
  return of.map(({ v }) => {
    const its = copies || of.length > 1 ? structuredClone({ s, v }) : { s, v };
    change(its.s, its.v);
    return its.s;
  });
}
/** A wrong code uses up a guess of the newest code that has one left; near its end, or of those of one moment, it is open which that is. */
function newest(open: readonly Candidate[]): readonly Candidate[] {
  const sure = open.findIndex((it) => it.sure);
  const since = open[sure]?.v.asked.at ?? 0;
  return sure < 0 ? open : open.filter((it, n) => n <= sure || it.v.asked.until >= since);
}

/** A check by number, or by the SID of a verification, which does the same for its number. */
export function check(s: State, command: Command): readonly State[] {
  const ask = command.command;
  if (ask.do !== 'twilio-check') return [s];
  const it = request(s, command, ask.key, typeof ask.of === 'number');
  if (it === undefined) return [s];
  const named = typeof ask.of === 'number' ? found(s, it.key, ask.of, command) : undefined;
  const [missing, exhausted] = [it.is('verification-not-found'), it.is('attempts-exhausted')];
  if (typeof ask.of === 'number') {
    const over = named === undefined ? 'yes' : isOver(s, named.v, command);
    // in the same moment it may have been found just before
    const end = named?.v.ended ?? named?.v.confirmed;
    const isJustOver = end !== undefined && end.until >= command.at;
    const isPast = over === 'yes' || named?.v.confirmed !== undefined;
    if (named === undefined || (isPast && !isJustOver)) {
      const refused = missing || it.is('outcome-unknown');
      must(refused, 'a check of what is over or not found was answered (twilio.md, Errors)');
      return [s];
    }
    // Open: whether a SID is known of one from before it was on, and what is said of one that is used up while others of
    // its number are not.
    const used = named.v.wrong >= guessesOf(s, named.v);
    const open = named.gone === 'may' || over === 'may' || isJustOver || !hasSid(named.v);
    if ((missing && (open || used)) || (exhausted && used)) return [s];
  }
  const to = named?.v.to ?? String(ask.of);
  const live = liveCodes(s, it.key, to, command);
  const sure = live.some((one) => one.sure && one.left);
  const full = destinationFull(s, { account: it.key.account, test: it.key.test, to }, command);
  if (missing || exhausted) {
    must(!missing || !sure, `a live code of ${to} was not found (twilio.md, What differs)`);
    const out = live.length > 0 && (full.may || !sure);
    must(missing || out, '60202 though guesses are left (twilio.md, Errors)');
    return [s];
  }
  const open = full.sure ? [] : live.filter((one) => one.left);
  const right = open.filter(({ v }) => isRight(s, v, ask.code) !== 'no');
  const known = right.filter(({ v }) => isRight(s, v, ask.code) === 'yes');
  const surely = known.some((one) => one.sure);
  const { at, until } = command;
  const approves: Change = (its, v) => approve(its, v, command, true, ask.code);
  const guesses: Change = (its, v) => wrongGuess(its, v, ask.code, command);
  if (it.is('outcome-unknown')) {
    const wrong = surely ? [] : newest(open);
    const done = [...either(s, right, true, approves), ...either(s, wrong, true, guesses)];
    for (const { v } of open.slice(0, 1)) listOf(s.guesses, places(v)).push({ at, until, sure: false }); // postgresql.md
    return [s, ...done];
  }
  must(it.done, `${it.said} to a check (twilio.md, Errors)`);
  must(open.length > 0, `a check was judged though no code of ${to} has a guess left (twilio.md, Errors)`);
  const { body } = command.answer;
  const status = textOf(body, 'status');
  const is = status === 'approved' || status === 'pending';
  must(is && fieldOf(body, 'valid') === (status === 'approved'), `a check is ${status} (twilio.md)`);
  if (status === 'pending') {
    must(!surely, 'the right code was not approved (twilio.md, What differs)');
    if (named !== undefined) shows(named.v, it.key, command, false);
    // it is the code of none that was surely tried
    for (const { v, sure } of right) if (sure) v.not.push(codeRead(ask.code));
    return either(s, newest(open), false, guesses);
  }
  must(right[0] !== undefined, 'a wrong code was approved (twilio.md, What differs)');
  shows(right[0].v, it.key, command, true);
  const told = right.filter(({ v }) => v.id === idIn(body, 'twilio'));
  return either(s, told.length > 0 ? told : known.length > 0 ? known : right, false, approves);
}

/** Only pending verifications can be read and changed (twilio.md, What differs). */
function pending(
  s: State,
  key: Key,
  made: number,
  now: Span,
): { v: Verification; sure: boolean } | undefined {
  const here = found(s, key, made, now);
  if (here === undefined || here.v.confirmed !== undefined || here.v.wrong >= guessesOf(s, here.v))
    return undefined;
  const over = isOver(s, here.v, now);
  return over === 'yes'
    ? undefined
    : { v: here.v, sure: over === 'no' && here.gone === 'no' && hasSid(here.v) };
}

/** Fetch and Update. */
export function pendingOnly(s: State, command: Command): readonly State[] {
  const ask = command.command;
  if (ask.do !== 'twilio-fetch' && ask.do !== 'twilio-update') return [s];
  const it = request(s, command, ask.key, true);
  if (it === undefined) return [s];
  const here = pending(s, it.key, ask.id, command);
  const wish = ask.do === 'twilio-fetch' ? 'pending' : ask.status;
  const any = found(s, it.key, ask.id, command)?.v;
  const full = any === undefined ? { sure: false, may: false } : destinationFull(s, any, command);
  const end: Change = (its, v) => {
    const { at, until } = command;
    if (wish === 'approved') approve(its, v, command, false);
    if (wish === 'canceled') v.ended = { at, until, sure: true, canceled: true };
  };
  if (it.is('outcome-unknown')) {
    const may =
      here !== undefined && (wish === 'canceled' || (wish === 'approved' && here.v.custom && !full.sure));
    return may ? [s, ...either(s, [here], true, end)] : [s];
  }
  if (it.done) {
    must(here !== undefined, `what is over, unknown or not this key's is ${wish} (twilio.md, What differs)`);
    const brought = wish !== 'approved' || here.v.custom;
    must(brought, 'a code that the service made was approved without it (twilio.md, What differs)');
    const left = wish !== 'approved' || !full.sure;
    must(left, 'a number without guesses left was approved (twilio.md, What differs)');
    must(textOf(command.answer.body, 'status') === wish, `the answer is not ${wish} (twilio.md)`);
    shows(here.v, it.key, command, false);
    end(s, here.v);
    return [s];
  }
  if (it.is('verification-not-found')) {
    must(here?.sure !== true, 'a pending verification was not found (twilio.md, What differs)');
    return [s];
  }
  const used = any !== undefined && any.wrong >= guessesOf(s, any);
  const refused = it.is('not_permitted')
    ? any?.custom === false
    : it.is('attempts-exhausted') && (used || full.may);
  must(wish === 'approved' && refused, `${it.said} without a reason (twilio.md, Errors)`);
  return [s];
}
