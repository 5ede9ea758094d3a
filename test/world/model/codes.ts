import { expired, isPast } from './common.ts';
import { isByNumber, isFull, limitsOfNumber, mayBeFull, settingsOf } from './counting.ts';
import { guessesOf, isMissedCall } from './endings.ts';
import type { Key, Span, State, Verification } from './state.ts';
import { listOf, places } from './state.ts';
import { codeRead } from './table.ts';

/** Whose it is: of the account and kind of key, not erased, not past its retention (api.md, GET /verifications/{id}). */
export function held(s: State, key: Pick<Key, 'account' | 'test'>, made: number, now: Span) {
  const v = s.made.get(made);
  if (v === undefined || v.account !== key.account || v.test !== key.test) return undefined;
  const gone = isPast(s, v, now);
  return gone === 'yes' ? undefined : { v, gone };
}
/** What is found by the façade: no test of a carrier, whose code confirms nothing (twilio.md). */
export function found(s: State, key: Pick<Key, 'account' | 'test'>, made: number, now: Span) {
  const here = held(s, key, made, now);
  return here?.v.only === undefined ? here : undefined;
}
/** Who asked for it, and successors by rotation, get the number in full (keys.md, Full numbers). */
export const mayRead = (key: Key, v: Verification) => v.key === key.name || key.before.includes(v.key);

/** Whether this is its code. Before its message was seen nobody knows; test keys' messages may not be seen at all. */
export function isRight(s: State, v: Verification, guess: string): 'yes' | 'no' | 'may' {
  const code = codeRead(guess);
  if (v.code !== undefined) return v.code === code ? 'yes' : 'no';
  const may = v.test || s.loose.some((it) => it.to === v.to && it.code === code);
  return may && !v.not.includes(code) ? 'may' : 'no';
}

type Place = Pick<Verification, 'account' | 'test' | 'to'>;
const limitsOf = (s: State, v: Place, now: Span) =>
  settingsOf(s, v.account, now).map((it) => limitsOfNumber(s, 'wrong', v, now, it));
export function destinationFull(s: State, v: Place, now: Span): { sure: boolean; may: boolean } {
  const all = limitsOf(s, v, now);
  return { sure: all.every(isFull), may: all.some(mayBeFull) };
}
/** Guesses left of a verification or its destination, whichever are fewer (api.md, code-mismatch). */
export function guessesLeft(s: State, v: Verification, now: Span): { least: number; most: number } {
  const own = guessesOf(s, v) - v.wrong;
  const left = (of: 'least' | 'most') =>
    limitsOf(s, v, now).map((limits) => Math.min(own, ...limits.map((it) => it.most - it.count[of])));
  return { least: Math.max(0, Math.min(...left('most'))), most: Math.max(0, ...left('least')) };
}

/** Each guess that was judged is spent, the right one and an approval, too (api.md, GET /verifications/{id}). */
export const spent = ({ wrong, confirmed }: Verification): number =>
  wrong + (confirmed === undefined ? 0 : 1);

export function wrongGuess(s: State, v: Verification, guess: string, { at, until }: Span): void {
  v.wrong += 1;
  if (v.wrong >= guessesOf(s, v)) v.exhausted ??= { at, until };
  if (v.code === undefined) v.not.push(codeRead(guess));
  if (v.ended?.sure === false) v.ended = undefined; // it was judged, so nothing had ended it
  listOf(s.guesses, places(v)).push({ at, until, sure: true });
}

/** A success: once, and it ends the others that may be checked by this number (twilio.md, What differs). */
export function approve(s: State, v: Verification, now: Span, clears: boolean, code?: string): void {
  const { at, until } = now;
  v.confirmed = { at, until, app: !clears };
  v.ended = undefined;
  if (code !== undefined) v.code ??= codeRead(code);
  // It clears the wrong codes of the destination (api.md, Limits). Whether an approval by the app does is open.
  const guesses = listOf(s.guesses, places(v));
  s.guesses.set(places(v), clears ? [] : guesses.map((it) => ({ ...it, sure: false })));
  // Sure only where both may be checked by number, which is still so; the rest is open.
  const on = settingsOf(s, v.account, now).every(isByNumber);
  for (const it of siblings(s, v)) {
    if (it.ended?.sure === true) continue;
    const sure = on && it.byNumber === true && (v.byNumber === true || isMissedCall(v));
    if (expired(s, it, now) !== 'yes') it.ended = { at, until, sure, canceled: false };
  }
}

/** A code of CAMARA ends the earlier ones of its number (camara.md, What a request means here). */
export function endEarlier(s: State, v: Verification, now: Span): void {
  const { at, until } = now;
  for (const it of siblings(s, v)) {
    // of those of one moment it is open which was the earlier
    const isBeside = it.asked.until >= at;
    if (v.door === 'camara' && it.ended?.sure !== true && expired(s, it, now) !== 'yes')
      it.ended = { at, until, sure: !isBeside && it.byNumber === true, canceled: false };
    if (it.door === 'camara' && isBeside && v.byNumber !== false)
      v.ended ??= { at, until, sure: false, canceled: false };
  }
}
/** The other codes of its number that may be found by it, and were not confirmed. */
const siblings = (s: State, v: Verification) =>
  s.verifications.filter(
    (it) =>
      it !== v &&
      it.account === v.account &&
      it.test === v.test &&
      it.to === v.to &&
      it.byNumber !== false &&
      it.confirmed === undefined,
  );
